"""Contacts with force laws whose branch, open or pressed, is held during a step."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.mechanics.core.system import System

PRESSED, AS_IT_IS, OPEN = -1.0, 0.0, 1.0
"""Branch of a contact law: pressed, even before the touch; the law itself with all its kinks; open, without a force."""


@compiled
def held_branch(s: System, n: int) -> float:
    """Branch at which a contact is held."""
    return s.program.registers[s.touch.register[n]] if s.touch.register[n] >= 0 else AS_IT_IS


@compiled
def hold_branch(s: System, n: int, hold: float) -> None:
    """Hold a contact at a branch, if its law permits it."""
    if s.touch.register[n] >= 0:
        s.program.registers[s.touch.register[n]] = hold


@compiled
def release_holds(s: System) -> None:
    """Release all contacts: each follows its law."""
    for n in range(s.touch.strain.size):
        hold_branch(s, n, AS_IT_IS)


@compiled
def suspend_holds(s: System) -> None:
    """Release all contacts until :func:`resume_holds`."""
    for n in range(s.touch.strain.size):
        s.touch.suspended[n] = held_branch(s, n)
    release_holds(s)


@compiled
def resume_holds(s: System) -> None:
    """Restore the branches that :func:`suspend_holds` has released."""
    for n in range(s.touch.strain.size):
        hold_branch(s, n, s.touch.suspended[n])
