"""States to look at an element in: moved far as a rigid body, deformed, and moving."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.analyses.battery.specimen import Array, Specimen


@dataclass(frozen=True)
class State:
    """A specimen that has followed the motion, and its coordinates with their rates."""

    specimen: Specimen
    x: Array
    v: Array
    a: Array


def turned(specimen: Specimen, x: Array, angle: float, shift: tuple[float, float], whole: bool = True) -> Array:
    """Coordinates (or with ``whole`` false rates) of the element turned about the origin and shifted."""
    c, s = math.cos(angle), math.sin(angle)
    result, components = np.array(x, dtype=float), specimen.components
    for i, component in enumerate(components):
        if component == "x":
            result[i] = c * x[i] - s * x[i + 1] + whole * shift[0]
            result[i + 1] = s * x[i] + c * x[i + 1] + whole * shift[1]
        elif component == "phi":
            result[i] = x[i] + whole * angle
    return result


def moved(specimen: Specimen, x: Array, angle: float, shift: tuple[float, float]) -> tuple[Specimen, Array]:
    """A rigid motion in steps small enough for the element to follow, also over several turns."""
    steps = max(int(abs(angle) / 0.5), 1)
    for k in range(1, steps + 1):
        fraction = k / steps
        now = turned(specimen, x, fraction * angle, (fraction * shift[0], fraction * shift[1]))
        specimen = specimen.following(now)
    return specimen, now


def states(specimen: Specimen) -> list[State]:
    """The drawn position, and one far from it, both deformed and moving."""
    random = np.random.default_rng(len(specimen.places))
    found = []
    for angle, shift in ((0.0, (0.0, 0.0)), (8.0, (1.3, -0.7))):
        far, x = moved(specimen, _deformed(specimen, random), angle, shift)
        found.append(State(far, x, random.normal(size=x.size), random.normal(size=x.size)))
    return found


def _deformed(specimen: Specimen, random: np.random.Generator) -> Array:
    """The drawn position with some deformation: as much as the element bears."""
    push = random.uniform(-0.1, 0.1, specimen.kind.width)
    for size in (1.0, 0.3, 0.1, 0.03):
        x = specimen.position + size * push
        try:
            if np.all(np.isfinite([float(e) for e in specimen.strain(list(x))])):
                return x
        except (ValueError, ZeroDivisionError):
            continue
    return specimen.position


def difference(found: Any, expected: Any) -> float:
    """The largest deviation, relative to the largest number expected (or to one)."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    if found.shape != expected.shape:
        return math.inf
    if not expected.size:
        return 0.0
    error = np.abs(found - expected).max() / max(1.0, np.abs(expected).max())
    return float(error) if np.isfinite(error) else math.inf
