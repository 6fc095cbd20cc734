"""Steady motions, such as a bicycle in a turn, or a disc that rolls in a circle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.arguments import Time
from flexura.analyses.declaration import ScriptOnly, analysis
from flexura.analyses.linear.linearise import PreparedLinearisation
from flexura.analyses.motion.motion_record import blank_view, motion_at
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.laws.units import Unit
from flexura.mechanics.core.element_numbers import tracked
from flexura.mechanics.linear.linear_tables import Tables
from flexura.mechanics.linear.linearisation import Linear, Nominal
from flexura.mechanics.linear.symmetries import Generators, generators
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.model.model import Model
from flexura.model.names import Address
from flexura.results.state import Rate, State

Matrix = NDArray[np.float64]

_LONGEST = 0.3
"""Largest correction of an iteration, in radians or relative to the size of the model."""
_LESS = 1e-9
"""Singular value of undetermined directions, relative to the largest."""
_MOST = 200
"""Maximum number of iterations."""
_FINE = 1e-11
"""Rounding error of equations of unit weight."""
_CANCELLED = 1e-6
"""Fraction of the terms of an equation that remains after cancellation."""
_CLOSE = 1e-8
"""Relative tolerance of forces, rates and conditions."""


@analysis
def steady(
    model: Model,
    conditions: Annotated[
        Mapping[str, float] | None, Unit("", "values and rates of signals in the steady motion")
    ] = None,
    *,
    at: Time = 0.0,
    near: Annotated[State | None, Unit("", "steady motion at which the search begins"), ScriptOnly()] = None,
) -> State:
    """Steady motion: rotation about a vertical axis or translation, with spinning wheels, at constant rates.

    ``conditions`` are the values and rates of the motion, ``{"rear_axle.rotation'": 20.0, "lean.rotation": 0.2}``.
    Newton's method begins at the start of the model, or at a steady motion ``near``; where the conditions leave a
    choice, it finds the nearest solution. The symmetries of the model (positions, headings, round wheels) are detected.
    """
    ready = PreparedLinearisation.of(model)
    if ready.layout.integrals:
        what = f"it has states: {', '.join(map(str, ready.layout.integrals))}"
        raise ModelError("states", what, "replace them by loads that depend on signals")
    first = ready.started(model, at) if near is None else ready.seen(near.motion, float(near.motion.t[0]))
    search = _Search(ready, dict(conditions or {}), at, first)
    x, c, iterations = search.run(first)
    search.refuse_unsteady(x, c)
    return _state(model, search, x, c, at, iterations)


@dataclass(frozen=True)
class _Condition:
    """Signal, or its rate, with its prescribed value."""

    address: Address
    rate: bool
    value: float

    @property
    def name(self) -> str:
        """Name as given."""
        return f"{self.address}{chr(39) * self.rate} = {self.value:g}"


class _Search:
    """Newton's method for positions and rates together: constraints, slips, forces and conditions."""

    def __init__(
        self, ready: PreparedLinearisation, conditions: Mapping[str, float], at: float, first: Nominal
    ) -> None:
        self.ready, self.layout, self.system, self.at = ready, ready.layout, ready.arrays, at
        self.conditions = [self._condition(name, float(value)) for name, value in conditions.items()]
        self.numbers = first.numbers
        self.small = ready.linearisation(first.x)
        self.free = np.array(self.layout.free, dtype=np.int64)
        self.generators: Generators = generators(self.layout, self.system, first.x, at)
        if not len(self.generators):
            what = "it has no symmetry, and therefore no steady motion"
            raise ModelError("model", what, "use equilibrium for a state of rest")
        lengths = [self.layout.extent(self.layout.coordinates[c]) for c in self.free]
        self.scale = np.concatenate([lengths, np.ones(len(self.generators))])

    def _condition(self, name: str, value: float) -> _Condition:
        plain = name.rstrip("'")
        address, primes = self.layout.names.resolve(plain), len(name) - len(plain)
        if primes > 1 or (primes == 0 and self.layout.names.without_value(address)):
            what = "a condition is a value or a rate" if primes > 1 else "this signal has a rate only"
            raise ModelError(f"conditions.{name}", what, "write one prime for a rate")
        return _Condition(address, bool(primes), value)

    # -- Newton's method ---------------------------------------------------------------------------------------

    def run(self, first: Nominal) -> tuple[Floats, Floats, int]:
        """Position, rates of the generators, and the number of iterations.

        Without losses the power of the forces gives no independent equation, so that the equations are nearly
        dependent: corrections are damped by the square of the residual, which preserves quadratic convergence.
        """
        x = first.x.copy()
        c: Floats = np.asarray(np.linalg.lstsq(self.generators.fields(x), first.v, rcond=_LESS)[0], dtype=np.float64)
        residual, slope = self._equations(x, c)
        damping, previous = 1.0, np.inf
        for iteration in range(1, _MOST):
            weight = 1.0 / self._sizes(slope, 1e-4)
            wrong = float(np.linalg.norm(residual * weight))
            change = self._damped(residual, slope, weight, damping * wrong**2)
            size = float(np.abs(change / self.scale).max(initial=0.0) / max(1.0, np.abs(c).max(initial=0.0)))
            there = x.copy()
            there[self.free] += change[: self.free.size]
            way = float(np.abs(change[: self.free.size] / self.scale[: self.free.size]).max(initial=0.0))
            moved = self._tried(there, c + change[self.free.size :]) if way < _LONGEST else None
            if moved is None or not np.linalg.norm(moved[0] * weight) <= max(wrong, _FINE):
                damping *= 8.0
                continue
            x, c, damping = there, c + change[self.free.size :], max(0.25 * damping, 1e-6)
            residual, slope = moved
            self.small = self.ready.linearisation(x)
            # corrections of rounding size stop shrinking
            if size < 1e-14 or (size < 1e-11 and size > 0.5 * previous):
                self._refuse_wrong(x, c)
                return x, c, iteration
            previous = size
        self._refuse_wrong(x, c)
        raise AnalysisError(
            "no steady motion was found: begin nearer to one with start={…} or near=…, or set other conditions"
        )

    def _tried(self, x: Floats, c: Floats) -> tuple[Floats, Matrix] | None:
        """Equations at a state, if they can be evaluated."""
        try:
            return self._equations(x, c)
        except AnalysisError:
            return None

    def _damped(self, residual: Floats, slope: Matrix, weight: Floats, damping: float) -> Floats:
        """Smallest change that removes most of the residual, with equations of equal weight."""
        left, sizes, right = np.linalg.svd(slope * self.scale * weight[:, None], full_matrices=False)
        kept = sizes > _LESS * sizes[0]
        part = np.where(kept, sizes / np.maximum(sizes**2 + damping, 1e-300), 0.0)
        return np.asarray(-(right.T @ (part * (left.T @ (residual * weight)))) * self.scale)

    def _equations(self, x: Floats, c: Floats) -> tuple[Floats, Matrix]:
        """Residual of the equations in a state, and its derivatives with respect to free coordinates and rates."""
        g = self.generators
        drive(self.system, self.at, x, np.zeros_like(x), np.zeros_like(x))
        v, a = g.motion(x, c)
        linear, tables, inverse = self._linear(x, v, a)
        turning, fields = g.matrix(c), g.fields(x)
        # ẋ and ẍ depend on x and c
        x_slope = np.zeros((len(x), self.free.size + c.size))
        x_slope[self.free, np.arange(self.free.size)] = 1.0
        v_slope = turning @ x_slope
        v_slope[:, self.free.size :] += fields
        a_slope = turning @ v_slope
        a_slope[:, self.free.size :] += (g.L @ v).T
        parts = [self._held(linear, tables, v, x_slope, v_slope), self._driven(v, v_slope)]
        # forces that would hold the independent coordinates
        own = inverse[:, self._own :].T
        force = (tables.force_x @ x_slope + tables.force_v @ v_slope + tables.mass @ a_slope)[self._columns]
        parts.append((linear.force, -own @ force))
        # before terms cancel
        terms = (tables.force_x, x_slope), (tables.force_v, v_slope), (tables.mass, a_slope)
        gross = sum(np.abs(by) @ np.abs(slope * self.scale) for by, slope in terms)[self._columns]
        self._gross = (np.abs(own) @ gross).max(axis=1, initial=0.0)
        parts += [
            self._condition_rows(condition, tables, x, v, linear, x_slope, v_slope) for condition in self.conditions
        ]
        return np.concatenate([part[0] for part in parts]), np.vstack([part[1] for part in parts])

    def _linear(self, x: Floats, v: Floats, a: Floats) -> tuple[Linear, Tables, Matrix]:
        small = self.small
        linear = small.at(Nominal(self.at, x.copy(), v, a, self.numbers))
        tables = Tables(small.arrays, linear)
        self._count = len(small.independent)
        self._own = small.arrays.held + len(small.arrays.drives)
        self._columns = small.arrays.columns
        return linear, tables, tables.inverse

    def _held(
        self, linear: Linear, tables: Tables, v: Floats, x_slope: Matrix, v_slope: Matrix
    ) -> tuple[Floats, Matrix]:
        """Equations of held strains, which have their values; slips and driven strains have their rates."""
        layout, s, rows, slopes = self.layout, self.system, [], []
        slips = set(layout.rolling)
        for row, k in enumerate(s.rows.strain):
            if k not in slips:
                rows.append(linear.motion[s.slopes.strain[k]] - s.rows.position[row])
                slopes.append(tables.slope[k] @ x_slope)
            if k in slips or k in layout.driven_strain:
                rows.append(tables.slope[k] @ v - s.rows.velocity[row])
                slopes.append(tables.rate_x[k] @ x_slope + tables.slope[k] @ v_slope)
        return np.array(rows), np.array(slopes).reshape(-1, x_slope.shape[1])

    def _driven(self, v: Floats, v_slope: Matrix) -> tuple[Floats, Matrix]:
        """Equations of driven coordinates, which have their rates."""
        places = [c for c, signal in self.layout.known.items() if signal is not None]
        rate = np.zeros_like(v)
        drive(self.system, self.at, np.zeros_like(v), rate, np.zeros_like(v))
        return (v - rate)[places], v_slope[places]

    def _condition_rows(
        self,
        condition: _Condition,
        tables: Tables,
        x: Floats,
        v: Floats,
        linear: Linear,
        x_slope: Matrix,
        v_slope: Matrix,
    ) -> tuple[Floats, Matrix]:
        if condition.address.kind == "coordinate":
            k = self.layout.coordinate_index[condition.address]
            values, slopes = (v, v_slope) if condition.rate else (x, x_slope)
            return np.array([values[k] - condition.value]), slopes[k][None]
        k = self.layout.strain_index[condition.address]
        if condition.rate:
            slope = tables.rate_x[k] @ x_slope + tables.slope[k] @ v_slope
            return np.array([tables.slope[k] @ v - condition.value]), slope[None]
        value = linear.motion[self.system.slopes.strain[k]]
        return np.array([value - condition.value]), (tables.slope[k] @ x_slope)[None]

    # -- what is found -----------------------------------------------------------------------------------------

    def _refuse_wrong(self, x: Floats, c: Floats) -> None:
        """Raise an error for conditions that contradict each other or the equations of motion."""
        wrong = self._wrong(x, c)
        if not np.any(wrong):
            return
        unmet = [
            condition
            for condition, bad in zip(self.conditions, wrong[len(wrong) - len(self.conditions) :], strict=True)
            if bad
        ]
        names = ", ".join(c.name for c in unmet or self.conditions)
        what = f"there is no steady motion near the start with {names or 'these inputs'}"
        raise AnalysisError(f"{what}: remove conditions, begin nearer to a solution, or prescribe a signal with inputs")

    def stress(self, x: Floats, c: Floats) -> Floats:
        """Stresses of all strains."""
        self._linear(x, *self.generators.motion(x, c))
        small = self.small.small
        stress = small.stress.copy()
        # independent coordinates are free: the forces that would hold them are rounding
        for row in range(self._own, small.reaction.size):
            if (k := small.targets.strain[row]) >= 0:
                stress[k] -= small.reaction[row]
        return stress

    def _wrong(self, x: Floats, c: Floats) -> NDArray[np.bool_]:
        """Unsatisfied equations; forces and rates are relative to the largest of their kind."""
        residual, slope = self._equations(x, c)
        return np.asarray(np.abs(residual) > _CLOSE * self._sizes(slope, 1.0) * max(1.0, np.abs(c).max(initial=0.0)))

    def _sizes(self, slope: Matrix, least: float) -> Floats:
        """Scales of the equations, none less than a fraction of the largest of its kind: some are identities."""
        size = np.abs(slope * self.scale).max(axis=1)
        last = len(size) - len(self.conditions)
        forces = last - self._count
        for kind in (slice(0, forces), slice(forces, last)):
            size[kind] = np.maximum(size[kind], least * size[kind].max(initial=0.0))
        # an identity consists of rounding errors
        size[forces:last] = np.maximum(size[forces:last], _CANCELLED * self._gross)
        # identically zero quantities are measured in SI units
        return np.where(size > 0.0, size, 1.0)

    def refuse_unsteady(self, x: Floats, c: Floats) -> None:
        """Raise an error for a motion whose forces do not balance later: a symmetry was assumed wrongly."""
        turning = np.abs(self.generators.matrix(c)).max(initial=0.0)
        if not turning:
            return
        now, span = self.at, 1.0 / turning
        self.at = now + span
        wrong = self._wrong(self.generators.later(x, c, span), c)
        self.at = now
        if np.any(wrong[: len(wrong) - len(self.conditions)]):
            what = "a motion with constant rates was found, but its forces vary in time"
            raise AnalysisError(f"{what}: a rotating part is not symmetric, or loads depend on the position")


def _state(model: Model, search: _Search, x: Floats, c: Floats, at: float, iterations: int) -> State:
    """Named values, with the forces of the motion."""
    machine, layout = prepare(model, at, dynamic=False), search.layout
    v, a = search.generators.motion(x, c)
    stress = search.stress(x, c)
    places = [layout.coordinate_index[address] for address in machine.layout.coordinates]
    numbers = np.array(list(tracked(machine.layout, machine.system).values()))
    view = blank_view(machine, np.array([at]), x[None, places], v[None, places], numbers[None, :])
    view.a[0] = a[places]
    view.stress[0] = [stress[layout.strain_index[address]] for address in machine.layout.strains]
    motion = motion_at(machine, view, "steady motion", iterations)
    turning = search.generators.matrix(c)
    names = [str(address) for address in layout.coordinates]
    rows, columns = np.nonzero(np.abs(turning) > 1e-12 * np.abs(turning).max(initial=1e-300))
    entries = (Rate(names[i], names[j], float(turning[i, j])) for i, j in zip(rows, columns, strict=True))
    return State(motion, tuple(entries))
