"""Derivatives of a motion along the steps of an explicit method, with jumps where it has events.

Each step is differentiated as it was taken. Its stages are computed once more, and exact kernels give their
derivatives; parameters of formulas are differenced at the states of the stages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.event_jumps import After, Before, EventJumps
from flexura.analyses.gradients.neighbours import Direction, derivative
from flexura.analyses.gradients.parameter_columns import parameter_columns
from flexura.analyses.gradients.recorded_run import Change, RecordedRun, States
from flexura.analyses.gradients.state_slopes import StateSlopes
from flexura.analyses.gradients.tangent_motion import Tangents, speeds_of
from flexura.derive.records import Floats
from flexura.integrators.methods import DormandPrince, Method, RungeKutta4
from flexura.integrators.runge_kutta import Tableau, tableau_of
from flexura.integrators.step_log import Snapshot
from flexura.integrators.tangent_steps import (
    Columns,
    Samples,
    StageMemory,
    columns_of,
    evaluate_start,
    recorded_rows,
    samples_of,
    stage_memory,
    take_steps,
)
from flexura.mechanics.core.row_switches import recall_switches
from flexura.mechanics.linear.variation_tables import Variations, variations_of

Array = NDArray[np.float64]
_CHUNK = 64
"""Steps whose stages are recorded at a time, where formulas are differenced at them."""


def follows_steps(run: RecordedRun) -> bool:
    """True where the steps of a run can be differentiated: by an explicit method, without dry friction."""
    return isinstance(run.method, RungeKutta4 | DormandPrince) and not run.system.grips.sticks.size


def tableau_of_method(method: Method) -> Tableau:
    """Coefficients of an explicit method."""
    assert isinstance(method, RungeKutta4 | DormandPrince)
    return tableau_of(method)


@dataclass(frozen=True)
class Span:
    """Steps between two events: their ends, the state after the first event, and the second event."""

    ends: Floats
    start: Snapshot | None
    """None where the state goes on as it was"""
    change: Change | None


def spans_of(run: RecordedRun) -> list[Span]:
    """Steps of a run between its events."""
    log, changes = run.log, run.changes()
    ends = np.array(log.ends)
    places = [int(np.argmin(np.abs(ends - change.time))) for change in changes]
    snapshots = {one.step: one for one in log.snapshots if one.event or one.step == 0}
    bounds = [0, *places, ends.size - 1]
    found = []
    for k, (first, last) in enumerate(zip(bounds[:-1], bounds[1:], strict=True)):
        start = snapshots.get(first)
        found.append(Span(ends[first : last + 1], start, changes[k] if k < len(changes) else None))
    return found


class StepwiseMotion:
    """Derivatives along the steps of one run."""

    path = "steps of the run"

    def __init__(self, run: RecordedRun, directions: list[Direction]) -> None:
        self.run, self.directions = run, directions
        self.free = np.array(run.layout.free, dtype=np.int64)
        self.slopes = StateSlopes(run.layout, run.system, speeds_of(run))
        self.jumps = EventJumps(run, directions, self.slopes)
        self.system, self.tableau = run.system, tableau_of_method(run.method)
        self.variations: Variations = run.prepared.keep(
            ("variations", id(run.system)), lambda: variations_of(run.layout, run.system)
        )
        self.parameters = parameter_columns(run.machine, run.system, directions)

    def at(self, times: Floats) -> tuple[States, Tangents]:
        """States and derivatives at times of the run."""
        every, places = np.unique(times, return_inverse=True)
        samples = samples_of(self.system, every, len(self.directions))
        m = stage_memory(self.system, self.tableau)
        c = self._columns()
        self._start(m, c, samples)
        tracks, count = self.system.track_target.size, len(self.directions)
        track, switches = np.zeros((tracks, count)), np.zeros((every.size, self.run.memory.switch_out.shape[1]))
        tracked, found = np.zeros((every.size, tracks, count)), []
        spans = spans_of(self.run)
        self.jumps.doubts.clear()
        for number, span in enumerate(spans):
            self._set(m, span)
            first = int(samples.next[0])
            self._follow(m, c, span, samples, track)
            rows = slice(first, int(samples.next[0]))
            tracked[rows] = track
            if switches.shape[1]:
                switches[rows] = self._switches
            if span.change is not None:
                track, times_of = self._jump(m, c, span.change, spans[number + 1], track)
                found.append((span.change, times_of))
        for doubt in self.jumps.doubts:
            raise doubt
        shape = (every.size, count, -1)
        states = States(every, samples.x, samples.v, samples.tracked, switches).at(places.astype(np.int64))
        x, v = (part.reshape(shape)[:, :, self.free].transpose(0, 2, 1)[places] for part in (samples.dx, samples.dv))
        return states, Tangents(x, v, tracked[places], tuple(found))

    def _columns(self) -> Columns:
        p = self.parameters
        return columns_of(self.system, self.tableau, p.exact, p.numbers, p.forced)

    # -- a segment -----------------------------------------------------------------------------------------------

    def _start(self, m: StageMemory, c: Columns, o: Samples) -> None:
        """Derivatives of the initial state; samples at the start are done."""
        first = self.run.log.snapshots[0]
        m.x[:], m.v[:] = first.x, first.v
        for j, along in enumerate(self.directions):
            x, v = derivative(along.wide, lambda near: np.array(near.start))
            c.x[j, self.free], c.v[j, self.free] = x[self.free], v[self.free]
        count, done = len(self.directions), int(np.searchsorted(o.t, 0.0, side="right"))
        for i in range(done):
            o.x[i], o.v[i] = m.x, m.v
            o.tracked[i] = self.system.number[self.system.track_target]
            o.dx[i * count : (i + 1) * count], o.dv[i * count : (i + 1) * count] = c.x, c.v
        o.next[0] = done

    def _set(self, m: StageMemory, span: Span) -> None:
        """Take up the state after an event."""
        s = self.system
        if span.start is not None:
            m.x[:], m.v[:] = span.start.x, span.start.v
            s.number[s.track_target] = span.start.tracked
            self._switches = span.start.switches
            if span.start.switches.size:
                recall_switches(s, span.start.switches)

    def _follow(self, m: StageMemory, c: Columns, span: Span, o: Samples, track: Array) -> None:
        """Steps of a segment; where formulas change with parameters, its stages are computed first."""
        w, tableau, ends = self.variations, self.tableau, span.ends
        if not (self.parameters.forced_parameters or track.any()):
            evaluate_start(w, m, c, ends[0], 0, 0)
            take_steps(w, m, c, tableau, ends, o)
            return
        for first in range(0, ends.size - 1, _CHUNK):
            part = np.ascontiguousarray(ends[first : first + _CHUNK + 1])
            forced = c.replaced(**self._forcing(m, part, track))
            evaluate_start(w, m, forced, part[0], 0, 0)
            take_steps(w, m, forced, tableau, part, o)

    def _forcing(self, m: StageMemory, ends: Floats, track: Array) -> dict[str, Array]:
        """∂a/∂p of the formulas at the stages of some steps, and the columns that have it."""
        s, before = self.system, self.system.number[self.system.track_target]
        rows = recorded_rows(self.tableau, ends.size - 1)
        recorded = stage_memory(s, self.tableau, rows)
        recorded.x[:], recorded.v[:] = m.x, m.v
        none = columns_of(s, self.tableau, np.zeros(0, dtype=np.int64), self.parameters.numbers, np.zeros(0, dtype=np.int64))
        evaluate_start(self.variations, recorded, none, ends[0], 0, 0)
        take_steps(self.variations, recorded, none, self.tableau, ends, samples_of(s, np.zeros(0), 0))
        s.number[s.track_target] = before
        # with numbers that change along a parameter all of it is differenced
        moving = track.any(axis=0) if track.size else np.zeros(len(self.directions), dtype=bool)
        wanted = [j for j in range(len(self.directions)) if self.parameters.forced[j] >= 0 or moving[j]]
        states = States(
            recorded.t_rows,
            recorded.x_rows,
            recorded.v_rows,
            np.repeat(before[None], rows, axis=0),
            np.repeat(self._switches[None], rows, axis=0),
        )
        table = np.zeros((rows * len(wanted), s.coordinate_place.size))
        forced, exact = np.full(len(self.directions), -1, dtype=np.int64), self.parameters.exact.copy()
        for place, j in enumerate(wanted):
            table[place :: len(wanted), self.free] = self.slopes.by_number(states, self.directions[j], track[:, j])
            forced[j], exact[j] = place, -1
        if self._switches.size:
            recall_switches(s, self._switches)
        s.number[s.track_target] = before
        return {"forcing": table, "forced": forced, "exact": exact}

    # -- an event ------------------------------------------------------------------------------------------------

    def _jump(self, m: StageMemory, c: Columns, change: Change, following: Span, track: Array) -> tuple[Array, Array]:
        """Carry the derivatives through an event; returns those of followed numbers, and of the time."""
        s, t, free = self.system, following.ends[0], self.free
        tracked = s.number[s.track_target]
        state = States(np.array([t]), m.x[None].copy(), m.v[None].copy(), tracked[None], self._switches[None].copy())
        before = Before(state, m.a[free], c.x[:, free].T.copy(), c.v[:, free].T.copy(), track, state, 0.0)
        self._set(m, following)
        none = columns_of(s, self.tableau, np.zeros(0, dtype=np.int64), self.parameters.numbers, np.zeros(0, dtype=np.int64))
        evaluate_start(self.variations, m, none, t, 0, 0)
        now = s.number[s.track_target]
        y, track, times = self.jumps.through(change, before, After(m.x[free], m.v[free], m.a[free], now))
        c.x[:, free], c.v[:, free] = y[0].T, y[1].T
        self._set(m, following)
        s.number[s.track_target] = now
        return track, times
