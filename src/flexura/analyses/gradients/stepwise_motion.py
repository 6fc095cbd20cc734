"""Derivatives of a motion along the steps of an explicit method, with jumps where it has events.

Each step is differentiated as it was taken. Its stages are computed again, and exact kernels give their
derivatives; parameters of formulas are differenced at the states of the stages.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.event_jumps import EventJumps
from flexura.analyses.gradients.event_sides import After, Before
from flexura.analyses.gradients.neighbours import FINER, Direction, derivative, fixed_coordinates
from flexura.analyses.gradients.parameter_columns import parameter_columns
from flexura.analyses.gradients.recorded_run import States
from flexura.analyses.gradients.retaken_steps import CHUNK
from flexura.analyses.gradients.segments import Segments, Span
from flexura.analyses.gradients.state_slopes import StateSlopes
from flexura.analyses.gradients.tangent_motion import Tangents, speeds_of
from flexura.analyses.gradients.timed_formulas import TimedFormulas
from flexura.derive.records import Floats
from flexura.integrators.tangent_memory import Columns, StageMemory, stage_memory, stage_times
from flexura.integrators.tangent_samples import Samples, samples_of
from flexura.integrators.tangent_steps import evaluate_start, take_steps
from flexura.mechanics.linear.column_blocks import renew_numbers

Array = NDArray[np.float64]

_TIMED_CHUNK = 1024
"""Steps for whose stages formulas of time are tabulated at once."""
_CLEAR = 3e-7
"""Minimum fraction of the run by which a state is clearly before or after a discontinuity."""


def within(ends: Floats) -> Floats:
    """Time inside each of some steps."""
    return np.asarray(0.5 * (ends[1:] + ends[:-1]))


class StepwiseMotion:
    """Derivatives along the steps of one run."""

    path = "steps of the run"

    def __init__(self, segments: Segments, directions: list[Direction]) -> None:
        run = segments.run
        self.run, self.segments, self.steps, self.directions = run, segments, segments.steps, directions
        self.free, self.fixed = np.array(run.layout.free, dtype=np.int64), fixed_coordinates(run.layout)
        self.slopes = StateSlopes(run.layout, run.system, speeds_of(run))
        self.jumps = EventJumps(run, directions, self.slopes)
        self.system, self.tableau = run.system, self.steps.tableau
        self.variations, self.no_columns = self.steps.variations, self.steps.no_columns
        self.timed = TimedFormulas(self.jumps.base)
        self.parameters = parameter_columns(self.jumps.base, directions)

    def at(self, times: Floats) -> tuple[States, Tangents]:
        """States and derivatives at times of the run."""
        every, places = np.unique(times, return_inverse=True)
        samples = samples_of(self.system, every, len(self.directions))
        m = stage_memory(self.system, self.tableau)
        p = self.parameters
        c = self.steps.columns(p.numbers, p.timed, p.differenced)
        self._start(m, c, samples)
        tracks, count = self.system.track_target.size, len(self.directions)
        track, switches = np.zeros((tracks, count)), np.zeros((every.size, self.run.memory.switch_out.shape[1]))
        tracked, found = np.zeros((every.size, tracks, count)), []
        spans = self.segments.spans
        self.jumps.doubts.clear()
        for number, span in enumerate(spans):
            self.set_state(m, span)
            first = int(samples.next[0])
            self._follow(m, c, span, samples, track)
            rows = slice(first, int(samples.next[0]))
            tracked[rows] = track
            if switches.shape[1]:
                switches[rows] = self.steps.switches
            if span.change is not None:
                track, times_of = self._jump(m, c, span, spans[number + 1], track)
                found.append((span.change, times_of))
        for doubt in self.jumps.doubts:
            raise doubt
        shape = (every.size, -1, count)
        states = States(every, samples.x, samples.v, samples.tracked, switches).at(places.astype(np.int64))
        x, v = (part.reshape(shape)[:, self.free][places] for part in (samples.dx, samples.dv))
        return states, Tangents(x, v, tracked[places], tuple(found))

    # -- a segment -----------------------------------------------------------------------------------------------

    def _start(self, m: StageMemory, c: Columns, o: Samples) -> None:
        """Derivatives of the initial state, also for samples at the start."""
        first = self.run.log.snapshots[0]
        m.x[:], m.v[:] = first.x, first.v
        dx, dv = self._tables(c)
        for j, along in enumerate(self.directions):
            x, v = derivative(along.wide, lambda near: np.array(near.start))
            dx[self.free, j], dv[self.free, j] = x[self.free], v[self.free]
            if j not in self.parameters.differenced:  # otherwise fixed coordinates are among the differenced quantities
                dx[self.fixed, j] = x[self.fixed]
        done = int(np.searchsorted(o.t, 0.0, side="right"))
        for i in range(done):
            o.x[i], o.v[i] = m.x, m.v
            o.tracked[i] = self.system.number[self.system.track_target]
            o.dx[i], o.dv[i] = c.x, c.v
        o.next[0] = done

    def _tables(self, c: Columns) -> tuple[Array, Array]:
        """Derivatives of positions and rates, (coordinates, parameters)."""
        shape = (-1, len(self.directions))
        return c.x.reshape(shape), c.v.reshape(shape)

    def set_state(self, m: StageMemory, span: Span) -> None:
        """Set the state to that at the start of a segment."""
        if not span.continues:
            m.x[:], m.v[:] = span.start.x, span.start.v
            self.steps.resume_from(span.start)

    def _follow(self, m: StageMemory, c: Columns, span: Span, o: Samples, track: Array) -> None:
        """Take the steps of a segment; if accelerations are differenced, its stages are computed first."""
        w, tableau, ends, p = self.variations, self.tableau, span.ends, self.parameters
        if track.size:
            c.block.number_of[self.system.track_target] = track
            renew_numbers(self.system, c.block)
        size = CHUNK if p.differenced.size else _TIMED_CHUNK if p.timed.size else ends.size
        for first in range(0, ends.size - 1, size):
            part = np.ascontiguousarray(ends[first : first + size + 1])
            forced = c
            if p.timed.size:
                forced = forced.replaced(timed=self.timed_values(stage_times(tableau, part)))
            if p.differenced.size:
                forced = forced.replaced(forcing=self._forcing(m, part))
            evaluate_start(w, m, forced, part[0], 0, 0)
            take_steps(w, m, forced, tableau, part, o)
            self.steps.taken += part.size - 1

    def timed_values(self, t: Floats) -> Array:
        """Changes of the values of formulas of time at the times of stages, one row for each of their parameters."""
        return self.timed.changes([self.directions[j] for j in self.parameters.timed], self._within_breaks(t))

    def _forcing(self, m: StageMemory, ends: Floats) -> Array:
        """∂a/∂p at the stages of some steps, one row for each state and each differenced parameter."""
        before = self.system.number[self.system.track_target]
        table = self.forcing(self.steps.stages(m.x, m.v, ends, within(ends))[1])
        self.steps.restore(before)
        return table

    def forcing(self, states: States) -> Array:
        """∂a/∂p at states, likewise."""
        states = states._replace(t=self._within_breaks(states.t))
        wanted, still = self.parameters.differenced, np.zeros(states.tracked.shape[1])
        table = np.zeros((states.t.size * len(wanted), self.system.coordinate_place.size))
        for place, j in enumerate(wanted):
            table[place :: len(wanted), self.free] = self.slopes.by_number(states, self.directions[j], still)
        return table

    def _within_breaks(self, times: Floats) -> Floats:
        """Times moved clearly to their side of a discontinuity of an input."""
        breaks, t = self.run.breaks(self.system), times.copy()
        ahead = self._clear if breaks else 0.0
        for at in breaks:
            inner = 0.5 * (t[0] + t[-1]) > at
            near = np.abs(t - at) < ahead
            t[near] = at + (ahead if inner else -ahead)
        return t

    @cached_property
    def _clear(self) -> float:
        """Distance from a discontinuity at which a time is on the same side of it in all fine neighbours."""
        own, shifts = self.run.breaks(self.system), [0.0]
        for j in (*self.parameters.timed, *self.parameters.differenced):
            for near in self.directions[j].wide:
                other = self.run.breaks(near.system)
                if len(other) == len(own):
                    shifts += (FINER * np.abs(np.subtract(other, own))).tolist()
        return max(_CLEAR * self.run.end, 2.0 * max(shifts))

    # -- an event ------------------------------------------------------------------------------------------------

    def _jump(self, m: StageMemory, c: Columns, span: Span, following: Span, track: Array) -> tuple[Array, Array]:
        """Pass the derivatives through an event; returns those of tracked numbers, and of the time."""
        assert span.change is not None
        s, t, free = self.system, span.ends[-1], self.free
        tracked = s.number[s.track_target]
        active = self.steps.switches[None].copy()
        state = States(np.array([t]), m.x[None].copy(), m.v[None].copy(), tracked[None], active)
        dx, dv = self._tables(c)
        before = Before(state, m.a[free], dx[free], dv[free], track, state, 0.0)
        self.set_state(m, following)
        evaluate_start(self.variations, m, self.no_columns, following.ends[0], 0, 0)
        now = s.number[s.track_target]
        y, track, times = self.jumps.through(span.change, before, After(m.x[free], m.v[free], m.a[free], now))
        dx[free], dv[free] = y
        self.set_state(m, following)
        s.number[s.track_target] = now
        return track, times
