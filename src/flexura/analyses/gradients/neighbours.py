"""Neighbours of a model along one of its numbers, with the weights of finite differences.

Only functions of a fixed state (accelerations, signals, initial values) are differentiated by them, never results of
integration: six values at steps of a thousandth and less give the derivative to about twelve digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.step_error import apart, step_error
from flexura.analyses.motion.model_cache import ModelCache
from flexura.analyses.studies.job import START
from flexura.errors import AnalysisError, ModelError
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.variation_tables import numbers_of
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.model.model import Model
from flexura.model.parameters import number_of
from flexura.model.revised_models import with_start

Array = NDArray[np.float64]
T = TypeVar("T")

_PART, LARGEST_STEP = 5e-4, 1e-3
"""Largest step, relative to the number or its scale: for functions of a fixed state, and for results of analyses."""
_CENTRAL = {-1.0: -0.05, -2.0 / 3.0: 0.45, -1.0 / 3.0: -2.25, 1.0 / 3.0: 2.25, 2.0 / 3.0: -0.45, 1.0: 0.05}
_ONE_SIDED = {0.0: -25.0 / 3.0, 0.25: 16.0, 0.5: -12.0, 0.75: 16.0 / 3.0, 1.0: -1.0}
"""Weights of values at fractions of a step, over the step: of sixth order, and of fourth."""
CACHE = ModelCache()
"""Prepared neighbours; those of the next point of a search have other numbers."""
CACHE.capacity, CACHE.most_alike = 64, 1
_SHORTER, _SHORTEST = 0.1, 6
"""Ratio of a shortened step to one that was too long, and maximum number of reductions."""
_MEDIUM, FINE = 2e-5, 1e-6
"""Steps used where values are curved within the larger ones, as those of small clearances, or have a kink there."""
_FLOOR = 1e-10
"""Noise of numbers, and of initial states relative to the size of the model and to its rates, in SI units."""
FINER = FINE / _PART
"""Ratio of fine steps to wide ones."""


def central() -> list[tuple[float, float]]:
    """(offset, weight) of central differences over fractions of a change that counts as one."""
    return _steps(_PART)


def finer_steps(size: float = 1.0) -> list[list[tuple[float, float]]]:
    """(offset, weight) of differences in finer steps, the finest last; ``size`` is a change that counts as large."""
    return [_steps(part, size) for part in (_MEDIUM, FINE)]


def _steps(part: float, size: float = 1.0) -> list[tuple[float, float]]:
    return [(share * part * size, weight / (part * size)) for share, weight in _CENTRAL.items()]


@dataclass(frozen=True)
class Neighbour:
    """Model with one number changed by an offset."""

    offset: float
    weight: float
    machine: PreparedModel
    layout: Layout
    system: System
    start: tuple[Array, Array]
    """initial positions and rates of the condensed model; driven coordinates are left out"""

    @staticmethod
    def at(machine: PreparedModel, offset: float = 0.0, weight: float = 1.0) -> Neighbour:
        """Neighbour given by a prepared model in its initial state."""
        layout, system = machine.condensed
        x, v = (machine.narrow(layout, part).copy() for part in (machine.x, machine.v))
        x[system.driven.coordinate] = v[system.driven.coordinate] = 0.0
        return Neighbour(offset, weight, machine, layout, system, (x, v))

    def place(self, x: Array) -> None:
        """Set fixed coordinates of states to their values in this model."""
        fixed = fixed_coordinates(self.layout)
        x[:, fixed] = self.start[0][fixed]


def own_neighbours(base: Neighbour, size: float = 1.0) -> tuple[Neighbour, ...]:
    """Neighbours that are the model itself, for changes of its state only, by fractions of ``size``."""
    return tuple(replace(base, offset=size * offset, weight=weight / size) for offset, weight in central())


@fact
def fixed_coordinates(layout: Layout) -> NDArray[np.int64]:
    """Coordinates that are fixed at their drawn values."""
    return np.array([c for c, signal in layout.known.items() if signal is None], dtype=np.int64)


@dataclass(frozen=True)
class Direction:
    """Number of the model with its neighbours; those at finer steps are used where wide ones do not resolve values."""

    path: str
    value: float
    wide: tuple[Neighbour, ...]
    make_finer: tuple[Callable[[], tuple[Neighbour, ...]], ...] = ()

    def finer(self, number: int) -> tuple[Neighbour, ...]:
        """Neighbours at finer steps, prepared where the first kink or curvature needs them."""
        if number not in self._finer:
            self._finer[number] = self.make_finer[number]()
        return self._finer[number]

    @cached_property
    def _finer(self) -> dict[int, tuple[Neighbour, ...]]:
        return {}

    @property
    def fine(self) -> tuple[Neighbour, ...]:
        """Neighbours at the finest steps; those at wide ones if there are no others."""
        return self.finer(len(self.make_finer) - 1) if self.make_finer else self.wide


def own_direction(base: Neighbour, size: float = 1.0) -> Direction:
    """Direction of changes of the state only, by fractions of ``size``: its neighbours are the model itself."""

    def at(steps: list[tuple[float, float]]) -> tuple[Neighbour, ...]:
        return tuple(replace(base, offset=offset, weight=weight) for offset, weight in steps)

    finer = tuple(partial(at, steps) for steps in finer_steps(size))
    return Direction("state", 0.0, own_neighbours(base, size), finer)


def assigned(model: Model, path: str, value: float) -> Model:
    """Model with another value of a parameter: a number by its path, or a start value such as ``start.B.x'``."""
    if not path.startswith(START):
        return model.with_parameter(path, value)
    given = {path.removeprefix(START): value}
    return with_start(model, given) or model.replace(start={**model.start, **given})


