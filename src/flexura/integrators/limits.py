"""Limits of a run, and the meter that checks them between blocks of steps."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass
from functools import cache
from typing import Annotated

from flexura.derive.records import Record
from flexura.errors import ModelError
from flexura.integrators.run_memory import EVALUATIONS, REJECTED, STEPS, Memory
from flexura.laws.units import Positive, Unit
from flexura.laws.validation import validate

_BLOCK = 0.1
"""Duration of a block of steps in seconds."""
_FIRST, _LARGEST, _GROWTH = 4, 20_000, 4.0
"""Steps of the first block and at most, and growth from one block to the next: a few slow steps suffice to measure
their cost."""


@dataclass(frozen=True)
class Limits:
    """Limits of a run; reaching one ends it with the outcome ``LIMITED``, and the result so far is kept.

    A limit that is not given does not apply; the result must always fit into the memory of the machine.
    """

    steps: Annotated[int | None, Unit("", "accepted and rejected steps"), Positive()] = None
    wall_time: Annotated[float | None, Unit("s", "time that the integration takes"), Positive()] = None
    memory: Annotated[float | None, Unit("byte", "memory of the run and its result"), Positive()] = None

    def __post_init__(self) -> None:
        validate(self)


NO_LIMITS = Limits()


class Meter:
    """Meter of the limits of a run; ``reached`` names the limit that has ended it.

    ``most_evaluations`` ends a single run as too costly.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or NO_LIMITS
        self.reached = ""
        self.most_evaluations = math.inf
        self._taken = 0.0
        self.begin()

    def begin(self) -> None:
        """Begin a run; the blocks of all runs of an analysis count, their preparation and compilation do not."""
        self._block, self._budget = time.perf_counter(), 0

    def refuse(self, size: float) -> None:
        """Raise an error if a result of ``size`` bytes does not fit."""
        most = self.limits.memory or _physical_memory()
        if size > most:
            what = f"the result takes {size:.3g} bytes, and {most:.3g} are allowed"
            raise ModelError("samples", what, "ask for fewer samples, or allow more with limits")

    def budget(self, m: Memory) -> int:
        """Number of steps of the next block, zero if a limit is reached; blocks are short, so that Ctrl-C works."""
        now, limits = time.perf_counter(), self.limits
        took, self._block = now - self._block, now
        self._taken += took
        grown = int(self._budget * min(_BLOCK / max(took, 1e-9), _GROWTH)) if self._budget else _FIRST
        left = self._budget = min(max(grown, 1), _LARGEST)
        if limits.steps is not None:
            left = min(left, limits.steps - int(m.count[STEPS] + m.count[REJECTED]))
            if left <= 0:
                self.reached = f"{limits.steps} steps"
        if limits.wall_time is not None and self._taken >= limits.wall_time:
            self.reached = f"{limits.wall_time:g} s of wall time"
        if limits.memory is not None and _bytes(m) > limits.memory:
            self.reached = f"{limits.memory:g} bytes of memory"
        return 0 if self.ended(m) else left

    def ended(self, m: Memory) -> bool:
        """True if a limit has ended the run."""
        costly = self.most_evaluations < math.inf and m.count[EVALUATIONS] >= self.most_evaluations
        return bool(self.reached) or bool(costly)


def _bytes(record: Record) -> int:
    """Size of all arrays of a record in bytes."""
    parts = (record.__dict__[name] for name in record.record_forms)
    return sum(_bytes(part) if isinstance(part, Record) else part.nbytes for part in parts)


@cache
def _physical_memory() -> float:
    """Physical memory in bytes; unlimited if the system does not report it."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * float(os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return float("inf")
