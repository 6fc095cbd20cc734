"""Linearisation as dense tables over all strains and coordinates, for derived quantities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats
from flexura.mechanics.linear.linear_arrays import LinearArrays
from flexura.mechanics.linear.linearisation import Linear
from flexura.mechanics.motion.feedback_slopes import Fed, fed
from flexura.model.names import Address

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Tables:
    """Tables from which a :class:`~flexura.mechanics.linear.linearisation.Linear` is assembled."""

    arrays: LinearArrays
    linear: Linear

    @property
    def _shape(self) -> tuple[int, int]:
        return len(self.arrays.layout.strains), len(self.arrays.layout.coordinates)

    def _of_level(self, name: str, height: int) -> Matrix:
        matrix = np.zeros((height, self._shape[1]))
        source, row, column = self.arrays.places[name]
        np.add.at(matrix, (row, column), self.linear.linear[source])
        return matrix

    @cached_property
    def unfed(self) -> Tables:
        """Tables without loads and states that depend on signals."""
        return Tables(self.arrays, replace(self.linear, fed=np.zeros_like(self.linear.fed)))

    @cached_property
    def slope(self) -> Matrix:
        """D′ of all strains."""
        slopes, matrix = self.arrays.system.slopes, np.zeros(self._shape)
        strain = np.repeat(np.arange(len(slopes.start) - 1), np.diff(slopes.start))
        np.add.at(matrix, (strain, slopes.column.astype(np.int64)), self.linear.motion[slopes.source])
        return matrix

    @cached_property
    def rate_x(self) -> Matrix:
        """∂(D′ẋ)/∂x."""
        return self._of_level("rate_x", self._shape[0])

    @cached_property
    def second_x(self) -> Matrix:
        """∂(D′ẍ + D″ẋẋ)/∂x."""
        return self._of_level("second_x", self._shape[0])

    @cached_property
    def second_v(self) -> Matrix:
        """∂(D′ẍ + D″ẋẋ)/∂ẋ: twice the change of D′ along the motion, except for slips."""
        layout = self.arrays.layout
        slips = np.array(
            [address.component in layout.names.elements[address.owner].slips for address in layout.strains]
        )
        return self.rate_x + np.where(slips[:, None], self.transport, self.rate_x)

    @cached_property
    def transport(self) -> Matrix:
        """d(D′)/dt along the motion, of slips."""
        return self._of_level("transport", self._shape[0])

    @cached_property
    def transport_rate(self) -> Matrix:
        """d²(D′)/dt² along the motion, of slips."""
        return self._of_level("transport_rate", self._shape[0])

    @cached_property
    def mass(self) -> Matrix:
        """M."""
        table, matrix = self.arrays.system.mass_all, np.zeros((self._shape[1],) * 2)
        np.add.at(matrix, (table.target, table.other), self.linear.motion[table.source])
        return matrix + np.tril(matrix, -1).T + np.triu(matrix, 1).T

    def _by_laws(self, values: Floats) -> Matrix:
        matrix = np.zeros((self._shape[0],) * 2)
        modulus, strain, other = self.arrays.law_pairs()
        np.add.at(matrix, (strain, other), values[modulus])
        return matrix

    @cached_property
    def moduli(self) -> Matrix:
        """∂σ/∂ε of the laws."""
        return self._by_laws(self.linear.moduli)

    @cached_property
    def viscosity(self) -> Matrix:
        """∂σ/∂ε̇ of the laws."""
        return self._by_laws(self.linear.viscosity)

    @cached_property
    def force_v(self) -> Matrix:
        """∂R/∂ẋ of the balance of forces, with constant stresses of held strains."""
        return self.kernel_v + self.slope.T @ self.viscosity @ self.slope + self._fed.balance[0]

    @cached_property
    def force_x(self) -> Matrix:
        """∂R/∂x of the same."""
        by_laws = self.moduli @ self.slope + self.viscosity @ self.rate_x
        return self.kernel_x + self.slope.T @ by_laws + self._fed.balance[1]

    @cached_property
    def kernel_v(self) -> Matrix:
        """∂R/∂ẋ without laws: inertia."""
        return self._of_level("force_v", self._shape[1])

    @cached_property
    def kernel_x(self) -> Matrix:
        """∂R/∂x without laws: inertia, weight and constant stresses."""
        return self._of_level("force_x", self._shape[1])

    @property
    def feedback(self) -> tuple[Matrix, Matrix]:
        """∂R/∂ẋ and ∂R/∂x of loads and states that depend on signals."""
        return self._fed.balance

    @cached_property
    def _fed(self) -> Fed:
        return fed(self.arrays.system, self.linear.fed, self.slope, self.rate_x)

    @cached_property
    def followers(self) -> dict[Address, tuple[Matrix, Matrix]]:
        """(∂u/∂x, ∂u/∂ẋ) of each signal with a load u that depends on others."""
        layout, rows = self.arrays.layout, dict[Address, tuple[Matrix, Matrix]]()
        for k, (strain, which) in enumerate(self.arrays.system.feedback.load):
            address = (layout.strains if strain else layout.coordinates)[which]
            before = rows.get(address, (0.0, 0.0))
            rows[address] = (before[0] + self._fed.by_x[k], before[1] + self._fed.by_v[k])
        return rows

    @cached_property
    def inverse(self) -> Matrix:
        """D_I⁻¹ over the coordinates that are not fixed."""
        layout, columns = self.arrays.layout, self.arrays.columns
        rows = np.zeros((len(self.arrays.rows), columns.size))
        for row, address in zip(rows, self.arrays.rows, strict=True):
            if address.kind == "strain":
                row[:] = self.slope[layout.strain_index[address]][columns]
            else:
                row[columns == layout.coordinate_index[address]] = 1.0
        return np.asarray(np.linalg.inv(rows), dtype=np.float64)
