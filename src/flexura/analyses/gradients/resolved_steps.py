"""Refinement of the steps of a run for its derivatives.

A machine at rest or in steady motion takes steps as long as its motion allows. Changes of its state may oscillate
fast all the same, and in steps beyond the stability limit of the method their derivatives grow without bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.retaken_steps import RetakenSteps
from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats, FloatTable
from flexura.integrators.runge_kutta_tableaux import Tableau
from flexura.integrators.step_log import Snapshot
from flexura.integrators.tangent_memory import Columns, StageMemory, stage_memory
from flexura.integrators.tangent_samples import Samples, samples_of
from flexura.integrators.tangent_steps import evaluate_start, take_steps
from flexura.mechanics.linear.variation_tables import Variations, number_changes

Array = NDArray[np.float64]
_Start = tuple[Floats, Floats, Floats, FloatTable]
"""Positions, rates and tracked numbers of a state, and its change."""
_LONG = 3.0
"""Steps that are examined: those this many times longer than the median, or all if these are few."""
_FEW = 32
_LONGEST = 3
"""Number of longest steps examined first: if they are resolved, all are assumed to be."""
_RESOLVED = 1e-7
"""Acceptable error of a change in one step, relative to its size."""
_MOST = 4096
"""Maximum number of pieces of a step."""


class ResolvedSteps:
    """Division of steps that do not resolve changes of the state."""

    def __init__(self, steps: RetakenSteps) -> None:
        self.steps = steps
        sizes = np.diff(np.array(steps.run.log.ends))
        self.limit = 0.0 if sizes.size <= _FEW else _LONG * float(np.median(sizes))

    @cached_property
    def columns(self) -> Columns:
        """Memory for the derivatives along one change."""
        none = np.zeros(0, dtype=np.int64)
        return self.steps.columns(number_changes(self.steps.system, 1), none, none)

    @cached_property
    def change(self) -> Array:
        """Random change of positions and rates."""
        return np.random.default_rng(1).standard_normal((2, self.columns.x.size))

    def all_resolved(self, segments: Sequence[tuple[Sequence[Snapshot], Floats]]) -> bool:
        """True if the longest steps of segments, given by snapshots and the ends of steps, are resolved."""
        sizes = [np.diff(ends) for _, ends in segments]
        first_of, every = np.cumsum([0, *(own.size for own in sizes)]), np.concatenate(sizes)
        for place in np.argsort(every)[: -_LONGEST - 1 : -1].tolist():
            h, n = float(every[place]), int(np.searchsorted(first_of, place, side="right")) - 1
            if h <= self.limit:
                break
            (snapshots, ends), k = segments[n], place - int(first_of[n])
            before = [one for one in snapshots if one.t <= ends[k]][-1]
            first = int(np.searchsorted(ends, before.t))
            state = self.steps.reached(before, np.ascontiguousarray(ends[first : k + 1]))
            if self._unresolved(state, float(ends[k]), h):
                return False
        return True

    def divided(self, start: Snapshot, ends: Floats) -> Floats:
        """Ends of steps from a state, with additional ones in steps that are too long."""
        found, state, reached = [ends], start, 0
        for k in np.flatnonzero(np.diff(ends) > self.limit).tolist():
            state, reached = self.steps.reached(state, np.ascontiguousarray(ends[reached : k + 1])), k
            found.append(self._pieces(state, float(ends[k]), float(ends[k + 1])))
        return np.unique(np.concatenate(found))

    def _pieces(self, state: Snapshot, first: float, last: float) -> Floats:
        """Times that divide a step so that changes are resolved; empty if they already are."""
        pieces = 1
        while pieces < _MOST and self._unresolved(state, first, (last - first) / pieces):
            pieces *= 2
        return np.linspace(first, last, pieces + 1)[1:-1]

    def _unresolved(self, state: Snapshot, t: float, size: float) -> bool:
        """True if one step and two of half the size change a random change of the state differently."""
        steps = self.steps
        steps.resume_from(state)
        found = _differ(
            steps.variations,
            self._memory,
            self.columns,
            steps.tableau,
            (state.x, state.v, state.tracked, self.change),
            (np.array([t, t + size]), np.array([t, t + 0.5 * size, t + size])),
            self._changed,
            self._samples,
        )
        steps.resume_from(state)
        steps.taken += 3
        return bool(found)

    @cached_property
    def _memory(self) -> StageMemory:
        return stage_memory(self.steps.system, self.steps.tableau)

    @cached_property
    def _samples(self) -> Samples:
        return samples_of(self.steps.system, np.zeros(0), 1)

    @cached_property
    def _changed(self) -> Array:
        return np.zeros((2, self.columns.x.size))


@compiled
def _take(
    w: Variations, m: StageMemory, c: Columns, tableau: Tableau, start: _Start, ends: Floats, samples: Samples
) -> None:
    """Take steps from a state, with the derivatives along a change of it."""
    x, v, tracked, change = start
    for k in range(tracked.size):
        w.system.number[w.system.track_target[k]] = tracked[k]
    copy(m.x, x)
    copy(m.v, v)
    copy(c.x, change[0])
    copy(c.v, change[1])
    evaluate_start(w, m, c, ends[0], 0, 0)
    take_steps(w, m, c, tableau, ends, samples)


@compiled
def _differ(
    w: Variations,
    m: StageMemory,
    c: Columns,
    tableau: Tableau,
    start: _Start,
    ends: tuple[Floats, Floats],
    changed: FloatTable,
    samples: Samples,
) -> bool:
    """True if the changes after one step differ from those after two by more than a part of the largest."""
    _take(w, m, c, tableau, start, ends[0], samples)
    copy(changed[0], c.x)
    copy(changed[1], c.v)
    _take(w, m, c, tableau, start, ends[1], samples)
    for part in range(2):
        largest, error, finite = 0.0, 0.0, True
        for k in range(c.x.size):
            value = c.x[k] if part == 0 else c.v[k]
            difference = abs(changed[part, k] - value)
            finite = finite and difference < np.inf
            largest, error = max(largest, abs(value)), max(error, difference)
        if not finite or error > _RESOLVED * largest:
            return True
    return False
