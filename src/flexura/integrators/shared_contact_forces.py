"""Contacts that stick together along a run: their shared forces at the end of a step."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.integrators.run_memory import NEXT_STEP, NOW, Memory
from flexura.mechanics.contact.resting_contacts import update_shared_forces
from flexura.mechanics.core.system import System

APART, KEPT, BROKEN = range(3)
"""contacts do not stick together; their shared forces lie in the friction cones; no forces lie in the cones"""


@compiled
def check_shared_forces(s: System, m: Memory, h: float) -> int:
    """Share the forces at the end of a trial step; if none lie in the cones, the next step is shorter."""
    if s.shares.together[0] == 0:
        return APART
    if update_shared_forces(s, m.clock[NOW] + h, m.x, m.v, m.a, m.stress, m.spare):
        return KEPT
    m.clock[NEXT_STEP] = 0.5 * h
    return BROKEN