def number_at(model: Model, path: str, initial: Callable[[str], float]) -> float:
    """Value of a parameter that can vary; ``initial`` gives start values that the model does not define."""
    if path.startswith(START):
        name = path.removeprefix(START)
        return float(model.start[name]) if name in model.start else initial(name)  # type: ignore[arg-type]
    return number_of(model, path)


def on_some_side(
    make: Callable[[Sequence[tuple[float, float]]], T],
    path: str,
    value: float,
    size: float,
    part: float = LARGEST_STEP,
) -> T:
    """Values at steps on both sides of a parameter, or on one side if the other is out of bounds.

    ``make`` takes the (offset, weight) of the steps, and raises an error if a model is not possible.
    """
    step, errors = part * size, list[Exception]()
    for stencil in (_CENTRAL, _ONE_SIDED, {-part: -weight for part, weight in _ONE_SIDED.items()}):
        try:
            return make([(share * step, weight / step) for share, weight in stencil.items()])
        except (ModelError, AnalysisError) as error:
            errors.append(error)
    if len({str(error) for error in errors}) == 1:  # at other values too, as when the coordinate of a start is fixed
        raise AnalysisError(f"parameter '{path}': it cannot vary ({errors[0]})")
    raise AnalysisError(f"parameter '{path}': the model is not possible near {value:g} ({errors[0]})")


def direction(model: Model, path: str, value: float, size: float, lent: ExitStack) -> Direction:
    """Neighbours along a parameter, borrowed until the stack closes."""

    def neighbours(steps: Sequence[tuple[float, float]]) -> tuple[Neighbour, ...]:
        models = [assigned(model, path, value + offset) for offset, _ in steps]
        if not path.startswith(START):
            machines = (lent.enter_context(CACHE.borrowed(one)).start(one) for one in models)
            return tuple(Neighbour.at(machine, *step) for machine, step in zip(machines, steps, strict=True))
        # the numbers are those of the model: one prepared model is used for one start after another
        shared = lent.enter_context(CACHE.borrowed(models[0]))
        if not path.endswith("'"):
            found = [Neighbour.at(shared.start(one), *step) for one, step in zip(models, steps, strict=True)]
            return tuple(replace(found[-1], offset=one.offset, weight=one.weight, start=one.start) for one in found)
        # initial rates are linear in the given ones
        first, last = (Neighbour.at(shared.start(models[k]), *steps[k]) for k in (0, -1))
        x, v = (np.array([first.start[k], last.start[k]]) for k in (0, 1))
        parts = [(offset - first.offset) / (last.offset - first.offset) for offset, _ in steps]
        starts = [(x[0], v[0] + part * (v[1] - v[0])) for part in parts]
        return tuple(replace(last, offset=a, weight=b, start=one) for (a, b), one in zip(steps, starts, strict=True))

    wide, size = resolved(lambda size: on_some_side(neighbours, path, value, size, _PART), _error_of, size)
    both = len(wide) == len(_CENTRAL)
    finer = tuple(partial(neighbours, steps) for steps in finer_steps(size)) if both else ()
    return Direction(path, value, wide, finer)


def resolved(make: Callable[[float], T], error: Callable[[T], float], size: float) -> tuple[T, float]:
    """Neighbours whose differences have a small enough ``error``, one or less, and the size of the change.

    If shorter steps do not reduce the error, because values are noisy, those with the smallest error are taken.
    """
    found = make(size)
    least = error(found)
    for _ in range(_SHORTEST):
        if least <= 1.0:
            break
        other = make(_SHORTER * size)
        now = error(other)
        if not now < least:
            break
        found, least, size = other, now, _SHORTER * size
    return found, size


def refuse_jump(along: Direction, base: Neighbour) -> None:
    """Raise an error if the initial state or the numbers of a model jump at its value."""
    own, others, (x, v) = _values(base), [_values(one) for one in along.wide], base.start
    if any(other.size != own.size for other in others):
        return
    floor, size = np.full(own.size, _FLOOR), max(base.layout.size, 1.0)
    floor[: x.size] *= size
    floor[x.size : 2 * x.size] *= size + np.abs(v).max(initial=0.0)
    places = np.flatnonzero(apart([one.offset for one in along.wide], others, own, floor))
    if places.size:
        part = min(int(places[0]) // max(x.size, 1), 2)
        what = ("the initial position", "the initial rates", "the model")[part]
        raise AnalysisError(f"parameter '{along.path}': {what} jumps at {along.value:g}, and has no derivative")


def _values(near: Neighbour) -> Array:
    """Initial state and numbers, without those that follow a motion."""
    numbers = numbers_of(near.system)
    kept = {**numbers, "number": np.delete(numbers["number"], near.system.track_target)}
    return np.concatenate([*near.start, *kept.values()])


def _error_of(near: Sequence[Neighbour]) -> float:
    """Error of differences of all numbers, relative to the permitted one; none if their count changes."""
    values = [_values(one) for one in near]
    same = len({value.size for value in values}) == 1
    return step_error([one.offset for one in near], values) if same else 0.0


def derivative(of: Sequence[Neighbour], function: Callable[[Neighbour], Array]) -> Array:
    """Derivative of a function of neighbours; exactly zero if all have the same value."""
    values = np.array([function(near) for near in of])
    found = sum(near.weight * value for near, value in zip(of, values, strict=True))
    return np.where(np.all(values == values[:1], axis=0), 0.0, found)
