"""Highest frequency of a model, at its start."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from flexura.derive.records import Floats
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate


def highest_frequency(system: System, x: Floats, v: Floats) -> float:
    """The highest frequency of the stiffnesses (or 1/time constant of dampers), by iterated vectors."""
    laws, slopes = system.laws, system.slopes
    if not laws.strain.size:
        return 0.0
    a, stress = np.zeros_like(x), np.zeros(max(system.strain.size, 1))
    accelerate(system, 0.0, x.copy(), v.copy(), a, stress)
    out = system.motion.out
    of_strain = np.repeat(np.arange(system.strain.size), np.diff(slopes.start))
    rows = np.repeat(np.arange(laws.strain.size), np.diff(laws.start))

    def respond(direction: Floats, moduli: Floats) -> Floats:
        """M⁻¹K (or M⁻¹C) times a direction that satisfies the held strains."""
        strains = np.bincount(of_strain, out[slopes.source] * direction[slopes.column], system.strain.size)
        stresses = np.bincount(laws.strain[rows], moduli * strains[laws.other], system.strain.size)
        system.z[:] = 0.0
        free = slopes.target >= 0
        np.add.at(system.z, slopes.target[free], (out[slopes.source] * stresses[of_strain])[free])
        solve(system.factors, system.z)
        result = np.zeros_like(direction)
        result[system.free] = system.z[system.place]
        return result

    def growth(moduli: Floats) -> float:
        return _growth(lambda direction: respond(direction, moduli), x.size) if moduli.any() else 0.0

    return max(float(np.sqrt(growth(laws.stiffness))), growth(laws.damping))


def _growth(apply: Callable[[Floats], Floats], size: int) -> float:
    """The largest eigenvalue of a linear map, by the power method."""
    direction, growth = _first_direction(size), 0.0
    for _ in range(30):
        direction = apply(direction)
        growth = float(np.linalg.norm(direction))
        if growth == 0.0 or not np.isfinite(growth):
            return 0.0
        direction /= growth
    return growth


@lru_cache
def _first_direction(size: int) -> Floats:
    return np.random.default_rng(1).standard_normal(size)
