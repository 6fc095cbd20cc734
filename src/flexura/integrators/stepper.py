"""Interface between a method of integration and the step loop.

A method is four compiled functions f(system, memory, own, h) with its own record ``own``:

* ``attempt`` makes the step h from the state in ``memory``. It sets ``count[TRIED]`` to ``RUNNING`` or a status of
failure, and ``clock[ERROR]`` to the error relative to the tolerance, zero for a fixed step. * ``retreat`` sets a
shorter ``clock[NEXT_STEP]`` after a failed attempt; the state has been restored. * ``accept`` stores the past that the
method needs after an accepted step, adds the work, prepares the polynomial between steps, and sets
``clock[NEXT_STEP]``. * ``restart`` discards the past, after an event.
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
    """Method prepared for one run."""

    own: Record
    """its memory in addition to the state"""
    attempt: Part
    retreat: Part
    accept: Part
    restart: Part
    within: Stepper | None = None
    """method whose steps this one calls"""

    def install(self, m: Memory) -> None:
        """Install the method in the memory of a run, which the stepper must outlive."""
        parts = (self.attempt, self.retreat, self.accept, self.restart)
        m.entry[[ATTEMPT, RETREAT, ACCEPT, RESTART]] = _addresses(parts, self.own.numba_type)
        m.entry[OWN] = self.own.record_pointer


@cache
def _addresses(parts: tuple[Part, ...], own: Any) -> tuple[int, ...]:
    """Addresses of the parts of a method with this type of memory."""
    signature = method_signature(System.numba_type, Memory.numba_type, own)
    return tuple(address_of(part, signature) for part in parts)
