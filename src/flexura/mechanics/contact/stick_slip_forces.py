"""Forces of sticking contacts."""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import STICKING, pressing_force


@compiled
def friction_force(s: System, i: int, stress: Floats) -> float:
    """Friction force of a sticking contact."""
    total = 0.0
    for n in range(s.grips.start[i], s.grips.start[i + 1]):
        total += stress[s.switches.strain[n]] ** 2
    return math.sqrt(total)


@compiled
def static_limit(s: System, i: int, stress: Floats) -> float:
    """Limit of static friction."""
    return float(s.grips.mu[i, STICKING] * pressing_force(s, i, stress))
