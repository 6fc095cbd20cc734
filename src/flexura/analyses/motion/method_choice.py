"""The method that suits a model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexura.derive.records import Floats
from flexura.integrators.methods import DormandPrince, KennedyCarpenter, Method
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.preparation.prepared_model import PreparedModel

_PATIENCE = 2e5
"""Radians of the fastest vibration over a run, beyond which it is damped away rather than followed."""


def suitable(machine: PreparedModel, until: float) -> Method:
    """Explicit and exact where the vibrations can be followed, implicit where they are too fast for that."""
    layout, system = machine.condensed
    x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v)
    if layout.rolling or layout.switched:
        return DormandPrince()
    fastest = machine.remember("highest frequency", lambda: highest_frequency(system, x, v))
    if fastest * until < _PATIENCE:
        return DormandPrince()
    return KennedyCarpenter()


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
        """M⁻¹K (or M⁻¹C) times a direction, on the held strains."""
        strains = np.bincount(of_strain, out[slopes.source] * direction[slopes.column], system.strain.size)
        stresses = np.bincount(laws.strain[rows], moduli * strains[laws.other], system.strain.size)
        system.z[:] = 0.0
        free = slopes.target >= 0
        np.add.at(system.z, slopes.target[free], (out[slopes.source] * stresses[of_strain])[free])
        solve(system.factors, system.z)
        result = np.zeros_like(direction)
        result[system.free] = system.z[system.place]
        return result

    stiff = _growth(lambda direction: respond(direction, laws.stiffness), x.size)
    lossy = _growth(lambda direction: respond(direction, laws.damping), x.size)
    return max(float(np.sqrt(stiff)), lossy)


def _growth(apply: Callable[[Floats], Floats], size: int) -> float:
    """The largest eigenvalue of a linear map, by the power method."""
    direction, growth = np.random.default_rng(1).standard_normal(size), 0.0
    for _ in range(30):
        direction = apply(direction)
        growth = float(np.linalg.norm(direction))
        if growth == 0.0 or not np.isfinite(growth):
            return 0.0
        direction /= growth
    return growth
