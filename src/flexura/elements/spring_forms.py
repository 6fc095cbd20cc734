"""Springs and dampers between two points: fields, strain, forces and the lines to draw, in the plane and in space."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from flexura.algebra import Vector, norm, vec
from flexura.elements.element import Matrix
from flexura.errors import ModelError
from flexura.laws.units import NonNegative, Unit

SpringStiffness = Annotated[float, Unit("N/m", "stiffness"), NonNegative()]
FreeLength = Annotated[float | None, Unit("m", "length without force; the drawn one if not given"), NonNegative()]
Damping = Annotated[float, Unit("N·s/m", "damping"), NonNegative()]
Preload = Annotated[float, Unit("N", "tension in the drawn position, besides that of the free length")]

WINDINGS = 6
"""Windings of a spring as drawn."""


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


def _across(chord: Vector) -> Vector:
    """Direction across a chord in the plane."""
    return vec(-chord[1], chord[0]) / norm(chord)


def coil(p: Any, q: Any, length: float) -> list[list[Vector]]:
    """A coil between two points in the plane: a zigzag with straight ends."""
    chord, ends, count = q.r - p.r, 0.12, 4 * WINDINGS
    side = 0.06 * length * _across(chord)
    middle = [
        p.r + (ends + (1 - 2 * ends) * i / count) * chord + (0.0, 1.0, 0.0, -1.0)[i % 4] * side
        for i in range(count + 1)
    ]
    return [[p.r, *middle, q.r]]


def dashpot(p: Any, q: Any, length: float) -> list[list[Vector]]:
    """A dashpot between two points in the plane: a cylinder at p, a piston on a rod at q."""
    chord = q.r - p.r
    side = 0.06 * length * _across(chord)
    near, far, piston = p.r + 0.35 * chord, p.r + 0.65 * chord, p.r + 0.5 * chord
    return [
        [p.r, near],
        [far + side, near + side, near - side, far - side],
        [piston + 0.8 * side, piston - 0.8 * side],
        [piston, q.r],
    ]
