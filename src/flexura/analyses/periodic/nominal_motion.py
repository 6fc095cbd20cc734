"""Linearised equations along the nominal motion: inputs vary, the independent coordinates are held constant."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from flexura.analyses.linear.linearise import PreparedLinearisation, borrowed_linearisation
from flexura.analyses.motion.kinematics import prescribed
from flexura.analyses.motion.unsupported_contact import refuse_impacts
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.laws.control import Controller
from flexura.laws.signals import Constant, as_signal
from flexura.mechanics.linear.linearisation import Along, Nominal
from flexura.model.feedback import states_of
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.linear_motion import LinearMotion
from flexura.results.linear_system import LinearSystem
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome
from flexura.results.providers import provides

_LOOKS = np.array([0.0, 0.0719, 0.1853, 0.3037, 0.4391, 0.5733, 0.7129, 0.8461, 0.9677])
"""Fractions of a span at which equations of a machine at rest are compared."""


class Course:
    """Motion of the inputs from a time on, with constant independent coordinates.

    States cannot be held: a model with states is refused, unless they are released by ``states_free``.
    """

    def __init__(self, model: Model, start: float = 0.0, *, states_free: bool = False) -> None:
        if (states := states_of(model)) and not states_free:
            what = f"it has states, which a nominal motion does not support: {', '.join(states)}"
            raise ModelError(
                "model", what, "replace them by loads that depend on signals, or use simulate or Shooting()"
            )
        self.model = model
        self.ready = PreparedLinearisation.of(model)
        refuse_impacts(self.ready.layout)
        self.first = self.ready.prescribed(start)
        self.small = self.ready.linearisation(self.first.x)
        self.coordinates = tuple(map(str, self.small.independent))
        if self.ready.layout.rolling:
            what = "it has rolling constraints, so its nominal motion depends on the history"
            raise ModelError(
                "model", what, "linearise it about a motion, (motion, time), or use simulate or Shooting()"
            )
        if not self.coordinates:
            what = "its inputs prescribe every degree of freedom, so nothing can vibrate"
            remedy = "make a link flexible, or free a joint; kinematics gives the motion and forces"
            raise ModelError("model", what, remedy)
        refuse_to_hold(model, self.coordinates)

    @property
    def sizes(self) -> Floats:
        """Size of each coordinate that counts as one: that of the model, or a radian."""
        layout = self.ready.layout
        return np.array([layout.extent(a) for a in self.small.independent])

    def changed(self, model: Model) -> Course:
        """Nominal motion of a model with other numbers; the prepared model is reused if possible."""
        start, same = self.first.t, model.start == self.model.start and model.nodes == self.model.nodes
        ready = self.ready.changed(model) if same else None
        if ready is None:
            return Course(model, start)
        other = copy(self)
        other.model, other.ready = model, ready
        other.small = ready.in_coordinates(self.small.independent)
        still = self.small.values(self.first)
        other.first = other.small.along(np.array([start]), self.first, still[None]).nominal(0, start)
        return other

    def along(self, times: Floats) -> LinearMotion:
        """Linearised equations at these times, in the coordinates that are independent at the start."""
        return self.known(times, self.visited(times))

    def visited(self, times: Floats) -> Along:
        """Evaluate the linearised equations at intermediate times."""
        still = self.small.values(self.first)
        return self.small.along(times, self.first, np.repeat(still[None], times.size, axis=0))

    def rest(self, span: float) -> Along | None:
        """Linear equations at the start if they are constant over a span of time, except for forces; else None."""
        inputs = (as_signal(given) for given in self.model.inputs.values())
        if not all(isinstance(signal, Constant) for signal in inputs):
            return None
        found = self.visited(self.first.t + span * _LOOKS)
        same = all(np.array_equal(part, part[:1].repeat(len(part), 0)) for part in (found.states, found.matrices))
        return Along(*(part[:1] for part in found)) if same and not found.states[:, 1:].any() else None

    def known(self, times: Floats, found: Along) -> LinearMotion:
        """Linearised equations at times where they have already been computed."""
        own = len(self.small.arrays.drives)
        linear = LinearMotion(
            model=self.model,
            t=times,
            coordinates=self.coordinates,
            M=found.matrices[:, 0, :, own:],
            C=found.matrices[:, 1, :, own:],
            K=found.matrices[:, 2, :, own:],
            forcing=found.forces,
            states=found.states,
            numbers=found.numbers,
        )
        return linear.prefilled(source=_Source(linear, self))


@dataclass(frozen=True, eq=False)
class _Source:
    """Nominal motion and linear systems of a linear motion, from its course or linearised again."""

    linear: LinearMotion
    course: Course | None = None

    def nominal(self) -> Motion:
        """Motion of the inputs at the times of the linear motion."""
        return nominal(self.linear.model, self.linear.coordinates, self.linear.t)

    def system(self, number: int) -> LinearSystem:
        """Linear system at one of the times."""
        linear = self.linear
        x, v, a = (part.copy() for part in linear.states[number])
        state = Nominal(float(linear.t[number]), x, v, a, linear.numbers[number])
        if self.course is not None:
            return self.course.ready.system(self.course.small, state)
        with borrowed_linearisation(linear.model, in_space=False) as ready:
            return ready.system(ready.chosen(linear.coordinates), state)


provides("linear motion")(_Source)


def nominal(model: Model, coordinates: Sequence[str], times: Floats) -> Motion:
    """Motion of the inputs at these times, with these coordinates held at their initial values."""
    motion = prescribed(held(model, tuple(coordinates)), times)
    if motion.outcome is not Outcome.DONE:
        advice = f" ({motion.note})" if motion.note else ""
        raise AnalysisError(f"the nominal motion ends at {motion.t[-1]:g} s: {motion.outcome.value}{advice}", motion)
    return motion


@provides("nominal motion")
def nominal_between(model: Model, coordinates: Sequence[str], times: Floats, step: float, first: float = 0.0) -> Motion:
    """Nominal motion by way of equally spaced positions from the first time on, so that it is continuous."""
    last = float(np.max(times, initial=first))
    grid = first + step * np.arange(int(np.ceil((last - first) / step - 1e-9)) + 1)
    every, places = np.unique(np.concatenate([grid, times]), return_inverse=True)
    return nominal(model, coordinates, every).only(places[grid.size :].astype(np.int64))


@lru_cache(maxsize=8)
def held(model: Model, coordinates: tuple[str, ...]) -> Model:
    """Model with these coordinates and the states held at their initial values."""
    states = states_of(model)
    coordinates = tuple(name for name in coordinates if name not in states)
    still = {name: Constant(float(model.start[name])) for name in coordinates if name in model.start}  # type: ignore[arg-type]
    return model.replace(
        states=dict.fromkeys(model.states, Constant(0.0)),
        controllers={name: _frozen(controller) for name, controller in model.controllers.items()},
        fixed=[*model.fixed, *(name for name in coordinates if name not in still)],
        inputs={**model.inputs, **still},
        start={name: value for name, value in model.start.items() if name.rstrip("'") not in coordinates},
        laws={name: law for name, law in model.laws.items() if name not in coordinates},
        independent=[],
    )


def _frozen(controller: Controller) -> Controller:
    """Copy of a controller with constant states."""
    A, B = (tuple((0.0,) * len(row) for row in rows) for rows in (controller.A, controller.B))
    return replace(controller, A=A, B=B)


def refuse_to_hold(model: Model, coordinates: tuple[str, ...]) -> None:
    """Raise an error because some coordinates cannot be held constant over a motion."""
    names, states = Names(model), states_of(model)
    for name in coordinates:
        if name in states:
            continue
        if names.resolve(name).internal:
            what = f"'{name}' is a small rotation, which cannot be held over a motion"
            raise ModelError("independent", what, "name strains, hinges or positions as independent=[…]")
        if model.start.get(f"{name}'"):
            what = "a coordinate with an initial rate has no nominal motion"
            raise ModelError(f"start.{name}'", what, "drive it by inputs, or leave its rate out")
