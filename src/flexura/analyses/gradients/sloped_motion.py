"""Signals of a motion with their derivatives with respect to numbers of the model."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Direction
from flexura.analyses.gradients.observed_neighbours import ApartDirection, ObservedChange, ObservedDirection
from flexura.analyses.gradients.recorded_run import RecordedRun, States
from flexura.analyses.gradients.segments import Segments
from flexura.analyses.gradients.sloped_quantities import Sloped, evaluate
from flexura.analyses.gradients.state_signals import moves_well, place_in_state, state_sizes
from flexura.analyses.gradients.stepwise_motion import StepwiseMotion
from flexura.analyses.gradients.tangent_motion import TangentMotion
from flexura.analyses.studies.quantity_expressions import Term
from flexura.analyses.studies.reductions import history_of, values_of
from flexura.errors import AnalysisError
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

Array = NDArray[np.float64]


class SlopedMotion:
    """Motion of a run with the derivatives of its signals, at its samples and at its crossings."""

    def __init__(self, run: RecordedRun, directions: list[Direction], segments: Segments | None) -> None:
        self.run, self.directions, self.parameters = run, directions, len(directions)
        self.motion = run.motion
        self.course = StepwiseMotion(segments, directions) if segments else TangentMotion(run, directions)
        crossings = [event for event in run.motion.events if event.kind == "crossing"]
        self.crossings = [event for event in crossings if event.signal not in run.touches]
        samples = self.motion.t.size
        times = np.concatenate([self.motion.t, [event.time for event in self.crossings]])
        self.states, self.tangents = self.course.at(times)
        self.crossing_slopes = [self._crossing(samples + k, e.signal) for k, e in enumerate(self.crossings)]
        self.t = Sloped(self.motion.t, np.zeros((samples, self.parameters)), "s")
        if self.motion.outcome is Outcome.STOPPED:
            self.t.slopes[-1] = self.crossing_slopes[-1]

    def _crossing(self, row: int, signal: str) -> Array:
        """Derivatives of the time at which a signal crosses a value."""
        one = np.array([row])
        x, v, tracked = (part[row] for part in (self.tangents.x, self.tangents.v, self.tangents.tracked))

        def values(motion: Motion) -> tuple[float, float]:
            return float(motion[signal][0]), float(motion[f"{signal}'"][0])

        if signal.endswith(".force"):
            raise AnalysisError(f"event '{signal}': the time of a force's crossing has no derivative here")
        return self.course.jumps.crossing((self.states.at(one), x, v, tracked), values)

    @cached_property
    def _observed(self) -> list[ObservedDirection | ApartDirection]:
        """Signals of the neighbours along each parameter."""
        rows, own = np.arange(self.motion.t.size), self.tangents
        states, found = self.states.at(rows), list[ObservedDirection | ApartDirection]()
        for j, along in enumerate(self.directions):
            slopes = own.x[rows, :, j], own.v[rows, :, j], own.tracked[rows, :, j]
            sizes = state_sizes(self.run, self.course.slopes, slopes[2].shape[1])
            if moves_well(along.wide, np.concatenate(slopes, axis=1) / sizes):
                fine = ApartDirection(along, states, self._change(states, slopes, sizes)) if along.make_finer else None
                found.append(ObservedDirection(along, states, slopes, fine))
            else:
                found.append(ApartDirection(along, states, self._change(states, slopes, sizes)))
        return found

    def _change(self, states: States, slopes: tuple[Array, Array, Array], sizes: Array) -> ObservedChange:
        return ObservedChange(self.course.jumps.base, states, slopes, sizes)

    # -- values with slopes ------------------------------------------------------------------------------------

    def variable(self, name: str) -> Sloped:
        """History of a signal or an energy."""
        own, place = history_of(self.motion, name), place_in_state(self.run.layout, self.run.system, name)
        if place is not None:
            state, free = (self.tangents.x, self.tangents.v), len(self.run.layout.free)
            slopes = state[place // free][: own.values.size, place % free].copy()
        else:
            slopes = np.stack([one.slopes(lambda m: values_of(m, name)) for one in self._observed], axis=1)
        if self.t.slopes[-1].any():
            rate = history_of(self.motion, f"{name}'").values[-1]
            slopes[-1] += rate * self.t.slopes[-1]
        return Sloped(own.values, slopes, own.unit, self.t)

    def event_times(self, signal: str, most: int) -> Sloped:
        """Times of the first events of a signal, with their derivatives."""
        found = [(e.time, s) for e, s in zip(self.crossings, self.crossing_slopes, strict=True) if e.signal == signal]
        for change, slopes in self.tangents.changes:
            kinds = [kind for kind, own in zip(change.kinds, change.signals, strict=True) if own == signal]
            if kinds and np.isnan(slopes).any():
                raise AnalysisError(f"events({signal}): the time of a {kinds[0]} has no derivative here")
            found += [(change.time, slopes)] * len(kinds)
        found = sorted(found, key=lambda each: each[0])[:most]
        if not found:
            raise AnalysisError(f"events({signal}): there is no event of this signal")
        return Sloped(np.array([time for time, _ in found]), np.array([slope for _, slope in found]), "s")

    def time_slope(self, term: Term, history: Sloped, sample: int) -> Array:
        """Derivative of the time of an extremum: -δṡ/s̈ for a signal that is smooth there."""
        if term.kind != "signal" or term.text.endswith(".force") or sample in (0, history.values.size - 1):
            raise AnalysisError("the time of an extremum has a derivative for a signal alone, and inside the run")
        rate, second = (evaluate(Term("signal", term.text + order), self) for order in ("'", "''"))
        return np.asarray(-rate.slopes[sample] / second.values[sample])
