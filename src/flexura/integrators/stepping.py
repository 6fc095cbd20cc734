"""What the steps of all methods have in common."""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.integrators.memory import NOT_CLOSED, NOT_FINITE, RUNNING, Memory
from flexura.mechanics.evaluate import accelerate, project
from flexura.mechanics.powers import powers
from flexura.mechanics.system import System


@compiled
def finish(s: System, m: Memory, end: float, tolerance: float) -> int:
    """Close the new state and evaluate it; the result is the first stage of the next step."""
    if not project(s, end, m.x, m.v, m.a, tolerance, 12):
        return NOT_CLOSED
    accelerate(s, end, m.x, m.v, m.a, m.stress)
    powers(s, m.v, m.a, m.stress, m.power)
    for k in range(m.x.size):
        if not abs(m.a[k]) < math.inf:
            return NOT_FINITE
    return RUNNING


@compiled
def restore(m: Memory) -> None:
    """Go back to the start of the step."""
    m.x[:] = m.x0
    m.v[:] = m.v0
    m.a[:] = m.a0
    m.work[:] = m.work0
    m.power[:] = m.power0


@compiled
def keep(m: Memory) -> None:
    """Remember the start of a step."""
    m.x0[:] = m.x
    m.v0[:] = m.v
    m.a0[:] = m.a
    m.work0[:] = m.work
    m.power0[:] = m.power
