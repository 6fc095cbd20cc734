"""The linearised equations of what rolls, from the full equations on dual numbers, without the program's derivatives.

Slips restrict rates alone. With the rows J of held strains, slips, drives u and independent coordinates q, and the rows
L with the kinematic coordinates k in place of the slips, the motion near a state follows from

    ε_L(x) = (0, u, q, k),    ε̇_J(x, ẋ) = (0, u̇, q̇),    ε̈_J(x, ẋ, ẍ) = (0, ü, q̈),

each differentiated as it stands; M, C, K are the derivatives of Φ = HᵀR with the columns H of D_J(x)⁻¹, and A, B those
of the rates of k.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from flexura.mechanics.core.layout import Layout
from flexura.mechanics.preparation.assembly import Assembler
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.mobility import mobility
from flexura.model.model import Model
from references.dual_equations import DualEquations, Moment
from references.dual_parts import Array


class RollingLinear:
    """The derivatives; columns of values: drives, independent, kinematic coordinates, of rates without the last."""

    def __init__(self, equations: DualEquations, independent: Sequence[str], kinematic: Sequence[str]) -> None:
        self.equations = e = equations
        self.layout = layout = e.layout
        q, k = ([layout.names.resolve(name) for name in names] for names in (independent, kinematic))
        driven = [c for c, signal in layout.known.items() if signal is not None]
        rigid = [layout.strains[i] for i in layout.constraints if i not in layout.driven_strain]
        self.drives = [layout.strains[i] for i in layout.driven_strain] + [layout.coordinates[c] for c in driven]
        slips = {layout.strains[i] for i in layout.rolling}
        self.rows = [*rigid, *self.drives, *q]
        self.held, self.u, self.kinematic = len(rigid), len(self.drives), k
        self.columns = sorted([*layout.free, *driven])
        lean = [address for address in self.rows if address not in slips]
        count = len(self.columns)

        # the inverse slopes; a driven slip has no value
        D, _, first, again = e.slopes
        self.inverse = np.linalg.inv(self._of(D, 1.0, self.rows))
        places = np.linalg.inv(self._of(D, 1.0, [*lean, *k]))
        columns = [*self.rows[self.held :], *k]
        valued = [c for c, address in enumerate(columns) if address not in slips]
        F = np.zeros((count, len(columns)))
        F[:, valued] = places[:, count - len(valued) :]
        H = self.inverse[:, self.held :]

        # changes of x, ẋ, ẍ by values, rates and accelerations; small rotations have the slopes of the nominal motion
        rate_x = self._mixed(e.rates[1], first, self.rows)
        second_x = self._mixed(e.seconds[1], again, self.rows)
        second_v = self._mixed(e.seconds[2], 2.0 * first, self.rows)
        P = -self.inverse @ rate_x @ F
        none = np.zeros_like(H)
        self.x = (F, none, none)
        self.v = (P, H, none)
        self.a = (-self.inverse @ (second_x @ F + second_v @ P), -self.inverse @ second_v @ H, H)
        own = self._of(D, 1.0, k)
        self.A = own @ H
        self.B = own @ P + self._mixed(e.rates[1], first, k) @ F

    def _of(self, table: Array, unit: float, rows: Sequence) -> Array:
        found = np.zeros((len(rows), *table.shape[1:]))
        for row, address in zip(found, rows, strict=True):
            if address.kind == "strain":
                row[:] = table[self.layout.strain_index[address]]
            else:
                row[self.layout.coordinate_index[address]] = unit
        return found[:, self.columns]

    def _mixed(self, table: Array, nominal: Array, rows: Sequence) -> Array:
        still = np.array([address.internal and address not in self.rows[: self.held] for address in rows])
        return np.where(still[:, None], self._of(nominal, 0.0, rows), self._of(table, 0.0, rows))

    def wide(self, narrow: Array) -> Array:
        """Over all coordinates."""
        wide = np.zeros((len(self.layout.coordinates), narrow.shape[1]))
        wide[self.columns] = narrow
        return wide

    def change(self, derivatives: Sequence[Array]) -> list[Array]:
        """The change of any function of x, ẋ, ẍ for changes of values, rates and accelerations."""
        by_x, by_v, by_a = derivatives[-3:]
        return [
            by_x @ self.wide(x) + by_v @ self.wide(v) + by_a @ self.wide(a)
            for x, v, a in zip(self.x, self.v, self.a, strict=True)
        ]

    @property
    def matrices(self) -> tuple[Array, Array, Array]:
        """K, C, M."""
        own = self.v[1][:, self.u :]
        changes = [own.T @ pull for pull in self._pulls]
        return changes[0], changes[1], changes[2]

    @cached_property
    def _pulls(self) -> list[Array]:
        """Changes of R, and of D_Jᵀσ by D_J: Φ changes with H too, δH = -D_J⁻¹ δD_J H."""
        e = self.equations
        pulls = [change[self.columns] for change in self.change(e.forces)]
        stress = -self.inverse.T @ e.forces[0][self.columns]
        turned = np.tensordot(stress, self._of(e.slopes[1], 0.0, self.rows)[:, :, self.columns], axes=1)
        pulls[0] = pulls[0] + turned @ self.x[0]
        return pulls

    @property
    def held_stress_change(self) -> list[Array]:
        """The changes of the stresses of the rows, from D_Jᵀσ + R = 0."""
        return [-self.inverse.T @ pull for pull in self._pulls]


def rolling_moment(model: Model, t: float, seed: int, size: float = 0.2) -> Moment:
    """A random state of motion that rolls, with accelerations that no force explains."""
    layout = Layout(model)
    system, x = Assembler(layout).system(), layout.drawn.copy()
    free = mobility(layout, system, x).independent
    places = mobility(layout, system, x, free, rolling=False).independent
    placing, moving = Transfer(layout, system, places, rolling=False), Transfer(layout, system, free)
    draw = np.random.default_rng(seed)
    q = placing.values(x, places)
    for share in np.linspace(0.0, 1.0, 17)[1:]:
        x = placing.position(q, share * t, x)
    unit = np.array([layout.size if layout.unit(address) == "m" else 1.0 for address in places])
    x = placing.position(q + size * unit * draw.uniform(-1.0, 1.0, len(places)), t, x)
    # coordinates that suit the drawn position may not suit this one
    free = mobility(layout, system, x).independent
    moving = Transfer(layout, system, free)
    unit = np.array([layout.size if layout.unit(address) == "m" else 1.0 for address in free])
    rates, second = draw.uniform(-1.0, 1.0, (2, len(free))) * unit
    v = moving.velocity(3.0 * rates, t, x)
    return Moment(t, x, v, moving.acceleration(9.0 * second, t, x, v))
