"""Forces of dry friction that sticks."""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import STICKING, pressing_force


@compiled
def friction_force(s: System, i: int, stress: Floats) -> float:
    """The force with which a grip holds."""
    total = 0.0
    for n in range(s.grips.start[i], s.grips.start[i + 1]):
        total += stress[s.switches.strain[n]] ** 2
    return math.sqrt(total)


@compiled
def static_limit(s: System, i: int, stress: Floats) -> float:
    """The greatest force with which it can hold."""
    return float(s.grips.mu[i, STICKING] * pressing_force(s, i, stress))
