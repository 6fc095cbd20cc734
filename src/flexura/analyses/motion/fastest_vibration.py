"""Fastest vibration and damper of a model, at its start."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate

_ITERATIONS = 30
"""Products of the power method: its estimate may be a few per cent low."""


class Fastest(NamedTuple):
    """Fastest vibration and fastest damper of a model."""

    vibration: float
    """rad/s"""
    damper: float
    """1/s, the inverse of its time constant"""


def fastest(system: System, x: Floats, v: Floats) -> Fastest:
    """The highest frequency of the stiffnesses, and the highest rate of the dampers, by iterated vectors."""
    laws = system.laws
    if not laws.strain.size:
        return Fastest(0.0, 0.0)
    accelerate(system, 0.0, x.copy(), v.copy(), np.zeros_like(x), np.zeros(system.strain.size))

    def growth(moduli: Floats) -> float:
        return _growth(system, moduli, _first_direction(x.size).copy()) if moduli.any() else 0.0

    return Fastest(float(np.sqrt(growth(laws.stiffness))), growth(laws.damping))


@compiled
def _growth(s: System, moduli: Floats, direction: Floats) -> float:
    """The largest eigenvalue of M⁻¹K, or M⁻¹C, of motions that satisfy the held strains, by the power method."""
    growth, strains, z = 0.0, np.zeros(s.strain.size), np.zeros(s.z.size)
    for _ in range(_ITERATIONS):
        _load(s, moduli, direction, strains, z)
        solve(s.factors, z)
        clear(direction)
        squares = 0.0
        for i in range(s.free.size):
            direction[s.free[i]] = z[s.place[i]]
            squares += z[s.place[i]] ** 2
        growth = np.sqrt(squares)
        if growth == 0.0 or not np.isfinite(growth):
            return 0.0
        for k in range(direction.size):
            direction[k] /= growth
    return growth


@compiled
def _load(s: System, moduli: Floats, direction: Floats, strains: Floats, z: Floats) -> None:
    """Forces of the strains along a direction, in the order of elimination."""
    laws, slopes, out = s.laws, s.slopes, s.motion.out
    for k in range(strains.size):
        strains[k] = 0.0
        for e in range(slopes.start[k], slopes.start[k + 1]):
            strains[k] += out[slopes.source[e]] * direction[slopes.column[e]]
    clear(z)
    for n in range(laws.strain.size):
        stress, k = 0.0, laws.strain[n]
        for e in range(laws.start[n], laws.start[n + 1]):
            stress += moduli[e] * strains[laws.other[e]]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            if slopes.target[e] >= 0:
                z[slopes.target[e]] += out[slopes.source[e]] * stress


@lru_cache
def _first_direction(size: int) -> Floats:
    return np.random.default_rng(1).standard_normal(size)
