"""Springs and dampers between two points: fields, strain, forces and the lines to draw, in the plane and in space."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Annotated, Any

import numpy as np

from flexura.algebra import Vector, cross, norm, vec
from flexura.elements.element import Matrix
from flexura.errors import ModelError
from flexura.laws.units import NonNegative, Unit

SpringStiffness = Annotated[float, Unit("N/m", "stiffness"), NonNegative()]
FreeLength = Annotated[
    float | None, Unit("m", "length at which the force is zero; by default the drawn length"), NonNegative()
]
Damping = Annotated[float, Unit("N·s/m", "damping"), NonNegative()]
Preload = Annotated[float, Unit("N", "additional tension in the drawn position")]

WINDINGS = 6
"""Windings of a spring as drawn."""
ASKEW = Vector(0.4356, 0.5721, 0.6949)
"""Direction that hardly any spring has, which says where its windings begin."""


def elongation(p: Any, q: Any, length: float) -> Vector:
    """Distance of two points, less the drawn one."""
    return vec(norm(q.r - p.r) - length)


def spring_stiffness(k: float, length: float) -> Matrix:
    """Stiffness of a spring; one whose points are drawn at one place has no direction."""
    if length == 0.0:
        raise ModelError("", "its two points are at one place", "draw them apart, and give the free length")
    return np.array([[k]])


def preload_of(k: float, preload: float, free_length: float | None, length: float) -> float:
    """Tension in the drawn position: as given, and by the free length."""
    return preload + (0.0 if free_length is None else k * (length - free_length))


def coil(p: Any, q: Any, length: float) -> list[list[Vector]]:
    """A coil between two points: a zigzag in the plane, a helix in space."""
    return _zigzag(p, q, length) if len(p.r) == 2 else _helix(p, q, length)


def dashpot(p: Any, q: Any, length: float) -> list[list[Vector]]:
    """A dashpot between two points: a cylinder at p, a piston on a rod at q."""
    return _flat_dashpot(p, q, length) if len(p.r) == 2 else _round_dashpot(p, q, length)


def _across(chord: Vector) -> Vector:
    """Direction across a chord in the plane."""
    return vec(-chord[1], chord[0]) / norm(chord)


def _zigzag(p: Any, q: Any, length: float) -> list[list[Vector]]:
    """A zigzag with straight ends."""
    chord, ends, count = q.r - p.r, 0.12, 4 * WINDINGS
    side = 0.06 * length * _across(chord)
    middle = [
        p.r + (ends + (1 - 2 * ends) * i / count) * chord + (0.0, 1.0, 0.0, -1.0)[i % 4] * side
        for i in range(count + 1)
    ]
    return [[p.r, *middle, q.r]]


def _flat_dashpot(p: Any, q: Any, length: float) -> list[list[Vector]]:
    """A cylinder and a piston, cut along the axis."""
    chord = q.r - p.r
    side = 0.06 * length * _across(chord)
    near, far, piston = p.r + 0.35 * chord, p.r + 0.65 * chord, p.r + 0.5 * chord
    return [
        [p.r, near],
        [far + side, near + side, near - side, far - side],
        [piston + 0.8 * side, piston - 0.8 * side],
        [piston, q.r],
    ]


def _around(chord: Vector) -> tuple[Vector, Vector]:
    """Two directions across a chord in space."""
    first = cross(chord, ASKEW)
    second = cross(chord, first)
    return first / norm(first), second / norm(second)


def _helix(p: Any, q: Any, length: float) -> list[list[Vector]]:
    """A helix with straight ends."""
    chord, ends, count = q.r - p.r, 0.12, 12 * WINDINGS
    a, b = _around(chord)
    turns = [2.0 * pi * WINDINGS * i / count for i in range(count + 1)]
    middle = [
        p.r
        + (ends + (1 - 2 * ends) * i / count) * chord
        + (0.06 * length * cos(turn)) * a
        + (0.06 * length * sin(turn)) * b
        for i, turn in enumerate(turns)
    ]
    return [[p.r, p.r + ends * chord, *middle, q.r - ends * chord, q.r]]


def _round_dashpot(p: Any, q: Any, length: float) -> list[list[Vector]]:
    """A cylinder and a piston by their edges."""
    chord, width = q.r - p.r, 0.05 * length
    a, b = _around(chord)

    def ring(place: float, radius: float) -> list[Vector]:
        turns = (pi * i / 8 for i in range(17))
        return [p.r + place * chord + (radius * cos(turn)) * a + (radius * sin(turn)) * b for turn in turns]

    near, far, piston = ring(0.35, width), ring(0.65, width), ring(0.5, 0.8 * width)
    sides = [[near[i], far[i]] for i in (0, 8)]
    return [[p.r, p.r + 0.35 * chord], near, far, piston, *sides, [p.r + 0.5 * chord, q.r]]
