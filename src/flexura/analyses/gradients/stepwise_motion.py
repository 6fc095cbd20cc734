"""Derivatives of a motion along the steps of an explicit method, with jumps where it has events.

Each step is differentiated as it was taken. Its stages are computed once more, and exact kernels give their
derivatives; parameters of formulas are differenced at the states of the stages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.event_jumps import After, Before, EventJumps
from flexura.analyses.gradients.neighbours import Direction, Neighbour, central, derivative, fixed_coordinates
from flexura.analyses.gradients.parameter_columns import parameter_columns
from flexura.analyses.gradients.recorded_run import Change, RecordedRun, States
from flexura.analyses.gradients.state_slopes import StateSlopes
from flexura.analyses.gradients.tangent_motion import Tangents, speeds_of
from flexura.derive.records import Floats
from flexura.integrators.methods import DormandPrince, Method, RungeKutta4
from flexura.integrators.runge_kutta import Tableau, tableau_of
from flexura.integrators.step_log import Snapshot
from flexura.integrators.tangent_memory import Columns, StageMemory, columns_of, stage_memory
from flexura.integrators.tangent_samples import Samples, samples_of
from flexura.integrators.tangent_steps import evaluate_start, take_steps
from flexura.mechanics.core.row_switches import recall_switches
from flexura.mechanics.linear.variation_tables import Variations, mark_active, variations_of

Array = NDArray[np.float64]
_CHUNK = 64
"""Steps whose stages are recorded at a time, where formulas are differenced at them."""


_CLEAR = 3e-7
"""Part of the run by which a state is clearly before or after a discontinuity, for all neighbours."""


def own_neighbours(run: RecordedRun) -> tuple[Neighbour, ...]:
    """Neighbours that are the model itself, for changes of its state alone by parts of one."""
    return tuple(Neighbour(offset, weight, run.machine, run.layout, run.system) for offset, weight in central())


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

    first: int
    """steps before"""
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
    for k, (first, last) in enumerate(pairwise(bounds)):
        start = snapshots.get(first)
        found.append(Span(first, ends[first : last + 1], start, changes[k] if k < len(changes) else None))
    return found


class StepwiseMotion:
    """Derivatives along the steps of one run."""

    path = "steps of the run"

    def __init__(self, run: RecordedRun, directions: list[Direction]) -> None:
        self.run, self.directions = run, directions
        self.free, self.fixed = np.array(run.layout.free, dtype=np.int64), fixed_coordinates(run.layout)
        self.slopes = StateSlopes(run.layout, run.system, speeds_of(run))
        self.jumps = EventJumps(run, directions, self.slopes)
        self.system, self.tableau = run.system, tableau_of_method(run.method)
        self.variations: Variations = run.prepared.keep(
            ("variations", id(run.system)), lambda: variations_of(run.layout, run.system)
        )
        found = parameter_columns(run.machine, run.system, directions)
        self.parameters = replace(found, numbers=mark_active(self.variations, found.numbers))
        none = np.zeros(0, dtype=np.int64)
        self.no_columns = columns_of(self.system, self.tableau, none, self.parameters.numbers, none)
        self.switches = np.zeros(run.memory.switch_out.shape[1])

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
            self.set_state(m, span)
            first = int(samples.next[0])
            self._follow(m, c, span, samples, track)
            rows = slice(first, int(samples.next[0]))
            tracked[rows] = track
            if switches.shape[1]:
                switches[rows] = self.switches
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
            if self.parameters.forced[j] < 0:  # else fixed coordinates are among what is differenced
                c.x[j, self.fixed] = x[self.fixed]
        count, done = len(self.directions), int(np.searchsorted(o.t, 0.0, side="right"))
        for i in range(done):
            o.x[i], o.v[i] = m.x, m.v
            o.tracked[i] = self.system.number[self.system.track_target]
            o.dx[i * count : (i + 1) * count], o.dv[i * count : (i + 1) * count] = c.x, c.v
        o.next[0] = done

    def set_state(self, m: StageMemory, span: Span) -> None:
        """Take up the state after an event."""
        s = self.system
        if span.start is not None:
            m.x[:], m.v[:] = span.start.x, span.start.v
            s.number[s.track_target] = span.start.tracked
            self.switches = span.start.switches
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

    def _forcing(self, m: StageMemory, ends: Floats, track: Array) -> dict[str, NDArray[Any]]:
        """∂a/∂p of formulas and of followed numbers at the stages of some steps, and the columns that have it."""
        s, before = self.system, self.system.number[self.system.track_target]
        states = self.within_breaks(self.stages(m.x, m.v, ends)[1])
        moving = [bool(track[:, j].any()) for j in range(len(self.directions))]
        wanted = [j for j in range(len(self.directions)) if self.parameters.forced[j] >= 0 or moving[j]]
        by_tracked = self.by_tracked(states) if any(moving) else None
        table = np.zeros((states.t.size * len(wanted), s.coordinate_place.size))
        forced = np.full(len(self.directions), -1, dtype=np.int64)
        still = np.zeros(track.shape[0])
        for place, j in enumerate(wanted):
            rows = table[place :: len(wanted)]
            if self.parameters.forced[j] >= 0:
                rows[:, self.free] += self.slopes.by_number(states, self.directions[j], still)
            if by_tracked is not None and moving[j]:
                rows[:, self.free] += by_tracked @ track[:, j]
            forced[j] = place
        self._restore(before)
        return {"forcing": table, "forced": forced}

    def within_breaks(self, states: States) -> States:
        """States with times that are clearly on their side of a discontinuity of an input."""
        breaks, ahead = self.run.breaks(self.system), _CLEAR * self.run.end
        t = states.t.copy()
        for at in breaks:
            inner = 0.5 * (t[0] + t[-1]) > at
            near = np.abs(t - at) < ahead
            t[near] = at + (ahead if inner else -ahead)
        return states._replace(t=t)

    def by_tracked(self, states: States) -> Array:
        """∂a/∂w of the followed numbers w at states, (states, coordinates, numbers)."""
        values = np.abs(states.tracked).max(axis=0)
        columns = []
        for k, size in enumerate(np.maximum(values, 1e-6 * max(values.max(initial=0.0), 1.0))):
            along = Direction("state", 0.0, own_neighbours(self.run))
            columns.append(self.slopes.by_number(states, along, size * np.eye(values.size)[k]) / size)
        return np.stack(columns, axis=2)

    def _restore(self, tracked: Array) -> None:
        self.system.number[self.system.track_target] = tracked
        if self.switches.size:
            recall_switches(self.system, self.switches)

    def stages(self, x: Floats, v: Floats, ends: Floats) -> tuple[StageMemory, States]:
        """Stages of some steps from a state, recorded; numbers that follow the motion remain those of the start."""
        s, before = self.system, self.system.number[self.system.track_target]
        recorded = stage_memory(s, self.tableau, ends.size - 1)
        recorded.x[:], recorded.v[:] = x, v
        evaluate_start(self.variations, recorded, self.no_columns, ends[0], 0, 0)
        take_steps(self.variations, recorded, self.no_columns, self.tableau, ends, samples_of(s, np.zeros(0), 0))
        s.number[s.track_target] = before
        per_step = (recorded.t_rows.size - 1) // (ends.size - 1)
        steps = np.minimum(np.maximum(np.arange(recorded.t_rows.size) - 1, 0) // per_step, ends.size - 2)
        switches = np.repeat(self.switches[None], steps.size, axis=0)
        return recorded, States(
            recorded.t_rows, recorded.x_rows, recorded.v_rows, recorded.tracked_rows[steps], switches
        )

    # -- an event ------------------------------------------------------------------------------------------------

    def _jump(self, m: StageMemory, c: Columns, change: Change, following: Span, track: Array) -> tuple[Array, Array]:
        """Carry the derivatives through an event; returns those of followed numbers, and of the time."""
        s, t, free = self.system, following.ends[0], self.free
        tracked = s.number[s.track_target]
        state = States(np.array([t]), m.x[None].copy(), m.v[None].copy(), tracked[None], self.switches[None].copy())
        before = Before(state, m.a[free], c.x[:, free].T.copy(), c.v[:, free].T.copy(), track, state, 0.0)
        self.set_state(m, following)
        evaluate_start(self.variations, m, self.no_columns, t, 0, 0)
        now = s.number[s.track_target]
        y, track, times = self.jumps.through(change, before, After(m.x[free], m.v[free], m.a[free], now))
        c.x[:, free], c.v[:, free] = y[0].T, y[1].T
        self.set_state(m, following)
        s.number[s.track_target] = now
        return track, times
