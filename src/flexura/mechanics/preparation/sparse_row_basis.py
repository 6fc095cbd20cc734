"""Basis of the rows of signals of a large model, by sparse elimination."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr
from scipy.sparse import block_array, coo_array, csr_array, diags_array, eye_array, vstack
from scipy.sparse.csgraph import breadth_first_order, connected_components
from scipy.sparse.linalg import splu

from flexura.derive.records import Ints
from flexura.mechanics.core.row_elimination import DOUBTFUL, KEPT, RowElimination
from flexura.mechanics.motion.sparse_equations import Sparse
from flexura.mechanics.preparation.row_basis import SMALL, release_cost
from flexura.mechanics.preparation.signal_slopes import SignalIndex, Slopes
from flexura.model.names import Address

_NONE, _CLEAR = 1e-3, 1e3
"""Independence in an elimination, relative to the least sine, that is clearly insufficient, and clearly sufficient."""
_MOST_DOUBTFUL = 300
"""Maximum number of doubtful rows that are examined by dense factors."""


class SparseBasis:
    """Sparse rows, eliminated from the tips of the mechanism towards the ground.

    This order has little fill in trees. Rows whose independence is doubtful are projected on the complement of the
    others, and examined there as dense rows.
    """

    def __init__(self, slopes: Slopes) -> None:
        self.slopes = slopes
        self.depth = depths(slopes)
        self.elimination = RowElimination(self.depth)
        self.rows: list[Sparse] = []

    def hold(self, signals: Sequence[Address]) -> list[int]:
        """Start with held strains."""
        kept = self._add(self._rows(signals), SMALL, _NONE * SMALL, _CLEAR * SMALL)
        return [k for k in range(len(signals)) if not kept[k]]

    def dependent(self, signals: Sequence[Address]) -> list[Address]:
        """Signals in vanishing combinations: redundant ones, and those that they are combinations of."""
        other = SparseBasis(self.slopes)
        surplus = other.hold(signals)
        rows = self._rows(signals)
        count = rows.shape[1]
        kept = np.setdiff1d(np.arange(len(signals)), surplus)
        factors = splu(_normal(rows[kept]))
        found = set(surplus)
        for k in surplus:
            right = np.zeros(count + kept.size)
            right[:count] = rows[[k]].toarray()[0]
            found |= set(kept[np.abs(factors.solve(right)[count:]) > 1e-6].tolist())
        return [signals[k] for k in sorted(found)]

    def surplus(self, signals: Sequence[Address], excess: int) -> list[Address]:
        """Redundant signals, if those that are hardest to release are held first."""
        basis, found = SparseBasis(self.slopes), set[Address]()
        levels = [release_cost(self.slopes.layout, a) for a in signals]
        for level in sorted(set(levels), reverse=True):
            group = [a for a, own in zip(signals, levels, strict=True) if own == level]
            found |= {group[k] for k in basis.hold(group)}
        return [a for a in signals if a in found]

    def extend(self, signals: Sequence[Address], wanted: int, least: float) -> list[Address]:
        """Choose the deepest signals first."""
        strict = least < 1e-3
        limits = (_NONE * least, _CLEAR * least) if strict else (least, least)
        kept = self._add(self._rows(signals), least, *limits)
        return [a for a, own in zip(signals, kept, strict=True) if own][:wanted]

    def _rows(self, signals: Sequence[Address]) -> Sparse:
        """Rows of unit norm; rows that are rounding become zero."""
        rows = self.slopes.sparse(SignalIndex.of(self.slopes.layout, signals))
        sizes = np.sqrt(np.bincount(_numbers(rows), rows.data**2, rows.shape[0]))
        return csr_array(diags_array(np.where(sizes > SMALL, 1.0 / np.maximum(sizes, SMALL), 0.0)) @ rows)

    def _add(self, rows: Sparse, least: float, none: float, clear: float) -> NDArray[np.bool_]:
        """Keep independent rows, the deepest first; returns a mask of those kept."""
        kept = np.zeros(rows.shape[0], dtype=bool)
        if not rows.shape[0]:
            return kept
        deepest = np.full(rows.shape[0], -1)
        np.maximum.at(deepest, _numbers(rows), self.depth[rows.indices])
        order = np.argsort(-deepest, kind="stable")
        verdict = self._eliminate(rows[order], none, clear)
        kept[order] = verdict == KEPT
        doubtful = order[verdict == DOUBTFUL]
        self.rows.append(rows[kept])
        if doubtful.size:
            if doubtful.size <= _MOST_DOUBTFUL:
                doubtful = doubtful[self._examine(rows[doubtful], least)]
            self._eliminate(rows[doubtful], 0.0, 0.0)
            kept[doubtful] = True
            self.rows.append(rows[doubtful])
        return kept

    def _eliminate(self, rows: Sparse, none: float, clear: float) -> Ints:
        start, column = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
        return self.elimination.extend(start, column, rows.data, none, clear)

    def _examine(self, doubtful: Sparse, least: float) -> Ints:
        """Doubtful rows with at least this sine of the angle to the others, the most independent first."""
        basis = vstack(self.rows, format="csr")
        rest, count = doubtful.toarray(), basis.shape[1]
        if basis.shape[0]:
            right = np.zeros((count + basis.shape[0], len(rest)))
            right[:count] = rest.T
            rest = splu(_normal(basis)).solve(right)[:count].T
        _, r, order = qr(rest.T, mode="economic", pivoting=True)
        return np.asarray(order[: int(np.sum(np.abs(np.diag(r)) > least))])


def _numbers(rows: Sparse) -> Ints:
    """The number of the row of each entry."""
    return np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))


def _normal(rows: Sparse) -> Sparse:
    """Matrix that decomposes a vector into a component normal to the rows and a combination of them."""
    none = coo_array((rows.shape[0], rows.shape[0]))
    return block_array([[eye_array(rows.shape[1]), rows.T], [rows, none]], format="csc")


def depths(slopes: Slopes) -> Ints:
    """Numbers of the free coordinates, increasing with their distance from the ground in the graph of elements."""
    layout, count = slopes.layout, slopes.scale.size
    ground, first, rows, columns = count, count + 1, list[Ints](), list[Ints]()
    for group in layout.groups:
        table = slopes.column[group.table]
        element = first + np.arange(len(table))
        first += len(table)
        rows.append(np.repeat(element, table.shape[1]))
        columns.append(np.where(table >= 0, table, ground).ravel())
    row, column = np.concatenate([[ground], *rows]), np.concatenate([[ground], *columns])
    graph = coo_array((np.ones(row.size), (row, column)), shape=(first, first))
    # parts without a connection to the ground begin at their first coordinate
    _, label = connected_components(graph, directed=False)
    _, roots = np.unique(label, return_index=True)
    roots = roots[label[roots] != label[ground]]
    row, column = np.concatenate([row, roots]), np.concatenate([column, np.full(roots.size, ground)])
    graph = coo_array((np.ones(row.size), (row, column)), shape=(first, first)).tocsr()
    order = breadth_first_order(graph, ground, directed=False, return_predecessors=False)
    depth = np.zeros(first, dtype=np.int64)
    depth[order] = np.arange(order.size)
    return depth[:count]
