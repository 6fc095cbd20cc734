"""The exact linearised equations of motion in independent coordinates, about any state.

With G = D_I⁻¹ the inverse slopes of the held strains and the independent coordinates q, F its columns for q, and the
nominal x, ẋ, ẍ and stresses σ, small changes of the motion are

    Δx = F q,    Δẋ = F q̇ + P q,    Δẍ = F q̈ + 2P q̇ + Q q
    P = -G (D″ẋ) F,    Q = -G [(D″ẍ + D‴ẋẋ) F + 2 (D″ẋ) P]

and the balance of forces R = M ẍ + h + D′ᵀσ - f = 0 changes by

    Fᵀ(M Δẍ + R_ẋ Δẋ + R_x Δx) = 0,

in which the changes of the held stresses drop out. This is the whole list of [Schwab2002 (A.44)-(A.83)] with
its corrections: R_x has the geometric stiffness of all stresses, redundant ones included. Where the nominal motion
keeps the independent coordinates still by force, that force is the stress of q.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats, Ints
from flexura.mechanics.evaluate import drive, law_stresses
from flexura.mechanics.feedback import Fed, fed
from flexura.mechanics.layout import Layout
from flexura.mechanics.levels import call_level
from flexura.mechanics.outputs import Outputs
from flexura.mechanics.system import System
from flexura.mechanics.tangent import moduli
from flexura.model.names import Address

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Nominal:
    """A state of motion, about which small motions are taken."""

    t: float
    x: Floats
    v: Floats
    a: Floats


@dataclass(frozen=True)
class Linear:
    """M q̈ + C q̇ + K q = -force, and how all else follows.

    The columns of the matrices are the drives u first, then the independent coordinates q: a change of what is driven
    is a change like others, whose own equation is left out.
    """

    drives: int
    mass: Matrix
    damping: dict[str, Matrix]
    stiffness: dict[str, Matrix]
    """by what they come from"""
    force: Floats
    """the stresses of the independent coordinates in the nominal motion: zero where it is free"""
    F: Matrix
    P: Matrix
    Q: Matrix
    """Δx = F q, Δẋ = F q̇ + P q, Δẍ = F q̈ + 2P q̇ + Q q, over all coordinates"""
    slope: Matrix
    rate_x: Matrix
    second_x: Matrix
    """D′, ∂(D′ẋ)/∂x and ∂(D′ẍ + D″ẋẋ)/∂x of all strains, over all coordinates"""
    second_v: Matrix
    """∂(D′ẍ + D″ẋẋ)/∂ẋ of the same"""
    moduli: Matrix
    viscosity: Matrix
    balance: tuple[Matrix, Matrix, Matrix]
    """M, ∂R/∂ẋ, ∂R/∂x over all coordinates, with the stresses held"""
    inverse: Matrix
    """D_I⁻¹ over the coordinates that are not fixed"""
    fed: Fed
    """how loads and states follow what they measure"""


class Linearisation:
    """Linearises one layout about any of its states."""

    def __init__(self, layout: Layout, system: System, independent: tuple[Address, ...]) -> None:
        self.layout, self.system, self.independent = layout, system, independent
        self.outputs = Outputs(layout, "linear")
        self.calls = self.outputs.calls()
        driven = [c for c, signal in layout.known.items() if signal is not None]
        self.columns = np.array([*layout.free, *driven], dtype=np.int64)
        """the coordinates that are not fixed"""
        rigid = [layout.strains[k] for k in layout.constraints if k not in layout.driven_strain]
        self.drives = tuple(layout.strains[k] for k in layout.driven_strain) + tuple(
            layout.coordinates[c] for c in driven
        )
        self.rows = [*rigid, *self.drives, *independent]
        self.held = len(rigid)
        self._place()

    def _place(self) -> None:
        """Where the outputs of the kernels go, and where their extra inputs come from."""
        found: dict[str, list[tuple[int, int, int]]] = {}
        for group, e, quantity, i, j, source in self.outputs.each():
            column = group.coordinates[e][j]
            if quantity in {"force_x", "force_v"}:
                row = group.coordinates[e][i]
            else:  # slips come after the strains
                slips = len(group.kind.element.strains) if quantity in {"transport", "transport_rate"} else 0
                row = group.strain_start[e] + slips + i
            found.setdefault(quantity, []).append((source, row, column))
        self.places = {name: np.array(rows, dtype=np.int64).T for name, rows in found.items()}
        accelerations, weights, stresses = [], [], []
        axes, motion = self.layout.model.dimension, dict(Outputs(self.layout, "motion").extra_places())
        for group, level, start in zip(self.layout.groups, self.outputs.levels, self.outputs.extras, strict=True):
            width, rows = group.kind.width, len(group.kind.element.rows())
            for e, name in enumerate(group.names):
                at = start + e * level.extra
                accelerations += [(at + i, c) for i, c in enumerate(group.coordinates[e])]
                weights += [(at + width + i, motion[name] + i) for i in range(axes)]
                stresses += [(at + width + axes + i, group.strain_start[e] + i) for i in range(rows)]
        self.acceleration_places, self.weight_places, self.stress_places = (
            np.array(pairs, dtype=np.int64).reshape(-1, 2).T for pairs in (accelerations, weights, stresses)
        )

    def followers(self, found: Fed) -> dict[Address, tuple[Matrix, Matrix]]:
        """(Δu by Δx, Δu by Δẋ) of each signal with a load u that follows others."""
        rows: dict[Address, tuple[Matrix, Matrix]] = {}
        for k, (strain, which) in enumerate(self.system.feedback.load):
            address = (self.layout.strains if strain else self.layout.coordinates)[which]
            before = rows.get(address, (0.0, 0.0))
            rows[address] = (before[0] + found.by_x[k], before[1] + found.by_v[k])
        return rows

    # -- dense matrices ----------------------------------------------------------------------------------------

    def _kernels(self, nominal: Nominal, v: Floats, a: Floats, stress: Floats, weight: bool) -> dict[str, Matrix]:
        """The outputs of the linear level as matrices over strains or coordinates, and coordinates."""
        extra = self.calls.extra
        extra[:] = 0.0
        extra[self.acceleration_places[0]] = a[self.acceleration_places[1]]
        extra[self.stress_places[0]] = stress[self.stress_places[1]]
        if weight:
            extra[self.weight_places[0]] = self.system.motion.extra[self.weight_places[1]]
        call_level(self.system, self.calls, nominal.x, v)
        strains, coordinates = len(self.layout.strains), len(self.layout.coordinates)
        return {
            name: self._scatter(name, coordinates if name in {"force_x", "force_v"} else strains)
            for name in ("transport", "transport_rate", "rate_x", "second_x", "force_x", "force_v")
        }

    def _scatter(self, name: str, height: int) -> Matrix:
        matrix = np.zeros((height, len(self.layout.coordinates)))
        if name in self.places:
            source, row, column = self.places[name]
            np.add.at(matrix, (row, column), self.calls.out[source])
        return matrix

    @cached_property
    def _slope_places(self) -> tuple[Ints, Ints, Ints]:
        slopes = self.system.slopes
        strains = np.repeat(np.arange(len(self.layout.strains)), np.diff(slopes.start))
        return slopes.source.astype(np.int64), strains, slopes.column.astype(np.int64)

    def _slopes(self) -> Matrix:
        source, strain, column = self._slope_places
        matrix = np.zeros((len(self.layout.strains), len(self.layout.coordinates)))
        np.add.at(matrix, (strain, column), self.system.motion.out[source])
        return matrix

    def _masses(self) -> Matrix:
        table, count = self.system.mass_all, len(self.layout.coordinates)
        matrix = np.zeros((count, count))
        values = self.system.motion.out[table.source]
        np.add.at(matrix, (table.target, table.other), values)
        return matrix + np.tril(matrix, -1).T + np.triu(matrix, 1).T

    def _rows_of(self, table: Matrix, units: bool) -> Matrix:
        """The rows of held strains, drives and independent coordinates, over the coordinates that are not fixed."""
        rows = np.zeros((len(self.rows), self.columns.size))
        for row, address in zip(rows, self.rows, strict=True):
            if address.kind == "strain":
                row[:] = table[self.layout.strain_index[address]][self.columns]
            elif units:
                row[self.columns == self.layout.coordinate_index[address]] = 1.0
        return rows

    def _changes_of(self, slopes: Matrix, transport: Matrix) -> Matrix:
        """How the slopes of the rows change: of small rotations that are coordinates, with the nominal motion."""
        rows = self._rows_of(slopes, units=False)
        carried = self._rows_of(transport, units=False)
        own = np.array([address.internal and k >= self.held for k, address in enumerate(self.rows)])
        return np.where(own[:, None], carried, rows)

    # -- the equations -----------------------------------------------------------------------------------------

    def at(self, nominal: Nominal) -> Linear:
        """The linearised equations about a state."""
        s, columns = self.system, self.columns
        x, v, a = nominal.x.copy(), nominal.v.copy(), nominal.a.copy()
        drive(s, nominal.t, x, v, a)
        call_level(s, s.motion, x, v)
        stress = np.zeros(max(len(self.layout.strains), 1))
        law_stresses(s, x, v, stress)
        slope, mass = self._slopes(), self._masses()
        G: Matrix = np.asarray(np.linalg.inv(self._rows_of(slope, units=True)), dtype=np.float64)
        reaction = self._react(G, slope, mass, stress, a)

        # how the motion follows the drives and the independent coordinates
        whole = self._kernels(nominal, v, a, stress, weight=True)
        B = self._changes_of(whole["rate_x"], whole["transport"])
        second = self._changes_of(whole["second_x"], whole["transport_rate"])
        F: Matrix = G[:, self.held :]
        P: Matrix = -G @ B @ F
        Q: Matrix = -G @ (second @ F + 2.0 * B @ P)

        # how the balance of forces follows the motion
        moduli, viscosity = self._moduli()
        parts = self._parts(nominal, v, a, stress, slope, whole, moduli, viscosity)
        followed = fed(s, slope, whole["rate_x"])
        if len(followed.work):
            parts["feedback"] = followed.balance
        grid = np.ix_(columns, columns)
        own = F[:, len(self.drives) :].T
        inertia = mass[grid]
        damping = {name: own @ c[grid] @ F for name, (c, _) in parts.items()}
        stiffness = {name: own @ (k[grid] @ F + c[grid] @ P) for name, (c, k) in parts.items()}
        damping["convective"], stiffness["convective"] = 2.0 * own @ inertia @ P, own @ inertia @ Q
        force_v, force_x = (sum((part[k] for part in parts.values()), np.zeros_like(mass)) for k in range(2))
        return Linear(
            drives=len(self.drives),
            mass=own @ inertia @ F,
            damping=damping,
            stiffness=stiffness,
            force=reaction[self.held + len(self.drives) :],
            F=self._widened(F),
            P=self._widened(P),
            Q=self._widened(Q),
            slope=slope,
            rate_x=whole["rate_x"],
            second_x=whole["second_x"],
            second_v=whole["rate_x"] + self._transported(whole),
            moduli=moduli,
            viscosity=viscosity,
            balance=(mass, force_v, force_x),
            inverse=G,
            fed=followed,
        )

    def _transported(self, whole: dict[str, Matrix]) -> Matrix:
        """d(D′)/dt along the motion: that of strains is ∂(D′ẋ)/∂x, that of slips is not."""
        slips = np.array(
            [address.component in self.layout.names.elements[address.owner].slips for address in self.layout.strains]
        )
        return np.where(slips[:, None], whole["transport"], whole["rate_x"])

    def _widened(self, matrix: Matrix) -> Matrix:
        """Over all coordinates, zero where they are fixed."""
        wide = np.zeros((len(self.layout.coordinates), matrix.shape[1]))
        wide[self.columns] = matrix
        return wide

    def _react(self, G: Matrix, slope: Matrix, mass: Matrix, stress: Floats, a: Floats) -> Floats:
        """The stresses of held strains, drives and independent coordinates that balance the nominal motion."""
        s = self.system
        residual = mass @ a
        np.add.at(residual, s.reactions.force.target, s.motion.out[s.reactions.force.source])
        residual += slope.T @ stress[: len(slope)]
        for c, register in zip(s.driven.load_coordinate, s.driven.load_register, strict=True):
            residual[c] -= s.program.registers[register]
        reaction: Floats = -G.T @ residual[self.columns]
        for value, address in zip(reaction, self.rows, strict=True):
            if address.kind == "strain":
                stress[self.layout.strain_index[address]] += value
        return reaction

    def _parts(
        self,
        nominal: Nominal,
        v: Floats,
        a: Floats,
        stress: Floats,
        slope: Matrix,
        whole: dict[str, Matrix],
        moduli: Matrix,
        viscosity: Matrix,
    ) -> dict[str, tuple[Matrix, Matrix]]:
        """(∂R/∂ẋ, ∂R/∂x) over all coordinates, by where they come from."""
        nothing, still = np.zeros_like(stress), np.zeros_like(v)
        inertia = self._kernels(nominal, v, a, nothing, weight=False)
        geometric = self._kernels(nominal, still, still, stress, weight=False)["force_x"]
        none = np.zeros_like(geometric)
        return {
            "material": (none, slope.T @ moduli @ slope),
            "damping": (slope.T @ viscosity @ slope, slope.T @ viscosity @ whole["rate_x"]),
            "geometric": (none, geometric),
            "weight": (none, whole["force_x"] - inertia["force_x"] - geometric),
            "inertia": (inertia["force_v"], inertia["force_x"]),
        }

    def _moduli(self) -> tuple[Matrix, Matrix]:
        """∂σ/∂ε and ∂σ/∂ε̇ of the laws."""
        laws, count = self.system.laws, len(self.layout.strains)
        found = []
        plain = np.array(moduli(self.system, 0.0))
        mixed = np.array(moduli(self.system, 1.0)) - plain
        for values in (plain, mixed):
            matrix = np.zeros((count, count))
            rows = np.repeat(laws.strain, np.diff(laws.start))
            np.add.at(matrix, (rows, laws.other), values[: laws.other.size])
            for n, row in enumerate(laws.program):
                k = laws.strain[row[0]]
                matrix[k, k] += values[laws.other.size + n]
            found.append(matrix)
        return found[0], found[1]
