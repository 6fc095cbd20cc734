"""Values of quantities and their derivatives, of a motion, of an equilibrium or of vibrations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.declaration import FileForm
from flexura.analyses.gradients.backward_quantities import NotBackwards, backwards
from flexura.analyses.gradients.initial_contacts import refuse_kinks_at_start
from flexura.analyses.gradients.neighbours import (
    Neighbour,
    assigned,
    direction,
    number_at,
    on_some_side,
    refuse_jump,
    resolved,
)
from flexura.analyses.gradients.recorded_run import RecordedRun
from flexura.analyses.gradients.retaken_steps import follows_steps
from flexura.analyses.gradients.segments import Segments
from flexura.analyses.gradients.sloped_analyses import Wanted, sloped_analysis
from flexura.analyses.gradients.sloped_motion import SlopedMotion
from flexura.analyses.gradients.sloped_quantities import Sloped, Source, evaluate
from flexura.analyses.gradients.step_error import apart, step_error
from flexura.analyses.gradients.total_mass import MASS, WithMass
from flexura.analyses.linear.linearise import linearise
from flexura.analyses.linear.sensitivity import sensitivity
from flexura.analyses.motion.model_cache import borrowed
from flexura.analyses.motion.output_times import output_times
from flexura.analyses.motion.signal_events import Event
from flexura.analyses.statics.equilibrium import equilibrium
from flexura.analyses.studies.quantity_expressions import Term
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.methods import Method
from flexura.laws.units import Unit
from flexura.model.model import Model
from flexura.model.parameter_scale import Scale, scale_of
from flexura.results.linear_system import LinearSystem
from flexura.results.state import State

Array = NDArray[np.float64]

_Named = Literal["motion", "equilibrium", "vibrations", "balanced vibrations"]
ResultKind = Annotated[
    _Named | Callable[[Model], Any],
    Unit(
        "",
        "result that has the quantities; vibrations are about the initial state or the equilibrium; or an analysis",
    ),
    FileForm(_Named),
]
ChosenMethod = Annotated[Method | None, Unit("", "integrator; by default chosen from the model")]
Watched = Annotated[Sequence[Event], Unit("", "events that are recorded")]
Scales = Annotated[Scale, Unit("", "typical change of each parameter whose value is zero")]

Way = Annotated[
    Literal["forward", "adjoint"] | None,
    Unit(
        "",
        "direction of differentiation along a motion; by default the cheaper one",
    ),
]

_SAME = 1e-9
"""Noise of the positions of an equilibrium, relative to the largest."""
_ROOT_PARTS = ("frequency", "growth")


class Evaluated(NamedTuple):
    """Values of parameters, quantities with their derivatives, the method of differentiation, and the effort."""

    numbers: Array
    found: dict[str, Sloped]
    way: str
    statistics: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Differentiated:
    """Run whose quantities are differentiated."""

    of: ResultKind = "motion"
    until: float | None = None
    samples: int | None = None
    times: Sequence[float] | None = None
    method: Method | None = None
    events: Sequence[Event] = ()
    at: float = 0.0
    scale: Scale = None
    way: Literal["forward", "adjoint"] | None = None

    def evaluate(self, model: Model, terms: Wanted, by: Sequence[str]) -> Evaluated:
        """Values of the parameters, and each quantity with its derivatives."""
        if callable(self.of):
            given = {"until": self.until, "samples": self.samples, "times": self.times, "method": self.method}
            for name in (name for name, value in given.items() if value is not None):
                what = "the analysis of the result has arguments of its own"
                raise ModelError(name, what, f"give it there, as in result=partial(fx.periodic, {name}=…)")
            return Evaluated(*sloped_analysis(model, self.of, terms, by, self.scale), "results of neighbours")
        named = {name: term for name, term in terms.items() if isinstance(term, Term)}
        for name in terms.keys() - named.keys():
            what = "functions are quantities of an analysis that is given as result"
            raise ModelError(f"of '{name}'", what, "name the quantity by a text such as 'final(B.x)'")
        return self._of_named(model, named, by)

    def _of_named(self, model: Model, terms: Mapping[str, Term], by: Sequence[str]) -> Evaluated:
        if self.of == "motion":
            return self._of_motion(model, terms, by)
        if self.until is not None or self.times is not None:
            raise ModelError("until", f"{self.of} have no last time", "leave until and times out, or ask for a motion")
        return self._of_state(model, terms, by) if self.of == "equilibrium" else self._of_roots(model, terms, by)

    def _of_motion(self, model: Model, terms: Mapping[str, Term], by: Sequence[str]) -> Evaluated:
        if model.sampled:
            name = next(iter(model.sampled))
            what = "gradients do not follow sampled controllers"
            raise ModelError(f"sampled.{name}", what, "give a Controller in continuous time")
        at = output_times(self.until, self.samples, self.times)
        at = at if at[0] == 0.0 else np.concatenate([[0.0], at])
        with borrowed(model) as prepared, ExitStack() as lent:
            run = RecordedRun(prepared, model, at, self.method, self.events)
            numbers = [number_at(model, path, lambda name: float(run.motion[name][0])) for path in by]
            held = run.with_choices()
            directions = [
                direction(held, path, value, scale_of(model, path, value, self.scale), lent)
                for path, value in zip(by, numbers, strict=True)
            ]
            refuse_kinks_at_start(run, directions)
            for along in directions:
                refuse_jump(along, Neighbour.at(run.machine))
            segments = Segments(run) if follows_steps(run) else None
            if segments and self.way != "forward":
                try:
                    found = backwards(segments, directions, terms, always=self.way == "adjoint")
                    return Evaluated(np.array(numbers), found, "motion, backwards along its steps", segments.effort)
                except NotBackwards as error:
                    if self.way == "adjoint":
                        raise AnalysisError(f"{error}; leave out way, or choose 'forward'") from None
            elif self.way == "adjoint":
                raise AnalysisError(
                    "derivatives go backwards along explicit steps without dry friction; choose 'forward'"
                )
            source = SlopedMotion(run, directions, segments)
            known = dict(zip(by, numbers, strict=True))
            found = self._evaluated(source, model, terms, known)
            effort = segments.effort if segments else run.effort
            return Evaluated(np.array(numbers), found, f"motion, {source.course.path}", effort)

    def _evaluated(
        self, source: Source, model: Model, terms: Mapping[str, Term], numbers: Mapping[str, float]
    ) -> dict[str, Sloped]:
        both = WithMass(source, model, numbers, self.scale)
        return {name: evaluate(term, both) for name, term in terms.items()}

    def _of_state(self, model: Model, terms: Mapping[str, Term], by: Sequence[str]) -> Evaluated:
        state = equilibrium(model, self.at)
        numbers = np.array([number_at(model, path, state.__getitem__) for path in by])
        known = dict(zip(by, numbers.tolist(), strict=True))
        found = self._evaluated(_SlopedState(self, model, state, known), model, terms, known)
        return Evaluated(numbers, found, "equilibrium")

    def _of_roots(self, model: Model, terms: Mapping[str, Term], by: Sequence[str]) -> Evaluated:
        names = [name for term in terms.values() for name in term.signals() if name != MASS]
        count = max((_root(name)[1] for name in names), default=1)

        def balanced(changed: Model) -> LinearSystem:
            return linearise(changed, equilibrium(changed, self.at))

        def nominal(changed: Model) -> LinearSystem:
            return linearise(changed, self.at)

        make = balanced if self.of == "balanced vibrations" else nominal
        found = sensitivity(model, by, count=count, system=make, scale=self.scale)
        source = _SlopedRoots(found.eigenvalues, found.derivatives)
        known = dict(zip(by, found.values.tolist(), strict=True))
        return Evaluated(found.values, self._evaluated(source, model, terms, known), str(self.of))


def _root(name: str) -> tuple[str, int]:
    """Part and index of an eigenvalue by a name such as ``frequency.1``."""
    part, _, number = name.partition(".")
    if part not in _ROOT_PARTS or not number.isdecimal() or int(number) < 1:
        what = f"'{name}' is no quantity of vibrations"
        raise ModelError("of", what, "ask for frequency.1 or growth.1, in rad/s, the slowest first")
    return part, int(number)


class _Numbers:
    """Source without histories."""

    parameters: int

    def event_times(self, signal: str, most: int) -> Sloped:
        raise AnalysisError(f"events({signal}) needs a motion")

    def time_slope(self, term: Term, history: Sloped, sample: int) -> Array:
        raise AnalysisError("the time of an extremum needs a motion")


class _SlopedRoots(_Numbers):
    """Eigenvalues with their derivatives."""

    def __init__(self, values: NDArray[np.complex128], slopes: NDArray[np.complex128]) -> None:
        self.values, self.slopes, self.parameters = values, slopes, slopes.shape[1]

    def variable(self, name: str) -> Sloped:
        part, number = _root(name)
        if number > self.values.size:
            raise AnalysisError(f"{name}: there are {self.values.size} eigenvalues that are not zero")
        value, slopes = self.values[number - 1], self.slopes[number - 1]
        if not np.all(np.isfinite(slopes)):
            raise AnalysisError(f"{name}: two motions become one there, and the eigenvalue has no derivative")
        imaginary = part == "frequency"
        found, change = (value.imag, slopes.imag) if imaginary else (value.real, slopes.real)
        return Sloped(np.array(found), np.asarray(change), "rad/s")


class _SlopedState(_Numbers):
    """Equilibrium with the derivatives of its signals, from equilibria of neighbours that balance to rounding."""

    def __init__(self, of: Differentiated, model: Model, state: State, values: Mapping[str, float]) -> None:
        self.state, self.parameters = state, len(values)
        self.near: list[list[tuple[float, float, State]]] = []
        for path, value in values.items():

            def balanced(
                steps: Sequence[tuple[float, float]], path: str = path, value: float = value
            ) -> list[tuple[float, float, State]]:
                return [
                    (*step, equilibrium(assigned(model, path, value + step[0]), of.at, near=state)) for step in steps
                ]

            make = partial(on_some_side, balanced, path, value)
            self.near.append(resolved(make, _error_of, scale_of(model, path, value, of.scale))[0])
            offsets, _, states = zip(*self.near[-1], strict=True)
            own = _positions(state)
            if apart(offsets, [_positions(one) for one in states], own, _SAME * np.abs(own).max(initial=0.0)).any():
                raise AnalysisError(f"parameter '{path}': the equilibrium jumps at {value:g}, and has no derivative")

    def variable(self, name: str) -> Sloped:
        plain = name.removesuffix(".force")

        def value(state: State) -> float:
            return state[name] if plain == name else state.force(plain)

        slopes = [sum(weight * value(state) for _, weight, state in each) for each in self.near]
        return Sloped(np.array(value(self.state)), np.array(slopes), self.state.unit(name))


def _error_of(near: Sequence[tuple[float, float, State]]) -> float:
    """Error of differences of positions, relative to the permitted one."""
    offsets, _, states = zip(*near, strict=True)
    return step_error(offsets, [_positions(state) for state in states])


def _positions(state: State) -> Array:
    return np.asarray(state.motion.position[0][0])
