"""States in which elements are tested: displaced far as a rigid body, deformed, and moving."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.battery.rigid import Rigid, rigid
from flexura.battery.specimen import Array, Specimen

FAR = (np.array([-3.0, 2.5, 8.0]), np.array([1.3, -0.7, 0.9]))
"""A rigid motion of more than one revolution."""


@dataclass(frozen=True)
class State:
    """A specimen that has followed the motion, and its coordinates with their rates."""

    specimen: Specimen
    x: Array
    v: Array
    a: Array


def moved(specimen: Specimen, x: Array, motion: Rigid) -> tuple[Specimen, Array]:
    """A rigid motion in steps small enough for the element to follow, also over several turns."""
    steps = max(int(np.linalg.norm(motion.turn) / 0.5), 1)
    for k in range(1, steps + 1):
        now = motion.part(k / steps).position(specimen, x)
        specimen = specimen.following(now)
    return specimen, now


def states(specimen: Specimen) -> list[State]:
    """The drawn position, and one far from it, both deformed and moving."""
    random = np.random.default_rng(len(specimen.places))
    found = []
    for far in (rigid(specimen, np.zeros(3), np.zeros(3)), rigid(specimen, *FAR)):
        there, x = moved(specimen, _deformed(specimen, random), far)
        v, a = _moving(specimen, x, random.normal(size=x.size), random.normal(size=x.size))
        found.append(State(there, x, v, a))
    return found


def _deformed(specimen: Specimen, random: np.random.Generator) -> Array:
    """Drawn position with some deformation, as much as the element admits."""
    push = random.uniform(-0.1, 0.1, specimen.kind.width)
    for size in (1.0, 0.3, 0.1, 0.03):
        x = specimen.position + size * push
        for places in _unit_lengths(specimen):
            x[places] /= np.linalg.norm(x[places])
        try:
            if np.all(np.isfinite([float(e) for e in specimen.strain(list(x))])):
                return x
        except (ValueError, ZeroDivisionError):
            continue
    return specimen.position


def _moving(specimen: Specimen, x: Array, v: Array, a: Array) -> tuple[Array, Array]:
    """Rates and accelerations that keep the length of Euler parameters: e·ė = 0 and e·ë + ė·ė = 0."""
    for places in _unit_lengths(specimen):
        e = x[places]
        v[places] -= (e @ v[places]) * e
        a[places] -= (e @ a[places] + v[places] @ v[places]) * e
    return v, a


def _unit_lengths(specimen: Specimen) -> list[list[int]]:
    """The places of Euler parameters."""
    return [places for turns, places in specimen.blocks if turns and len(places) == 4]


def difference(found: Any, expected: Any) -> float:
    """The largest deviation, relative to the largest number expected (or to one)."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    if found.shape != expected.shape:
        return math.inf
    if not expected.size:
        return 0.0
    error = np.abs(found - expected).max() / max(1.0, np.abs(expected).max())
    return float(error) if np.isfinite(error) else math.inf
