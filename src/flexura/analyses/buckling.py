"""Where an equilibrium loses its stability as the loads grow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from flexura.analyses.equilibrium import equilibrium
from flexura.analyses.linearise import linearise
from flexura.errors import AnalysisError
from flexura.model.model import Model
from flexura.results.linear_system import LinearSystem
from flexura.results.state import State


@dataclass(frozen=True, eq=False)
class Buckling:
    """The critical load, by the time at which it is reached."""

    time: float
    state: State
    system: LinearSystem
    """the small motions there; the lowest has no stiffness"""


def buckling(model: Model, until: float, steps: int = 16) -> Buckling:
    """The first time at which an equilibrium loses its stiffness, with loads and inputs that follow their signals.

    A load ``fx.Ramp(rate=-1.0)`` makes the time its size. The stability is that of small motions about the bent or
    compressed state, not of the drawn one.
    """

    def look(t: float) -> tuple[float, State, LinearSystem]:
        state = equilibrium(model, at=t)
        system = linearise(model, state)
        return _least(system), state, system

    before = 0.0
    for t in np.linspace(0.0, until, steps + 1)[1:]:
        if look(float(t))[0] <= 0.0:
            critical = float(brentq(lambda at: look(at)[0], before, float(t), xtol=1e-12 * until, rtol=1e-12))
            _, state, system = look(critical)
            return Buckling(critical, state, system)
        before = float(t)
    raise AnalysisError(f"the equilibrium is stable up to t = {until:g}: load it more, or longer")


def _least(system: LinearSystem) -> float:
    """The smallest eigenvalue of the stiffness, in units of its own diagonal."""
    stiffness = 0.5 * (system.K + system.K.T)
    size = np.sqrt(np.maximum(np.abs(np.diag(system.contributions["material"][1])), 1e-300))
    return float(np.linalg.eigvalsh(stiffness / np.outer(size, size))[0])
