"""Contacts with force laws that are held open or pressed during a step."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.mechanics.core.system import System

PRESSED, AS_IT_IS, OPEN = -1.0, 0.0, 1.0
"""Holds of a contact: pressed, also before the touch; by its law with all kinks; without a force."""


@compiled
def hold_of(s: System, n: int) -> float:
    """Hold of a contact."""
    return s.program.registers[s.touch.register[n]] if s.touch.register[n] >= 0 else AS_IT_IS


@compiled
def take_hold(s: System, n: int, hold: float) -> None:
    """Hold a contact, if its law can be held."""
    if s.touch.register[n] >= 0:
        s.program.registers[s.touch.register[n]] = hold


@compiled
def let_go(s: System) -> None:
    """Let all contacts act by their laws as they are."""
    for n in range(s.touch.strain.size):
        take_hold(s, n, AS_IT_IS)


@compiled
def suspend_holds(s: System) -> None:
    """Let all contacts act by their laws as they are, until :func:`resume_holds`."""
    for n in range(s.touch.strain.size):
        s.touch.suspended[n] = hold_of(s, n)
    let_go(s)


@compiled
def resume_holds(s: System) -> None:
    """Hold contacts as they were held before :func:`suspend_holds`."""
    for n in range(s.touch.strain.size):
        take_hold(s, n, s.touch.suspended[n])
