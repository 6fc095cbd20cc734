"""Quantities of a motion with their derivatives with respect to many parameters, by the adjoint method."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.adjoint_motion import AdjointMotion, QuantitySeeds
from flexura.analyses.gradients.difference_estimates import Estimate, best_slopes, estimate
from flexura.analyses.gradients.neighbours import Direction, Neighbour, central, finer_steps
from flexura.analyses.gradients.observed_neighbours import ObservedDirection, observed
from flexura.analyses.gradients.recorded_run import RecordedRun, States
from flexura.analyses.gradients.segments import Segments
from flexura.analyses.gradients.sloped_quantities import Sloped, evaluate
from flexura.analyses.gradients.state_signals import place_in_state
from flexura.analyses.gradients.stepwise_motion import StepwiseMotion
from flexura.analyses.gradients.total_mass import MASS
from flexura.analyses.studies.quantity_expressions import Term
from flexura.analyses.studies.reductions import history_of, values_of
from flexura.errors import AnalysisError
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

Array = NDArray[np.float64]


class NotBackwards(AnalysisError):
    """A quantity that can only be differentiated forwards."""


class _Values:
    """Source in which each value of a history, and each time of an event, is a parameter."""

    def __init__(self, segments: Segments, names: list[str], signals: list[str]) -> None:
        run = segments.run
        self.run, self.motion, self.names = run, run.motion, names
        self.samples = run.motion.t.size
        self.changes = segments.changes
        self.events = {signal: self._rows(signal) for signal in signals}
        self.first_event = len(names) * self.samples
        self.parameters = self.first_event + len(self.changes)
        self.t = Sloped(self.motion.t, np.zeros((self.samples, self.parameters)), "s")

    def _rows(self, signal: str) -> list[int]:
        found = [k for k, change in enumerate(self.changes) for own in change.signals if own == signal]
        if not found:
            raise NotBackwards(f"events({signal}): these are no changes of the equations")
        return found

    def variable(self, name: str) -> Sloped:
        """History of a signal."""
        own, slopes = history_of(self.motion, name), np.zeros((self.samples, self.parameters))
        first = self.names.index(name) * self.samples
        slopes[:, first : first + self.samples] = np.eye(self.samples)
        return Sloped(own.values, slopes, own.unit, self.t)

    def event_times(self, signal: str, most: int) -> Sloped:
        """Times of the first events of a signal."""
        rows = self.events[signal][:most]
        slopes = np.zeros((len(rows), self.parameters))
        slopes[np.arange(len(rows)), self.first_event + np.array(rows)] = 1.0
        return Sloped(np.array([self.changes[k].time for k in rows]), slopes, "s")

    def time_slope(self, term: Term, history: Sloped, sample: int) -> Array:
        """Refuse times of extrema, which are differentiated forwards."""
        raise NotBackwards("the time of an extremum is differentiated forwards")


def _watched(term: Term) -> list[str]:
    """Signals whose events are needed."""
    if term.kind == "call" and term.text == "events":
        return [term.parts[0].text]
    return [signal for part in term.parts for signal in _watched(part)]


def _histories(term: Term) -> list[str]:
    """Signals whose values are needed."""
    if term.kind == "signal":
        return [term.text]
    if term.kind == "call" and term.text == "events":
        return []
    return [signal for part in term.parts for signal in _histories(part)]


def backwards(
    segments: Segments, directions: list[Direction], terms: Mapping[str, Term], always: bool = False
) -> dict[str, Sloped]:
    """Quantities with their derivatives; those that must be differentiated forwards raise :class:`NotBackwards`.

    So do those that cost less forwards, unless ``always`` is set.
    """
    run = segments.run
    if run.motion.outcome is Outcome.STOPPED:
        raise NotBackwards("the end of the run depends on the motion")
    names = list(dict.fromkeys(name for term in terms.values() for name in _histories(term)))
    if MASS in names:
        raise NotBackwards("the mass is no quantity of the motion")
    signals = list(dict.fromkeys(signal for term in terms.values() for signal in _watched(term)))
    source = _Values(segments, names, signals)
    found = {name: evaluate(term, source) for name, term in terms.items()}
    if any(one.values.ndim for one in found.values()):
        raise NotBackwards("histories have many values")
    by_values = np.array([one.slopes for one in found.values()])
    if not always and not _worthwhile(run, by_values[:, : source.first_event], len(directions)):
        raise NotBackwards("the way forwards costs less")
    forward = StepwiseMotion(segments, directions)
    adjoint = AdjointMotion(forward)
    seeds, explicit = _Observations(adjoint, names).seeds(by_values, source)
    slopes = adjoint.derivatives(seeds) + explicit
    return {name: Sloped(one.values, slopes[k], one.unit) for k, (name, one) in enumerate(found.items())}


def _worthwhile(run: RecordedRun, by_values: Array, parameters: int) -> bool:
    """True if the adjoint method costs less, by counts of evaluations of the steps and of observed neighbours."""
    count, steps = len(by_values), 12.0 * run.motion.statistics["steps"]
    states = np.count_nonzero(by_values.reshape(count, -1, run.motion.t.size).any(axis=(0, 1)))
    back = steps * (2.0 + 1.5 * count) + 12.0 * len(run.layout.free) * states
    return bool(back < steps * (1.0 + parameters))


class _Observations:
    """Derivatives of signals with respect to their states, and to parameters at fixed states."""

    def __init__(self, adjoint: AdjointMotion, names: list[str]) -> None:
        self.adjoint, self.names, self.run = adjoint, names, adjoint.run
        self.free = adjoint.free
        self.places = [place_in_state(self.run.layout, self.run.system, name) for name in names]
        self.observed_rows = [k for k, place in enumerate(self.places) if place is None]
        self.observed_names = [names[k] for k in self.observed_rows]

    def seeds(self, by_values: Array, source: _Values) -> tuple[QuantitySeeds, Array]:
        """Seeds of the adjoint method, and derivatives with respect to the parameters at fixed states."""
        count, samples = by_values.shape[0], source.samples
        weights = by_values[:, : source.first_event].reshape(count, len(self.names), samples)
        active = np.flatnonzero(np.abs(weights).max(axis=(0, 1), initial=0.0) > 0.0)
        m, n, tracks = self.run.memory, self.free.size, self.adjoint.tracks
        states = States(m.times, m.x_out, m.v_out, m.tracked_out, m.switch_out).at(active)
        by_state = self._by_state(states)
        on = np.einsum("qks,kcs->sqc", weights[:, :, active], by_state)
        changes = by_values[:, source.first_event :].T
        seeds = QuantitySeeds(states.t, on[:, :, :n], on[:, :, n : 2 * n], on[:, :, 2 * n : 2 * n + tracks], changes)
        return seeds, self._explicit(weights[:, :, active], states)

    def _histories(self, motion: Motion) -> Array:
        return np.array([values_of(motion, name) for name in self.observed_names])

    def _by_state(self, states: States) -> Array:
        """∂(signal)/∂(state), (signals, coordinates and rates and tracked numbers, samples)."""
        sizes, rows = self.adjoint.sizes(), states.t.size
        found = np.zeros((len(self.names), sizes.size, rows))
        # parts of the state themselves need no observation, which would close the constraints
        for k, place in enumerate(self.places):
            if place is not None:
                found[k, place] = 1.0
        if self.observed_names and rows:
            found[self.observed_rows] = self._by_observation(states, sizes)
        return found

    def _by_observation(self, states: States, sizes: Array) -> Array:
        """Derivatives of observed signals with respect to the state."""

        def by(steps: list[tuple[float, float]]) -> Estimate:
            values = self._displaced(states, sizes, steps)
            return estimate([offset for offset, _ in steps], [weight for _, weight in steps], values)

        found = best_slopes(by(central()), [partial(by, steps) for steps in finer_steps()])
        return np.asarray(np.moveaxis(found, 0, 2) / sizes[None, :, None])

    def _displaced(self, states: States, sizes: Array, steps: list[tuple[float, float]]) -> Array:
        """All signals at states with each part displaced, (steps, samples, signals, parts)."""
        rows, names, n = states.t.size, len(self.observed_names), self.free.size
        many = []
        for c in range(sizes.size):
            name = "x" if c < n else "v" if c < 2 * n else "tracked"
            column = self.free[c % n] if c < 2 * n else c - 2 * n
            for offset, _ in steps:
                part = getattr(states, name).copy()
                part[:, column] += offset * sizes[c]
                many.append(states._replace(**{name: part}))
        joined = States(*(np.concatenate(parts) for parts in zip(*many, strict=True)))
        base = Neighbour.at(self.run.machine)
        values = self._histories(observed(base, joined)).reshape(names, sizes.size, len(steps), rows)
        return values.transpose(2, 3, 0, 1)

    def _explicit(self, weights: Array, states: States) -> Array:
        """Derivatives of quantities with respect to parameters at fixed states."""
        found = np.zeros((weights.shape[0], len(self.adjoint.forward.directions)))
        if not self.observed_names or not states.t.size:
            return found
        for j, along in enumerate(self.adjoint.forward.directions):
            slopes = ObservedDirection(along, states).slopes(lambda motion: self._histories(motion).T)
            found[:, j] = np.einsum("qks,sk->q", weights[:, self.observed_rows], slopes)
        return found
