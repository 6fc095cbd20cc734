"""Derivatives of a motion by numbers of the model: variational equations along it, with jumps at events.

The states y = (x, ẋ) of the free coordinates satisfy ẏ = f(y, t; p) between events. Their derivatives δy follow from
δẏ = f_y δy + f_p. At an event, a zero of g(y, t; p) at the time τ, the state after it is J(y; p), and

    δτ = -δg/ġ,    δy⁺ = J_y (δy⁻ + ẏ⁻ δτ) + J_p - ẏ⁺ δτ .

The jump conditions are those of [Hiskens2000].
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients import gauss_steps
from flexura.analyses.gradients.event_jumps import EventJumps
from flexura.analyses.gradients.event_sides import After, Before
from flexura.analyses.gradients.gauss_steps import STAGES
from flexura.analyses.gradients.neighbours import Direction, derivative
from flexura.analyses.gradients.recorded_run import Change, RecordedRun, States
from flexura.analyses.gradients.state_slopes import StateSlopes
from flexura.analyses.gradients.step_refinement import Span, StepRefinement
from flexura.derive.records import Floats
from flexura.errors import AnalysisError

Array = NDArray[np.float64]

_FEWEST = 3
"""Minimum number of steps between two events."""
_PER_STEP = 0.5
"""Steps of collocation for each step of the run."""
_TOLERANCE, _TOUCHING = 1e-10, 1e-8
"""Permitted unresolved part of the derivatives inside a step, relative to their size, without and with kinks."""
_SMALL = 1e-4
"""Fraction of the rate of the fastest coordinate with which the others are compared."""
_AT_REST = 1e-14
"""Path of the fastest coordinate relative to its scale, over the whole run, below which rates are rounding."""
_SHORTEST = 1e-8
"""Fraction of the run below which steps are not halved: a kink lies inside, for a short time."""


@dataclass(frozen=True)
class Step:
    """Step of collocation: states, accelerations and equations δẍ + P δẋ + Q δx = b at its nodes."""

    begin: float
    end: float
    states: States
    a: Array
    P: Array
    Q: Array

    @property
    def size(self) -> float:
        """Duration of the step."""
        return self.end - self.begin

    def motion_at(self, c: float, free: NDArray[np.int64]) -> tuple[Array, Array, Array]:
        """Positions, rates and accelerations of the motion at a fraction of the step."""
        return gauss_steps.ends(self.size, self.states.x[:, free], self.states.v[:, free], self.a, c)


Segment = list[Step]
"""Steps between two events."""


@dataclass(frozen=True)
class Tangents:
    """Derivatives of states at times, (times, coordinates, parameters), and of the times of events."""

    x: Array
    v: Array
    tracked: Array
    changes: tuple[tuple[Change, Array], ...]
    """derivatives of the times of changes; NaN where they are not needed"""


def speeds_of(run: RecordedRun) -> Array:
    """Scales of the rates of the free coordinates: the largest of any coordinate, relative to its scale."""
    nodal = set(run.motion.nodal_coordinates)
    index = [c for c, address in enumerate(run.layout.coordinates) if address in nodal]
    sizes = np.array([run.layout.extent(run.layout.coordinates[c]) for c in index])
    # outputs may be few, and all of them at rest
    rates = np.array([snapshot.v[index] for snapshot in run.log.snapshots])
    fastest = float((np.abs(rates) / sizes).max(initial=0.0))
    if fastest * run.end < _AT_REST:
        fastest = 1.0 / run.end
    return fastest * np.array([run.layout.extent(run.layout.coordinates[c]) for c in run.layout.free])


class TangentMotion:
    """Derivatives along one run."""

    path = "collocation between events"

    def __init__(self, run: RecordedRun, directions: list[Direction], start: tuple[Array, Array] | None = None) -> None:
        self.run, self.directions, self.start = run, directions, start
        self.free = np.array(run.layout.free, dtype=np.int64)
        self.slopes = StateSlopes(run.layout, run.system, speeds_of(run))
        self.jumps = EventJumps(run, directions, self.slopes)
        self.changes = run.changes()

    def at(self, times: Floats) -> tuple[States, Tangents]:
        """States and derivatives at times of the run, in steps that are halved until these are resolved."""
        steps, known = StepRefinement(self._bounds(), _SHORTEST * self.run.end), dict[Span, Step]()
        while True:
            found, errors = self._propagate(self._visited(steps.spans, known), times)
            if not steps.halve(errors):
                break
        for doubt in self.jumps.doubts:
            raise doubt
        self._require_finite(times, found)
        return self.run.states(times), found

    def _require_finite(self, times: Floats, found: Tangents) -> None:
        """Refuse derivatives that are infinite or undetermined."""
        lost = ~np.isfinite(found.x).all(axis=(1, 2))
        if lost.any():
            what = "the accelerations have no derivative by the state"
            if self.run.system.gaps.strain.size:
                what += ", as where a corner rests on a corner: moved a little, it touches elsewhere or not at all"
            remedy = "ask for an earlier time, or change the contact there"
            raise AnalysisError(f"before {times[lost].min():.9g} s: {what}; {remedy}", self.run.motion)

    def _bounds(self) -> list[Floats]:
        """Ends of the steps of each segment, at first equally spaced."""
        ends = [0.0, *(change.time for change in self.changes), self.run.end]
        per_time = _PER_STEP * self.run.motion.statistics["steps"] / self.run.end
        return [np.linspace(a, b, 1 + max(_FEWEST, int(np.ceil(per_time * (b - a))))) for a, b in pairwise(ends)]

    def _visited(self, spans: list[list[Span]], known: dict[Span, Step]) -> list[Segment]:
        """Steps with these ends; unknown ones are computed."""
        new = [span for own in spans for span in own if span not in known]
        if new:
            starts, sizes = np.array([a for a, _ in new]), np.array([b - a for a, b in new])
            states = self.run.states((starts[:, None] + sizes[:, None] * gauss_steps.rule().nodes).ravel())
            a = self.slopes.accelerations(states)
            by_x, by_v = self.slopes.by_state(states)
            for k, span in enumerate(new):
                rows = np.arange(STAGES * k, STAGES * (k + 1))
                known[span] = Step(*span, states.at(rows), a[rows], -by_v[rows], -by_x[rows])
        return [[known[span] for span in own] for own in spans]

    # -- along the motion --------------------------------------------------------------------------------------

    def _start(self) -> tuple[Array, Array]:
        """Derivatives of the initial state: given, or from the neighbours."""
        if self.start is not None:
            return self.start
        parts = [derivative(along.wide, lambda near: np.array(near.start)) for along in self.directions]
        x, v = np.stack(parts, axis=2)
        return x[self.free], v[self.free]

    def _propagate(self, segments: list[Segment], times: Floats) -> tuple[Tangents, list[Array]]:
        """Derivatives at times, and the error of each step relative to the permitted one."""
        count, width, tracks = len(self.directions), self.free.size, self.run.system.track_target.size
        x, v = (np.zeros((times.size, width, count)) for _ in range(2))
        tracked, track = np.zeros((times.size, tracks, count)), np.zeros((tracks, count))
        y, found, errors = self._start(), [], []
        largest, fastest = np.full((width, count), 1e-300), np.full((width, 1), 1e-300)
        self.jumps.doubts.clear()
        x[times <= 0.0], v[times <= 0.0] = y
        for number, segment in enumerate(segments):
            rows = np.flatnonzero((times > segment[0].begin) & (times <= segment[-1].end))
            tracked[rows] = track
            b = self._forcing(segment, track)
            unresolved = np.zeros((len(segment), width, 1 + count))
            for k, step in enumerate(segment):
                own = b[STAGES * k : STAGES * (k + 1)]
                a = gauss_steps.accelerations(step.size, step.P, step.Q, own, y)
                unresolved[k, :, 0] = gauss_steps.unresolved(step.size, step.a)
                unresolved[k, :, 1:] = gauss_steps.unresolved(step.size, a)
                inner = rows[(times[rows] > step.begin) & (times[rows] <= step.end)]
                x[inner], v[inner] = gauss_steps.inside(step.size, y, a, (times[inner] - step.begin) / step.size)
                place, rate = gauss_steps.inside(step.size, y, a, np.ones(1))
                y = place[0], rate[0]
                largest = np.maximum(largest, np.abs(y[1]))
                fastest[:, 0] = np.maximum(fastest[:, 0], np.abs(step.states.v[:, self.free]).max(axis=0))
            errors.append(unresolved)
            if number < len(self.changes):
                change = self.changes[number]
                before, after = self._before(segment[-1], y, track), self._after(segments[number + 1][0])
                y, track, times_of = self.jumps.through(change, before, after)
                found.append((change, times_of))
        # rates are compared with the largest of the whole run, those of slow coordinates with a fraction of all
        sizes = np.hstack([fastest, largest]) / self.slopes.sizes[:, None]
        sizes = self.slopes.sizes[:, None] * np.maximum(sizes, _SMALL * sizes.max(axis=0))
        allowed = (_TOUCHING if self.slopes.touching else _TOLERANCE) * sizes
        allowed[:, 0] = _TOUCHING * sizes[:, 0]
        return Tangents(x, v, tracked, tuple(found)), [(part / allowed).max(axis=(1, 2)) for part in errors]

    def _forcing(self, segment: Segment, track: Array) -> Array:
        """∂a/∂p at the nodes of all steps of a segment, one column for each parameter."""
        states = States(*(np.concatenate(parts) for parts in zip(*(step.states for step in segment), strict=True)))
        columns = [self.slopes.by_number(states, along, track[:, j]) for j, along in enumerate(self.directions)]
        return np.stack(columns, axis=2)

    # -- ends of segments --------------------------------------------------------------------------------------

    def _before(self, step: Step, y: tuple[Array, Array], track: Array) -> Before:
        x, v, a = step.motion_at(1.0, self.free)
        state = step.states.at(np.array([STAGES - 1]))._replace(t=np.array([step.end]))
        state.x[0, self.free], state.v[0, self.free] = x, v
        return Before(state, a, *y, track, step.states, step.size)

    def _after(self, step: Step) -> After:
        x, v, a = step.motion_at(0.0, self.free)
        return After(x, v, a, step.states.tracked[0])
