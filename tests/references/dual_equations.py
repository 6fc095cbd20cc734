"""The linearised equations of a model from its full equations on dual numbers: nothing of the program's derivatives.

The pure functions of the elements give strains, rates and forces as plain Python functions of the coordinates, their
rates and accelerations; dual numbers differentiate them. With the held strains, the drives u and the independent
coordinates q as rows of D_I, the motion near a state follows from the three levels of the constraints, each
differentiated as it stands,

    ε_I(x) = (0, u, q),    ε̇_I(x, ẋ) = (0, u̇, q̇),    ε̈_I(x, ẋ, ẍ) = (0, ü, q̈),

and M, C and K are the derivatives of the reduced equations

    Φ(q, q̇, q̈) = F(x)ᵀ R(x, ẋ, ẍ),    R = M ẍ + h + D′ᵀσ(ε, ε̇) - f,    F = the columns of D_I(x)⁻¹,

in which σ are the stresses of laws alone: those of held strains do no work, and are not needed.

Rotations about the axes of space have no value. As coordinates of a small motion they are q = V(x̄)(x - x̄), with the
slopes V of the nominal motion x̄(t): a linear function of x whose coefficients change in time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from flexura.battery.specimen import Specimen
from flexura.derive.duals import along, jacobian, numbers
from flexura.laws.signals import as_signal, value
from flexura.mechanics.core.constitution import ELASTIC
from flexura.mechanics.core.layout import Layout
from flexura.model.model import Model
from flexura.model.names import Address
from references.dual_loop import loop_forces
from references.dual_parts import Array, Law, Part, Values


@dataclass(frozen=True)
class Moment:
    """A state of motion over all coordinates."""

    t: float
    x: Array
    v: Array
    a: Array


class DualEquations:
    """The full equations of a model at one state of motion, and their derivatives."""

    def __init__(self, model: Model, moment: Moment, laws: Mapping[str, Law] | None = None) -> None:
        """``laws`` are the laws of the model that are formulas, as functions."""
        self.model, self.moment = model, moment
        self.layout = Layout(model, about=True)
        self.laws = {self.layout.strain_index[self.layout.names.resolve(k)]: law for k, law in (laws or {}).items()}
        if set(self.laws) != set(self.layout.law):
            raise ValueError("give each formula of the model as a function")
        self.parts = [self._part(name) for name in self.layout.names.elements if not name.endswith(":state")]

    # -- elements ----------------------------------------------------------------------------------------------

    def _part(self, name: str) -> Part:
        layout, names, moment = self.layout, self.layout.names, self.moment
        element, kinds = names.elements[name], names.drawing.node_kinds(name)
        places = [layout.coordinate_index[address] for address in names.drawing.addresses(name)]
        shared = {i: places.index(c) for i, c in enumerate(places) if places.index(c) < i}
        drawn = [names.positions[end.position] for end in names.attachments[name].values()]
        specimen = Specimen(element, kinds, drawn, shared)
        coordinates = list(dict.fromkeys(places))
        if element.tracked:
            specimen = specimen.following(moment.x[coordinates])
        rows = element.rows()
        start = layout.strain_index[Address("strain", name, rows[0])] if rows else 0
        indices = range(start, start + len(rows))
        empty = np.zeros((len(rows), len(rows)))
        stress = np.array([layout.preload[k] - self._load(layout.strains[k]) for k in indices])
        return Part(
            specimen,
            coordinates,
            start,
            layout.stiffness.get(start, empty) if rows else empty,
            layout.damping.get(start, empty) if rows else empty,
            stress,
            [layout.strain_class[k] == ELASTIC for k in indices],
            {k - start: self.laws[k] for k in indices if k in self.laws},
            self._body(name, specimen),
            moment.t,
        )

    def _at(self, signal: Any) -> float:
        return float(value(as_signal(signal), self.moment.t)[0])

    def _load(self, address: Address) -> float:
        """The load on a signal."""
        loads = self.model.loads.items()
        return sum(
            self._at(load)
            for name, load in loads
            if not isinstance(load, tuple) and self.layout.names.resolve(name) == address
        )

    def _body(self, name: str, specimen: Specimen) -> Array:
        """Weight and distributed loads."""
        total = specimen.numbers.get("mass", 0.0) * np.array(self.layout.gravity)
        for loaded, load in self.model.loads.items():
            if isinstance(load, tuple) and name in self.layout.names.parts[loaded]:
                total = total + specimen.numbers["length"] * np.array([self._at(part) for part in load])
        return total

    # -- the whole ---------------------------------------------------------------------------------------------

    def local(self, part: Part) -> tuple[Values, Values, Values]:
        return tuple(list(values[part.coordinates]) for values in (self.moment.x, self.moment.v, self.moment.a))

    def spread(self, function: Callable[[Part, Values, Values, Values], Values], over: str) -> list[Array]:
        """A function of x, ẋ, ẍ of the elements: its value and derivatives over strains or coordinates."""
        count = len(self.layout.coordinates)
        height = len(self.layout.strains) if over == "strains" else count
        found = [np.zeros(height)] + [np.zeros((height, count)) for _ in range(3)]
        for part in self.parts:
            rows = np.arange(part.start, part.start + part.rows) if over == "strains" else np.array(part.coordinates)
            if not rows.size:
                continue
            x, v, a = self.local(part)
            width = len(x)

            def whole(z: Values, part: Part = part, width: int = width) -> Values:
                return function(part, z[:width], z[width : 2 * width], z[2 * width :])

            found[0][rows] += numbers(whole([*x, *v, *a]))
            slopes = numbers(jacobian(whole, [*x, *v, *a]))
            for k in range(3):
                found[k + 1][np.ix_(rows, part.coordinates)] += slopes[:, k * width : (k + 1) * width]
        return found

    @cached_property
    def rates(self) -> list[Array]:
        """ε̇ and its derivatives by x, ẋ, ẍ."""
        return self.spread(lambda part, x, v, a: part.rates(x, v), "strains")

    @cached_property
    def seconds(self) -> list[Array]:
        """ε̈ and its derivatives by x, ẋ, ẍ."""
        return self.spread(lambda part, x, v, a: part.seconds(x, v, a), "strains")

    @cached_property
    def stresses(self) -> list[Array]:
        """The stresses of laws and loads and their derivatives."""
        return self.spread(lambda part, x, v, a: part.stresses(x, v), "strains")

    @cached_property
    def forces(self) -> list[Array]:
        """R without held stresses, and its derivatives."""
        found = self.spread(Part.force, "coordinates")
        for k, address in enumerate(self.layout.coordinates):
            found[0][k] -= self._load(address)
        return [part + looped for part, looped in zip(found, loop_forces(self), strict=True)]

    @cached_property
    def slopes(self) -> tuple[Array, Array, Array, Array]:
        """D′ and its derivatives by x; D′ differentiated once and twice along the motion."""
        strains, count = len(self.layout.strains), len(self.layout.coordinates)
        D, second = np.zeros((strains, count)), np.zeros((strains, count, count))
        first, again = np.zeros((strains, count)), np.zeros((strains, count))
        for part in self.parts:
            x, v, a = self.local(part)
            rows, width = np.arange(part.start, part.start + part.rows), len(x)
            if not rows.size:
                continue

            def flat(place: Values, part: Part = part) -> Values:
                return [slope for row in part.slopes(place) for slope in row]

            def moved(both: Values, flat: Any = flat, width: int = width) -> Values:
                return along(flat, both[:width], both[width:])

            grid, shape = np.ix_(rows, part.coordinates), (part.rows, width)
            D[grid] += numbers(flat(x)).reshape(shape)
            first[grid] += numbers(moved([*x, *v])).reshape(shape)
            again[grid] += numbers(along(moved, [*x, *v], [*v, *a])).reshape(shape)
            cube = np.ix_(rows, part.coordinates, part.coordinates)
            second[cube] += numbers(jacobian(flat, x)).reshape(*shape, width)
        return D, second, first, again

    def linear(self, independent: Sequence[str]) -> Linear:
        """The equations of small motions in these independent coordinates."""
        return Linear(self, tuple(map(self.layout.names.resolve, independent)))


class Linear:
    """The derivatives of the reduced equations; columns: the drives first, then the independent coordinates."""

    def __init__(self, equations: DualEquations, independent: tuple[Address, ...]) -> None:
        self.equations, layout = equations, equations.layout
        self.layout = layout
        driven = [c for c, signal in layout.known.items() if signal is not None]
        rigid = [layout.strains[k] for k in layout.constraints if k not in layout.driven_strain]
        self.drives = [layout.strains[k] for k in layout.driven_strain] + [layout.coordinates[c] for c in driven]
        self.rows = [*rigid, *self.drives, *independent]
        self.held, self.u = len(rigid), len(self.drives)
        self.columns = sorted([*layout.free, *driven])
        """the coordinates that are not fixed"""
        self.still = [address.internal and k >= self.held for k, address in enumerate(self.rows)]
        """rows whose slopes are those of the nominal motion"""
        self._follow()

    def rows_of(self, table: Array, unit: float) -> Array:
        """The rows of D_I, or of a derivative of it, over the coordinates that are not fixed."""
        found = np.zeros((len(self.rows), *table.shape[1:]))
        for row, address in zip(found, self.rows, strict=True):
            if address.kind == "strain":
                row[:] = table[self.layout.strain_index[address]]
            else:
                row[self.layout.coordinate_index[address]] = unit
        return found[:, self.columns]

    def _follow(self) -> None:
        """The change of x, ẋ, ẍ for unit changes of (u, q), of their rates, and of their accelerations."""
        e = self.equations
        D, _, first, again = e.slopes
        self.inverse = np.linalg.inv(self.rows_of(D, 1.0))
        still = np.array(self.still)[:, None]
        rate_x = np.where(still, self.rows_of(first, 0.0), self.rows_of(e.rates[1], 0.0))
        second_x = np.where(still, self.rows_of(again, 0.0), self.rows_of(e.seconds[1], 0.0))
        second_v = np.where(still, 2.0 * self.rows_of(first, 0.0), self.rows_of(e.seconds[2], 0.0))
        G = self.inverse
        F = G[:, self.held :]
        P = -G @ rate_x @ F
        self.x = (F, np.zeros_like(F), np.zeros_like(F))
        self.v = (P, F, np.zeros_like(F))
        self.a = (-G @ (second_x @ F + second_v @ P), -G @ second_v @ F, F)

    def wide(self, narrow: Array) -> Array:
        wide = np.zeros((len(self.layout.coordinates), narrow.shape[1]))
        wide[self.columns] = narrow
        return wide

    def change(self, derivatives: Sequence[Array]) -> list[Array]:
        """The change of any function of x, ẋ, ẍ, given by its derivatives, for changes of (u, q) of each order."""
        by_x, by_v, by_a = derivatives[-3:]
        return [
            by_x @ self.wide(x) + by_v @ self.wide(v) + by_a @ self.wide(a)
            for x, v, a in zip(self.x, self.v, self.a, strict=True)
        ]

    @cached_property
    def held_stress(self) -> Array:
        """The stresses of the rows that balance the nominal motion: D_Iᵀσ_I + R = 0."""
        stress: Array = -self.inverse.T @ self.equations.forces[0][self.columns]
        return stress

    @cached_property
    def matrices(self) -> tuple[Array, Array, Array]:
        """K, C, M: the derivatives of Φ = FᵀR by (u, q), their rates and their accelerations."""
        e, F = self.equations, self.x[0]
        own = F[:, self.u :]
        changes = [own.T @ change[self.columns] for change in self.change(e.forces)]
        # Φ_l also changes with F_l: δF = -D_I⁻¹ δD_I F, and σ_I = -D_I⁻ᵀ R
        changes[0] = changes[0] + own.T @ self._turned @ F
        return changes[0], changes[1], changes[2]

    @cached_property
    def _turned(self) -> Array:
        """σ_I ∂D_I/∂x."""
        second = self.rows_of(self.equations.slopes[1], 0.0)[:, :, self.columns]
        return np.tensordot(self.held_stress, second, axes=1)

    @cached_property
    def held_stress_change(self) -> list[Array]:
        """The changes of the stresses of the rows, from D_Iᵀσ_I + R = 0."""
        e, F = self.equations, self.x[0]
        pulls = [change[self.columns] for change in self.change(e.forces)]
        pulls[0] = pulls[0] + self._turned @ F
        return [-self.inverse.T @ pull for pull in pulls]

    @cached_property
    def reaction_change(self) -> list[Array]:
        """The changes of R + D′ᵀσ with all stresses, over all coordinates: the forces from outside on fixed ones."""
        e, F = self.equations, self.wide(self.x[0])
        D, second, _, _ = e.slopes
        found = self.change(e.forces)
        for k, address in enumerate(self.rows):
            if address.kind == "strain":
                strain = self.layout.strain_index[address]
                for order, stress in enumerate(self.held_stress_change):
                    found[order] += np.outer(D[strain], stress[k])
                found[0] += self.held_stress[k] * second[strain] @ F
        return found
