"""Interface between a method of integration and the step loop.

A method is four compiled functions f(system, memory, own, h), ``own`` being a record of its own:

* ``attempt`` makes the step h from the state in ``memory``. It sets ``count[TRIED]`` to ``RUNNING`` or a status of
  failure, and ``clock[ERROR]`` to the error against the tolerance, zero where the step is fixed.
* ``retreat`` sets a shorter ``clock[NEXT_STEP]`` after an attempt that failed; the state has been restored.
* ``accept`` keeps what the method remembers of a step that stands, adds up the work, prepares the polynomial between
  steps, and sets ``clock[NEXT_STEP]``.
* ``restart`` forgets the past, after an event.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from flexura.derive.compiled import address_of
from flexura.derive.records import Record
from flexura.integrators.run_memory import ACCEPT, ATTEMPT, OWN, RESTART, RETREAT, Memory
from flexura.mechanics.core.kernel_calls import method_signature
from flexura.mechanics.core.system import System

Part = Callable[[System, Memory, Any, float], None]


@dataclass(frozen=True)
class Stepper:
    """A method prepared for one run."""

    own: Record
    """its memory besides the state"""
    attempt: Part
    retreat: Part
    accept: Part
    restart: Part
    within: Stepper | None = None
    """the method that makes the steps of this one"""

    def install(self, m: Memory) -> None:
        """Let the step loop call it; the stepper must live as long as the run."""
        parts = (self.attempt, self.retreat, self.accept, self.restart)
        m.entry[[ATTEMPT, RETREAT, ACCEPT, RESTART]] = _addresses(parts, self.own.numba_type)
        m.entry[OWN] = self.own.record_pointer


@cache
def _addresses(parts: tuple[Part, ...], own: Any) -> tuple[int, ...]:
    """Addresses of the parts of a method with a memory of this type."""
    signature = method_signature(System.numba_type, Memory.numba_type, own)
    return tuple(address_of(part, signature) for part in parts)
