"""Quantities of a motion with their derivatives by many parameters, backwards in time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.adjoint_motion import AdjointMotion, QuantitySeeds
from flexura.analyses.gradients.neighbours import FINE, Direction, Neighbour, central, derivative, inner_steps
from flexura.analyses.gradients.observed_neighbours import observed
from flexura.analyses.gradients.recorded_run import RecordedRun, States
from flexura.analyses.gradients.sloped_quantities import Sloped, evaluate
from flexura.analyses.gradients.state_slopes import chosen_slopes
from flexura.analyses.gradients.stepwise_motion import StepwiseMotion, spans_of
from flexura.analyses.gradients.total_mass import MASS
from flexura.analyses.studies.quantities import Term
from flexura.analyses.studies.reductions import history_of
from flexura.errors import AnalysisError
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

Array = NDArray[np.float64]


class NotBackwards(AnalysisError):
    """A quantity that is differentiated forwards alone."""


class _Values:
    """Source in which each value of a history, and each time of an event, is a parameter of its own."""

    def __init__(self, run: RecordedRun, names: list[str], signals: list[str]) -> None:
        self.run, self.motion, self.names = run, run.motion, names
        self.samples = run.motion.t.size
        self.changes = [span.change for span in spans_of(run) if span.change is not None]
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
        """Times of extrema are differentiated forwards."""
        raise NotBackwards("the time of an extremum is differentiated forwards")


def _watched(term: Term) -> list[str]:
    """Signals whose events are asked for."""
    if term.kind == "call" and term.text == "events":
        return [term.parts[0].text]
    return [signal for part in term.parts for signal in _watched(part)]


def _histories(term: Term) -> list[str]:
    """Signals whose values are asked for."""
    if term.kind == "signal":
        return [term.text]
    if term.kind == "call" and term.text == "events":
        return []
    return [signal for part in term.parts for signal in _histories(part)]


def backwards(
    run: RecordedRun, directions: list[Direction], terms: Mapping[str, Term], always: bool = False
) -> dict[str, Sloped]:
    """Quantities with their derivatives; those that need the way forwards raise :class:`NotBackwards`.

    So do those that cost less forwards, unless the way is ``always`` to be gone.
    """
    if run.motion.outcome is Outcome.STOPPED:
        raise NotBackwards("the end of the run depends on the motion")
    names = list(dict.fromkeys(name for term in terms.values() for name in _histories(term)))
    if MASS in names:
        raise NotBackwards("the mass is no quantity of the motion")
    signals = list(dict.fromkeys(signal for term in terms.values() for signal in _watched(term)))
    source = _Values(run, names, signals)
    found = {name: evaluate(term, source) for name, term in terms.items()}
    if any(one.values.ndim for one in found.values()):
        raise NotBackwards("histories have many values")
    by_values = np.array([one.slopes for one in found.values()])
    if not always and not _worthwhile(run, by_values[:, : source.first_event], len(directions)):
        raise NotBackwards("the way forwards costs less")
    forward = StepwiseMotion(run, directions)
    adjoint = AdjointMotion(forward)
    seeds, explicit = _Observations(adjoint, names).seeds(by_values, source)
    slopes = adjoint.derivatives(seeds) + explicit
    return {name: Sloped(one.values, slopes[k], one.unit) for k, (name, one) in enumerate(found.items())}


def _worthwhile(run: RecordedRun, by_values: Array, parameters: int) -> bool:
    """True where the way back costs less: evaluations of the steps and of observed neighbours are counted."""
    count, steps = len(by_values), 12.0 * run.motion.statistics["steps"]
    states = np.count_nonzero(by_values.reshape(count, -1, run.motion.t.size).any(axis=(0, 1)))
    back = steps * (2.0 + 1.5 * count) + 12.0 * len(run.layout.free) * states
    return bool(back < steps * (1.0 + parameters))


class _Observations:
    """Derivatives of signals by the states that they are observed at, and by parameters at fixed states."""

    def __init__(self, adjoint: AdjointMotion, names: list[str]) -> None:
        self.adjoint, self.names, self.run = adjoint, names, adjoint.run
        self.free = adjoint.free
        self.observed_rows = [k for k, name in enumerate(names) if not self._is_free(name)]
        self.observed_names = [names[k] for k in self.observed_rows]

    def seeds(self, by_values: Array, source: _Values) -> tuple[QuantitySeeds, Array]:
        """Seeds of the way back, and derivatives by the parameters at fixed states."""
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
        return np.array([history_of(motion, name).values for name in self.observed_names])

    def _by_state(self, states: States) -> Array:
        """∂(signal)/∂(state), (signals, coordinates and rates and followed numbers, samples)."""
        sizes, rows = self.adjoint.sizes(), states.t.size
        found = np.zeros((len(self.names), sizes.size, rows))
        # states as they are need no observation, which closes them
        for k, name in enumerate(self.names):
            if self._is_free(name):
                found[k, self._place(name)] = 1.0
        if self.observed_names and rows:
            found[self.observed_rows] = self._by_observation(states, sizes)
        return found

    def _by_observation(self, states: States, sizes: Array) -> Array:
        """The same of signals that are observed."""
        wide = self._differenced(states, sizes, central())
        if not self.run.touches:
            return wide
        # where a law has a kink within the steps these are fine
        flat = (wide.size, 1)
        fine = [(-FINE, -0.5 / FINE), (FINE, 0.5 / FINE)]
        rough = self._differenced(states, sizes, inner_steps())
        chosen = chosen_slopes(
            wide.reshape(flat), rough.reshape(flat), lambda: self._differenced(states, sizes, fine).reshape(flat)
        )
        return chosen.reshape(wide.shape)

    def _differenced(self, states: States, sizes: Array, steps: list[tuple[float, float]]) -> Array:
        """Differences of all signals along all parts of the state, observed in one go."""
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
        base = Neighbour(0.0, 1.0, self.run.machine, self.run.layout, self.run.system)
        values = self._histories(observed(base, joined)).reshape(names, sizes.size, len(steps), rows)
        found = np.einsum("kcos,o->kcs", values, np.array([weight for _, weight in steps]))
        return np.asarray(found / sizes[None, :, None])

    def _explicit(self, weights: Array, states: States) -> Array:
        """Derivatives of quantities by parameters at fixed states."""
        found = np.zeros((weights.shape[0], len(self.adjoint.forward.directions)))
        if not self.observed_names or not states.t.size:
            return found
        for j, along in enumerate(self.adjoint.forward.directions):
            slopes = derivative(self._steps(along), lambda near: self._histories(observed(near, states)))
            found[:, j] = np.einsum("qks,ks->q", weights[:, self.observed_rows], slopes)
        return found

    def _steps(self, along: Direction) -> tuple[Neighbour, ...]:
        return along.fine if along.fine and self.run.touches else along.wide

    def _place(self, name: str) -> int:
        """Place of a free coordinate or its rate in the state; -1 for what is not one."""
        layout, plain = self.run.layout, name.removesuffix("'")
        if plain.endswith(("'", ".force")) or plain.startswith("energy."):
            return -1
        address = layout.names.resolve(plain)
        free = [layout.coordinates[c] for c in self.free]
        if address.integral or address not in free:
            return -1
        return free.index(address) + (0 if plain == name else len(free))

    def _is_free(self, name: str) -> bool:
        """True for a coordinate of the state or its rate, which depends on nothing else."""
        return self._place(name) >= 0
