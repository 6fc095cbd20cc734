"""Pseudo-arclength steps along a path of equilibria.

The unknowns are the positions, the stresses of held strains and the parameter together. Each step is corrected at
right angles to the path, so that the path can pass limit points of the parameter.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np

from flexura.analyses.linear.linearise import PreparedLinearisation
from flexura.analyses.motion.error_scales import coordinate_scale
from flexura.analyses.motion.unsupported_contact import refuse_switched
from flexura.analyses.statics.equilibrium import coordinates_of, equilibrium, state_of
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.mechanics.core.element_numbers import tracked_places
from flexura.mechanics.core.structure import layout_with_numbers
from flexura.mechanics.linear.linearisation import Nominal
from flexura.mechanics.motion.equations_of_motion import track
from flexura.mechanics.preparation.prepared_model import PreparedModel, prepare
from flexura.mechanics.statics.force_balance import Balance
from flexura.model.model import Model
from flexura.results.linear_system import LinearSystem
from flexura.results.state import State

_DIFFERENCE = 1e-6
"""Step of the parameter, relative to its span, for the derivative of the forces."""
_MOST = 30
"""Maximum number of iterations of a step."""
_CLOSE = 1e-9
"""Change of the parameter, relative to its span, over which the forces are linear to rounding."""
_ROUNDING = 1e-13
"""Change of the parameter, relative to its span, that counts as zero."""
_LINEAR = 1e-7
"""Relative change of the derivative of the forces with respect to the parameter that is rounding."""
_UNSEEN = 1e-5
"""Distance, relative to the size of the model, whose direction is undetermined."""
_FAR = 0.5
"""Longest correction, relative to the step."""


@dataclass(frozen=True, eq=False)
class Point:
    """Equilibrium on a path, with the tangent of the path."""

    s: float
    """parameter as a fraction of its span"""
    x: Floats
    stress: Floats
    tangent: tuple[Floats, float]
    """of the free coordinates and of the parameter, of unit length"""
    stress_rate: Floats
    """change of the stresses along the tangent"""
    slope: Floats
    """derivative of the unbalanced forces with respect to the parameter"""
    balance: Balance
    model: Model
    numbers: Floats
    """of the elements, including the tracked numbers"""
    iterations: int = 0


@dataclass(eq=False)
class _Trial:
    """Iterate between two points of a path."""

    s: float
    x: Floats
    stress: Floats
    carried: Floats
    """stresses carried along with the corrections"""
    along: Floats | None = None
    """derivative of the unknowns with respect to the parameter"""


class PathFollower:
    """Equilibria of a model over a parameter."""

    def __init__(self, model: Model, parameter: str, span: tuple[float, float], at: float, tolerance: float) -> None:
        self.model, self.parameter, self.span, self.at, self.tolerance = model, parameter, span, at, tolerance
        self._machine: PreparedModel | None = None
        self._small: PreparedLinearisation | None = None

    def value(self, s: float) -> float:
        """Value of the parameter."""
        return self.span[0] + s * (self.span[1] - self.span[0])

    def model_at(self, s: float) -> Model:
        """Model with a value of the parameter."""
        return self.model.with_parameter(self.parameter, self.value(s))

    # -- the balance of forces ---------------------------------------------------------------------------------

    def first(self, s: float, start: State | None, direction: Floats | None = None) -> Point:
        """Equilibrium at a value of the parameter, near a state if one is given.

        ``direction`` is that of the coordinates along a new branch; by default the parameter increases.
        """
        model = self.model_at(s)
        state = start or equilibrium(model, self.at)
        self._machine = machine = prepare(model, self.at, dynamic=False, near=coordinates_of(state))
        refuse_switched(machine.layout)
        balance = Balance(machine, self.at)
        free = machine.layout.free
        scale = coordinate_scale(machine.layout)[free]
        self._weight = 1.0 / (scale**2 * max(len(free), 1))
        self._scale = scale
        x = machine.x.copy()
        x[machine.layout.integral_index] = [state[str(a)] for a in machine.layout.integrals]
        stress = np.zeros(max(len(machine.layout.strains), 1))
        known = dict(zip(state.motion.strains, state.motion.stress[0], strict=True))
        stress[balance.held] = [known.get(machine.layout.strains[k], 0.0) for k in balance.held]
        balance.residual(x, stress)
        self._displaces = self._displaced(s, x, stress, balance)
        if direction is None:
            return self._point(s, x, stress, balance, model, None)
        along = direction[free]
        along = along / np.sqrt((self._weight * along**2).sum())
        slope = self._slope(s, x, stress, balance)
        rate, number = np.zeros_like(stress), balance.system.number.copy()
        return Point(s, x, stress, (along, 0.0), rate, slope, balance, model, number)

    def _balance(self, s: float, before: Balance) -> tuple[Balance, Model]:
        """Balance at a value of the parameter."""
        model = self.model_at(s)
        layout = layout_with_numbers(before.layout, model)
        if layout is None:
            what = f"at {self.value(s):g} the model has another structure"
            raise ModelError(self.parameter, what, "choose a span in which no stiffness, mass or law vanishes")
        return before.changed(layout), model

    def _displaced(self, s: float, x: Floats, stress: Floats, balance: Balance) -> bool:
        """True if the parameter moves fixed or driven coordinates."""
        other, _ = self._balance(s + _DIFFERENCE, balance)
        seen = []
        for each in (balance, other):
            there = _placed(each, x)
            each.residual(there, stress.copy())
            seen.append(np.concatenate([there, each.system.rows.position]))
        return not np.array_equal(seen[0], seen[1])

    def _slope(self, s: float, x: Floats, stress: Floats, balance: Balance) -> Floats:
        """Derivative of the unbalanced forces with respect to the parameter, by a difference."""
        here = balance.residual(x.copy(), stress.copy()).copy()
        other, _ = self._balance(s + _DIFFERENCE, balance)
        return np.asarray((other.residual(_placed(other, x), stress.copy()) - here) / _DIFFERENCE)

    # -- points ------------------------------------------------------------------------------------------------

    def _point(
        self,
        s: float,
        x: Floats,
        stress: Floats,
        balance: Balance,
        model: Model,
        before: tuple[Floats, float] | None,
        iterations: int = 0,
        slope: Floats | None = None,
    ) -> Point:
        """Point with its tangent, in the direction of the previous one (up the parameter if there is none)."""
        system, number = balance.system, balance.system.number.copy()
        slope = self._slope(s, x, stress, balance) if slope is None else slope
        balance.residual(x, stress)
        z = balance.matrix(x, stress)(slope)
        along = z[system.place]
        length = np.sqrt((self._weight * along**2).sum() + 1.0)
        if not np.isfinite(length):
            raise AnalysisError("the equations of equilibrium are singular")
        forward = 1.0
        if before is not None and (self._weight * before[0] * along).sum() + before[1] < 0.0:
            forward = -1.0
        system.z[:] = z
        rate = balance.carried_along(stress) - stress
        unit = forward / length
        return Point(s, x, stress, (unit * along, unit), unit * rate, slope, balance, model, number, iterations)

    def step(self, start: Point, length: float) -> Point | None:
        """Step along the path; None if Newton's method does not converge."""
        along, rise = start.tangent
        s = start.s + length * rise
        x = start.x.copy()
        x[start.balance.layout.free] += length * along
        return self._corrected(start, (along, rise), length, (s, x, start.stress + length * start.stress_rate))

    def reach(self, start: Point, guess: Point, goal: float) -> Point | None:
        """Equilibrium at a value of the parameter near a guess."""
        free = start.balance.layout.free
        aim = (np.zeros(len(free)), 1.0)
        return self._corrected(start, aim, goal - start.s, (goal, guess.x.copy(), guess.stress.copy()), guess)

    def _corrected(
        self,
        start: Point,
        normal: tuple[Floats, float],
        length: float,
        guess: tuple[float, Floats, Floats],
        begin: Point | None = None,
    ) -> Point | None:
        """Newton's method from a guess, in the plane normal to a direction at a distance from the start.

        The forces are assumed linear in the parameter until the positions converge; then the model is rebuilt. If the
        parameter displaces supports or drives, the model is rebuilt in each iteration.
        """
        near = begin or start
        balance, model, made, slope = near.balance, near.model, near.s, near.slope
        balance.system.number[:] = near.numbers
        trial = _Trial(*guess, carried=guess[2].copy())
        free, previous, linear = balance.layout.free, np.inf, False
        first = trial.x[free].copy()
        try:
            if self._displaces:
                balance, model, made = *self._balance(trial.s, balance), trial.s
            for turn in range(1, _MOST + 1):
                with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # exactly at a critical point
                    size = self._correct(trial, start, normal, length, balance, slope, made)
                if not size < 1.0 or self._size(trial.x[free] - first) > _FAR * max(abs(length), _DIFFERENCE):
                    return None
                # corrections of rounding size stop shrinking
                done = size <= self.tolerance or (size < 1e-8 and size > 0.5 * previous)
                there, previous = done and abs(trial.s - made) <= _CLOSE, size
                if there and abs(trial.s - made) <= _ROUNDING:
                    trial.s = made
                if trial.s != made and (done or self._displaces):
                    balance, model = self._balance(trial.s, balance)
                    trial.x = _placed(balance, trial.x)
                    if not (self._displaces or there):
                        # secant: no correction if the forces are linear in the parameter
                        added = balance.residual(trial.x, trial.stress) / (trial.s - made)
                        linear = bool(np.abs(added).max(initial=0.0) <= _LINEAR * np.abs(slope).max(initial=0.0))
                        slope = slope + added
                    made, previous, trial.along = trial.s, np.inf, None
                if there:
                    known = slope if linear else None
                    return self._point(made, trial.x, trial.stress, balance, model, start.tangent, turn, known)
        except (ModelError, AnalysisError, np.linalg.LinAlgError):
            return None
        return None

    def _size(self, change: Floats) -> float:
        return float(np.sqrt((self._weight * change**2).sum()))

    def _correct(
        self,
        trial: _Trial,
        start: Point,
        normal: tuple[Floats, float],
        length: float,
        balance: Balance,
        slope: Floats,
        made: float,
    ) -> float:
        """One correction by Newton's method, with forces linear in the parameter; its size."""
        x, free, place = trial.x, balance.layout.free, balance.system.place
        right = balance.residual(x, trial.stress) + (trial.s - made) * slope
        solution = balance.matrix(x, trial.stress, carried=trial.carried)
        own = solution(right)
        if trial.along is None or not balance.moving:  # with the forces of a motion a solution is costly
            trial.along = solution(slope)
        ahead = self._weight * normal[0]
        away = ahead @ (x - start.x)[free] + normal[1] * (trial.s - start.s) - length
        ds = -float((away + ahead @ own[place]) / (normal[1] + ahead @ trial.along[place]))
        z = own + ds * trial.along
        balance.system.z[:] = z
        trial.carried = balance.carried_along(trial.stress)
        x[free] += z[place]
        trial.stress[balance.held] += z[balance.system.rows.place]
        trial.s += ds
        track(balance.system, x, np.zeros_like(x))
        return max(float(np.abs(z[place] / self._scale).max(initial=0.0)), abs(ds))

    def along(self, start: Point, end: Point) -> float:
        """Distance of two points along the tangent of the first."""
        moved = (end.x - start.x)[start.balance.layout.free]
        return float((self._weight * start.tangent[0]) @ moved + start.tangent[1] * (end.s - start.s))

    def missed(self, start: Point, end: Point) -> float:
        """Distance of the positions of a point from the tangent at the previous one, relative to the step."""
        free = start.balance.layout.free
        way = end.x[free] - start.x[free]
        ahead = self.along(start, end) * start.tangent[0]
        size, gap = (np.sqrt((self._weight * part**2).sum()) for part in (way, way - ahead))
        return float(gap / max(size, _UNSEEN))

    def between(self, point: Point, start: Point, end: Point) -> bool:
        """True if a point lies between two consecutive points."""
        ways = [(end, start), (point, start), (end, point)]
        moved = [((a.x - b.x)[start.balance.layout.free], a.s - b.s) for a, b in ways]
        whole, first, second = (np.sqrt((self._weight * dx**2).sum() + ds**2) for dx, ds in moved)
        return bool(first + second < 1.01 * whole)

    def bend(self, start: Point, end: Point) -> float:
        """Cosine of the angle between two tangents."""
        return float((self._weight * start.tangent[0]) @ end.tangent[0] + start.tangent[1] * end.tangent[1])

    # -- results -----------------------------------------------------------------------------------------------

    def state(self, point: Point) -> State:
        """Equilibrium of a point."""
        assert self._machine is not None
        machine = copy(self._machine)
        machine.layout = copy(point.balance.layout)
        machine.layout.model, machine.system = point.model, point.balance.system
        machine.system.number[:] = point.numbers
        return state_of(machine, point.balance, point.x, point.stress, self.at, max(point.iterations, 1))

    def linear(self, point: Point) -> LinearSystem:
        """Small motions about the equilibrium of a point."""
        changed = self._small.changed(point.model) if self._small is not None else None
        self._small = changed or PreparedLinearisation.of(point.model)
        small, layout = self._small, point.balance.layout
        v, a = point.balance.nominal(point.x)
        places = [layout.coordinate_index[address] for address in small.layout.coordinates]
        number = point.numbers[point.balance.system.track_target]
        tracked = dict(zip(tracked_places(layout), number.tolist(), strict=True))
        numbers = np.array([tracked[place] for place in tracked_places(small.layout)])
        return small.about(Nominal(self.at, point.x[places], v[places], a[places], numbers))


def _placed(balance: Balance, x: Floats) -> Floats:
    """Positions with fixed coordinates at their values."""
    x, layout = x.copy(), balance.layout
    fixed = [c for c, signal in layout.known.items() if signal is None]
    x[fixed] = layout.drawn[fixed]
    return x
