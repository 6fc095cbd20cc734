"""Cache of the memories of runs, for later runs of the same model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derive.array_backup import Backup
from flexura.derive.records import Record
from flexura.integrators.audit_record import renewed
from flexura.integrators.local_tolerance import local_tolerance
from flexura.integrators.methods import Method
from flexura.integrators.problem import Problem
from flexura.integrators.run_memory import END, GOAL, NOW, Memory, remember
from flexura.integrators.step_stages import step_entries
from flexura.mechanics.contact.contact_scales import LENGTH, SPAN, contact_scales

_MOST = 4
"""Maximum number of cached memories."""
_LARGEST = 100_000
"""Maximum size of the outputs of a run whose memory is cached, in numbers."""


def run_memory(problem: Problem, method: Method, memories: MemoryCache | None) -> Memory:
    """Memory of a run at its initial state, before anything is evaluated."""
    found = memories.find(problem, method) if memories else None
    if found is None:
        found = _blank(problem, method)
        found = memories.keep(problem, method, found) if memories else found
    return found


def _blank(problem: Problem, method: Method) -> Memory:
    """Memory of a run at its initial state, before anything is evaluated."""
    s = problem.system
    switched, touches = bool(s.switches.on.size), bool(s.touch.strain.size)
    return remember(
        step_entries(bool(problem.event_values.size), touches, switched, method.can.stiff),
        problem.guide,
        contact_scales(s, problem.size, float(problem.times[-1] - problem.times[0]), run_tolerance(method)),
        renewed(problem.audit),
        problem.x,
        problem.v,
        problem.times,
        problem.scale,
        16,
        problem.events,
        problem.event_values,
        problem.kinds,
        method.can.stiff,
        degree=max(method.can.dense_output, 7),
        watched=problem.examine is not None,
    )


def run_tolerance(method: Method) -> float:
    """Error of a step, relative to the size of the model; unknown for fixed steps."""
    return 1e-6 if vars(method).get("step", 0.0) > 0.0 else local_tolerance(method)


class MemoryCache:
    """Cache of the memories of the last runs of a model; a memory is reset when the next run takes it."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], tuple[Memory, Backup]] = {}

    def find(self, problem: Problem, method: Method) -> Memory | None:
        """Memory of an earlier run of the same form, reset to the start of a problem."""
        found = self._kept.get(_key(problem, method))
        if found is None:
            return None
        m, backup = found
        backup.restore()
        if not m.audit.take_numbers(problem.audit) or not np.array_equal(m.errors.kind, problem.kinds):
            return None
        m.clock[NOW], m.clock[END], m.clock[GOAL] = problem.times[0], problem.times[-1], problem.times[-1]
        m.x[:] = m.x0[:] = problem.x
        m.v[:] = m.v0[:] = problem.v
        m.scale[:], m.times[:], m.event_value[:] = problem.scale, problem.times, problem.event_values
        m.scales.run[LENGTH], m.scales.run[SPAN] = problem.size, problem.times[-1] - problem.times[0]
        return m

    def keep(self, problem: Problem, method: Method, m: Memory) -> Memory:
        """Store a copy of the memory of a run that is about to begin, for later runs."""
        if m.x_out.size > _LARGEST:
            return m
        audit = m.audit.replaced(**{name: m.audit.__dict__[name].copy() for name in m.audit.record_forms})
        own = {name: m.__dict__[name].copy() for name in ("times", "event", "event_value", "entry")}
        m = m.replaced(audit=audit, errors=m.errors.replaced(kind=m.errors.kind.copy()), **own)
        self._kept[_key(problem, method)] = m, Backup(_arrays(m))
        while len(self._kept) > _MOST:
            self._kept.pop(next(iter(self._kept)))
        return m


def _key(problem: Problem, method: Method) -> tuple[object, ...]:
    """Form of the memory of a run; its guide lives as long as the memory."""
    return method, id(problem.guide), problem.times.size, problem.events.tobytes(), problem.examine is not None


def _arrays(record: Record) -> Iterator[NDArray[Any]]:
    """Arrays of a record that belong to a run: all except those of its guide."""
    for name in record.record_forms:
        part = record.__dict__[name]
        if not isinstance(part, Record):
            yield part
        elif name != "guide":
            yield from _arrays(part)
