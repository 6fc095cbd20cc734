"""Slopes of signals over the free coordinates in one position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact
from flexura.mechanics.core.slope_table import spread
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sparse_equations import Sparse
from flexura.mechanics.preparation.sparse_solution import LARGE
from flexura.model.names import Address

Matrix = NDArray[np.float64]


class SignalIndex(NamedTuple):
    """Indices of a list of signals: positions in the list with the coordinates, and with the strains."""

    number: int
    on_coordinates: Ints
    coordinate: Ints
    on_strains: Ints
    strain: Ints
    size: Floats
    """length or angle that counts as one"""

    @staticmethod
    def of(layout: Layout, addresses: Sequence[Address]) -> SignalIndex:
        """Indices of signals by their addresses."""
        numbered = list(enumerate(addresses))
        plain = [(n, layout.coordinate_index[a]) for n, a in numbered if a.kind == "coordinate"]
        strains = [(n, layout.strain_index[a]) for n, a in numbered if a.kind == "strain"]
        row, c = np.array(plain, dtype=np.int64).reshape(-1, 2).T
        of, k = np.array(strains, dtype=np.int64).reshape(-1, 2).T
        size = np.array([layout.extent(a) for a in addresses])
        return SignalIndex(len(addresses), row, c, of, k, size)


class Slopes:
    """Rows ∂(signal)/∂x over the free coordinates in one position, scaled to lengths and radians of equal weight."""

    def __init__(self, layout: Layout, system: System, x: Floats) -> None:
        self.layout = layout
        call_level(system, system.shape, x, np.zeros_like(x))
        self.out = system.shape.out.copy()
        self.table = system.shape_slopes
        self.column, self.scale = _free_columns(layout)
        """place of each coordinate among the free ones, and their scales"""
        self._entries: dict[int, tuple[SignalIndex, tuple[Floats, Ints, Ints]]] = {}
        self._matrices: dict[int, Sparse] = {}

    def of(self, addresses: Sequence[Address], scaled: bool = True) -> Matrix:
        """Dense rows of these signals."""
        return self._dense(known_index(self.layout, tuple(addresses)), scaled)

    def _dense(self, index: SignalIndex, scaled: bool) -> Matrix:
        values, row, column = self._free_entries(index, scaled)
        rows = np.zeros((index.number, self.scale.size))
        np.add.at(rows, (row, column), values)
        return rows

    def sparse(self, index: SignalIndex, scaled: bool = True) -> Sparse:
        """Sparse rows of these signals."""
        values, row, column = self._free_entries(index, scaled)
        return csr_array((values, (row, column)), shape=(index.number, self.scale.size))

    def matrix(self, index: SignalIndex) -> Sparse:
        """Rows of these signals without scales, dense in a small model."""
        if id(index) not in self._matrices:
            form = self.sparse if self.scale.size > LARGE else self._dense
            self._matrices[id(index)] = form(index, scaled=False)
        return self._matrices[id(index)]

    def rates(self, v: Floats, index: SignalIndex) -> Floats:
        """The rates of these signals."""
        values, row, c = self.entries(index)
        return np.asarray(np.bincount(row, values * v[c], index.number), dtype=np.float64)

    def values(self, x: Floats, index: SignalIndex) -> Floats:
        """The values of these signals at the position."""
        result = np.zeros(index.number)
        result[index.on_coordinates] = x[index.coordinate]
        result[index.on_strains] = self.out[self.table.strain[index.strain]]
        return result

    def _free_entries(self, index: SignalIndex, scaled: bool) -> tuple[Floats, Ints, Ints]:
        """(values, numbers of signals, places among the free coordinates) of the slopes."""
        values, row, c = self.entries(index)
        column = self.column[c]
        free = column >= 0
        values, row, column = values[free], row[free], column[free]
        return values * self.scale[column] / index.size[row] if scaled else values, row, column

    def entries(self, index: SignalIndex) -> tuple[Floats, Ints, Ints]:
        """(values, numbers of signals, coordinates) of the slopes, of coordinates and then of strains."""
        if id(index) not in self._entries:
            self._entries[id(index)] = index, self._found_entries(index)
        return self._entries[id(index)][1]

    def _found_entries(self, index: SignalIndex) -> tuple[Floats, Ints, Ints]:
        which, entry = spread(self.table.start, index.strain)
        return (
            np.concatenate([np.ones(index.coordinate.size), self.out[self.table.source[entry]]]),
            np.concatenate([index.on_coordinates, index.on_strains[which]]),
            np.concatenate([index.coordinate, self.table.column[entry].astype(np.int64)]),
        )


def known_index(layout: Layout, addresses: tuple[Address, ...]) -> SignalIndex:
    """Indices of signals, cached for the few lists that a small model needs."""
    key = (SignalIndex, addresses)
    if key in layout.facts:
        found: SignalIndex = layout.facts[key]
        return found
    index = SignalIndex.of(layout, addresses)
    if len(addresses) <= LARGE:
        layout.facts[key] = index
    return index


@fact
def _free_columns(layout: Layout) -> tuple[Ints, Floats]:
    """Place of each coordinate among the free ones, -1 for the others; and the extents of the free ones."""
    free, column = layout.free, np.full(len(layout.coordinates), -1)
    column[free] = np.arange(len(free))
    return column, np.array([layout.extent(layout.coordinates[c]) for c in free])


def held(layout: Layout, rolling: bool = True) -> list[Address]:
    """Rigid and driven strains, with or without held slips."""
    slips = () if rolling else set(layout.rolling)
    return [layout.strains[k] for k in layout.constraints if k not in slips]
