"""Segments of a run between the changes of its equations, and their steps for differentiation.

The accelerations are smooth inside a segment; kinks of laws and formulas end it like events. A segment begins just
after a kink, and its steps become shorter towards the next one, so that all stages are on the correct side; after a
touch, where forces of contact laws begin with a square root, they grow from short ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from flexura.analyses.gradients.gap_values import gap_and_rate
from flexura.analyses.gradients.law_kinks import LawKinks
from flexura.analyses.gradients.recorded_run import SWITCH, TIME_BREAK, TOUCH, Change, RecordedRun
from flexura.analyses.gradients.resolved_steps import ResolvedSteps
from flexura.analyses.gradients.retaken_steps import RetakenSteps
from flexura.derive.records import Floats
from flexura.integrators.step_log import Snapshot
from flexura.laws.touch_distance import TOUCH as TOUCH_DISTANCE

_FINE = 3.0 ** -np.arange(7, 0, -1)
_COARSE = 40.0 ** -np.arange(4, 0, -1)
"""Factors of the first step next to a square root, and before another kink."""
_PAST_TOUCH, _NEAR_TOUCH = 2.0, 4.0
"""Distances of a state after a touch, and of one at it, in units of the distance at which surfaces touch."""
_MOST = 1e-3
"""Largest fraction of a segment by which the state is moved there."""


@dataclass(frozen=True)
class Span:
    """Steps of a segment: their ends, the first state, the change at the end, and snapshots in between.

    A segment after a kink begins a little later than the kink.
    """

    ends: Floats
    start: Snapshot
    change: Change | None
    inner: tuple[Snapshot, ...] = ()
    continues: bool = False
    """true if the state is continuous, to rounding: at a discontinuity of an input"""

    def parts(self) -> list[Span]:
        """Steps from one snapshot to the next."""
        inner = [one for one in self.inner if one.t in self.ends[1:-1]]
        starts, last = [self.start, *inner], len(inner)
        places = [0, *(int(np.searchsorted(self.ends, one.t)) for one in inner), self.ends.size - 1]
        return [
            Span(np.ascontiguousarray(self.ends[a : b + 1]), starts[k], self.change if k == last else None)
            for k, (a, b) in enumerate(pairwise(places))
        ]


class Segments:
    """Segments of one run by an explicit method."""

    def __init__(self, run: RecordedRun) -> None:
        self.run, self.steps = run, RetakenSteps(run)
        self.kinks = LawKinks(self.steps)

    @cached_property
    def spans(self) -> list[Span]:
        """Segments in order."""
        found: list[Span] = []
        for span in self._between_events():
            found += self._divided(self._behind(span, found[-1].change if found else None))
        resolved = ResolvedSteps(self.steps)
        if not resolved.all_resolved([((span.start, *span.inner), span.ends) for span in found]):
            found = [replace(span, ends=resolved.divided(span.start, span.ends)) for span in found]
        rates = [0.0, *(self._rate(a.change, b.start) for a, b in pairwise(found)), 0.0]
        return [self._graded(span, *rates[k : k + 2]) for k, span in enumerate(found)]

    @property
    def effort(self) -> dict[str, float]:
        """Effort of the run, and the number of steps repeated for its derivatives."""
        return {**self.run.effort, "steps again": float(self.steps.taken)}

    @property
    def changes(self) -> list[Change]:
        """Changes at the ends of the segments."""
        return [span.change for span in self.spans if span.change is not None]

    def _between_events(self) -> list[Span]:
        """Steps of the run between its events; if there is no snapshot at an event, the state is computed."""
        log, changes = self.run.log, self.run.changes()
        ends = self._ends(changes)
        bounds = [0, *(int(np.argmin(np.abs(ends - change.time))) for change in changes), ends.size - 1]
        placed = [(int(np.searchsorted(ends, log.ends[one.step])), one) for one in log.snapshots]
        known = {place: one for place, one in placed if one.event or one.step == 0}
        found = []
        for k, (first, last) in enumerate(pairwise(bounds)):
            start, continues = known.get(first), first not in known
            if start is None:
                place, before = [each for each in placed if each[0] <= first][-1]
                start = self.steps.reached(before, ends[place : first + 1])
            inner = tuple(one for place, one in placed if first < place < last)
            change, own = changes[k] if k < len(changes) else None, ends[first : last + 1].copy()
            if k and TIME_BREAK in changes[k - 1].kinds:  # a step ends just before a discontinuity
                own[0] = max(own[0], changes[k - 1].time)
            found.append(Span(own, start, change, inner, continues))
        return found

    def _ends(self, changes: list[Change]) -> Floats:
        """Ends of the steps of the run, and touches inside a step: a gap that opens after its force has vanished."""
        ends, events = np.array(self.run.log.ends), [one for one in self.run.log.snapshots if one.event]
        nearest = {c.time: min(events, key=lambda one: abs(one.t - c.time), default=None) for c in changes}
        inside = [c.time for c in changes if TOUCH in c.kinds and not self._touches(c, nearest[c.time])]
        return np.unique(np.append(ends, inside))

    def _touches(self, change: Change, at: Snapshot | None) -> bool:
        """True if the gap that closes or opens is zero in a state."""
        return at is not None and abs(self._gap(change, at)[0]) <= _NEAR_TOUCH * TOUCH_DISTANCE * self.run.layout.size

    def _behind(self, span: Span, change: Change | None) -> Span:
        """Span that begins after the touch at its start."""
        start, rate = span.start, abs(self._rate(change, span.start))
        if not rate or span.ends.size < 2:
            return span
        first, last = span.ends[[0, -1]]
        ahead = min(_PAST_TOUCH * TOUCH_DISTANCE * self.run.layout.size / rate, _MOST * (last - first))
        state = replace(start, t=float(first + ahead), x=start.x + ahead * start.v)
        ends = np.append(state.t, span.ends[span.ends > first + 2.0 * ahead])
        return replace(span, start=state, ends=ends, continues=False)

    def _rate(self, change: Change | None, at: Snapshot) -> float:
        """Rate of a gap that closes or opens; zero at other changes."""
        if change is None or TOUCH not in change.kinds:
            return 0.0
        return self._gap(change, at)[1]

    def _gap(self, change: Change, at: Snapshot) -> tuple[float, float, float]:
        """Gap that closes or opens, its rate and the size of this."""
        layout, signal = self.run.layout, change.signals[change.kinds.index(TOUCH)]
        strain = layout.strain_index[layout.names.resolve(signal)]
        return gap_and_rate(self.run.system, at.t, at.x, at.v, at.tracked, strain)

    def _divided(self, span: Span) -> list[Span]:
        """Segments between the kinks of laws inside a span."""
        found, left = list[Span](), span
        for change, state in self.kinks.found(span.start, span.ends):
            before = np.append(left.ends[left.ends < change.time], change.time)
            after = np.append(state.t, left.ends[left.ends > state.t])
            inner = tuple(one for one in left.inner if one.t < change.time)
            found.append(Span(before, left.start, change, inner, left.continues))
            left = Span(after, state, span.change, left.inner[len(inner) :])
        return [*found, left]

    @staticmethod
    def _graded(span: Span, first: float, last: float) -> Span:
        """Span with shorter steps next to kinks; ``first`` and ``last`` are the rates of gaps at its ends."""
        ends = span.ends
        if ends.size < 2:  # between two changes at one end of a step
            return span
        if span.change is not None and {TOUCH, SWITCH} & set(span.change.kinds):
            parts = _FINE if last > 0.0 else _COARSE
            ends = np.insert(ends, ends.size - 1, ends[-1] - (ends[-1] - ends[-2]) * parts[::-1])
        if first < 0.0:
            ends = np.insert(ends, 1, ends[0] + (ends[1] - ends[0]) * _FINE)
        return replace(span, ends=ends)
