"""Forces of redundant constraints: those of least norm among all that balance the loads.

The constraints of a dependent group have slopes G with λᵀG = 0 for the self-stresses λ = Z α, which neither motion nor
load determines. With Q = 1 for forces and 1/L² for moments the forces of least norm λᵀQλ are unique, and do not depend
on the set of constraints that is held.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array, csr_array, eye_array
from scipy.sparse.linalg import lsmr, splu

from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sparse_equations import Sparse
from flexura.mechanics.preparation.signal_slopes import SignalIndex, Slopes
from flexura.mechanics.preparation.sparse_solution import LARGE
from flexura.model.names import Address

_UNIQUE = 1e-8
"""Largest fraction of a self-stress of unit norm in a unique force."""
_MANY = 50
"""Number of redundant constraints beyond which self-stresses are not listed."""
_BALANCED = 1e-9
"""Largest unbalanced force of a self-stress of unit norm on a coordinate, relative to the largest slope."""

_DEPENDENT = 1e-14
"""Smallest pivot, relative to the largest, of the squares of independent rows."""


class LeastNorm:
    """Distribution of forces over the dependent constraints of a layout."""

    def __init__(self, layout: Layout, system: System) -> None:
        self.layout, self.system = layout, system
        self.group = [a for a in layout.redundancy.group if a.kind == "strain"]
        self.strains: Ints = np.array([layout.strain_index[a] for a in self.group], dtype=np.int64)
        self._index = SignalIndex.of(layout, self.group)
        self._root_q = np.array([1.0 if layout.unit(a) == "m" else 1.0 / layout.size for a in self.group])
        self._excess = len(layout.redundancy.left_out)
        left_out = set(layout.redundancy.left_out)
        self._left_out = np.array([i for i, a in enumerate(self.group) if a in left_out], dtype=np.int64)
        self._loose = np.zeros(len(self.group))
        self._known = np.zeros(len(layout.coordinates))
        self._orientations = _free_orientations(layout)

    def distribute(self, x: Floats, stress: Floats) -> None:
        """Replace the stresses of the group at a position; groups that consist of coordinates have none."""
        if not self.group:
            return
        slopes = Slopes(self.layout, self.system, x)
        values, row, c = slopes.entries(self._index)
        every = csr_array((values / self._root_q[row], (row, c)), shape=(len(self.group), self._known.size))
        free = (every @ self._motions(x))[:, self.layout.free].tocsr()
        wanted = stress[self.strains] * self._root_q
        null = self._self_stresses(free)
        if null is not None:
            found = wanted - null @ (null.T @ wanted)
        else:
            # a random self-stress has a component along all of them
            null = _outside(free, np.random.default_rng(0).standard_normal((len(self.group), 1)))
            found = wanted - _outside(free, wanted[:, None])[:, 0]
        stress[self.strains] = found / self._root_q
        self._loose = np.maximum(self._loose, np.abs(null).max(axis=1, initial=0.0))
        scale = np.abs(every).max(axis=0).toarray().ravel()
        reaction = np.abs(every.T @ null).max(axis=1, initial=0.0)
        self._known = np.maximum(self._known, reaction / np.where(scale > 0.0, scale, 1.0))

    def _motions(self, x: Floats) -> Sparse:
        """Projection on the motions that keep Euler parameters normalised: self-stresses need not balance others."""
        count, turns = self._known.size, self._orientations
        e = x[turns] / np.linalg.norm(x[turns], axis=1, keepdims=True)
        rows, columns = np.repeat(turns, 4, axis=1).ravel(), np.tile(turns, (1, 4)).ravel()
        lengths = coo_array(((e[:, :, None] * e[:, None, :]).ravel(), (rows, columns)), shape=(count, count))
        return (eye_array(count) - lengths).tocsr()

    def _self_stresses(self, rows: Sparse) -> Floats | None:
        """Orthonormal basis of the self-stresses of the group; None if there are too many of them."""
        if len(self.group) <= LARGE:
            return np.asarray(np.linalg.svd(rows.toarray())[0][:, len(self.group) - self._excess :])
        if self._left_out.size != self._excess or self._excess > _MANY:
            return None
        return self_stresses(rows, self._left_out)

    @property
    def not_unique(self) -> list[Address]:
        """Strains of the group whose forces were not unique at some position."""
        return [a for a, part in zip(self.group, self._loose, strict=True) if part > _UNIQUE]

    @property
    def reactions_not_unique(self) -> list[str]:
        """Known coordinates, or whole orientations, whose reactions were not unique at some position."""
        known = [self.layout.coordinates[c] for c in self.layout.known if self._known[c] > _UNIQUE]
        in_space = self.layout.model.dimension == 3
        return list(dict.fromkeys(a.owner if a.turns and in_space else str(a) for a in known))

    @property
    def unique(self) -> list[Address]:
        """Strains of the group whose forces were unique at all positions."""
        return [a for a, part in zip(self.group, self._loose, strict=True) if part <= _UNIQUE]


def _free_orientations(layout: Layout) -> Ints:
    """Euler parameters of the orientations in space whose unit length is held, one row for each orientation."""
    owners = [layout.strains[k].owner.partition(":")[0] for k in layout.unit_lengths]
    turns = layout.names.turn_components
    found = [[layout.coordinate_index[Address("coordinate", owner, c)] for c in turns] for owner in owners]
    return np.array(found, dtype=np.int64).reshape(-1, 4)


def self_stresses(rows: Sparse, left_out: Ints) -> Floats | None:
    """Orthonormal basis of the self-stresses of rows, of which those ``left_out`` depend on the others.

    Each begins with one of the former; the others balance it, by factors of their squares and corrections. None if
    the others are nearly dependent.
    """
    kept = np.setdiff1d(np.arange(rows.shape[0]), left_out)
    held, basis = rows[kept], np.zeros((rows.shape[0], left_out.size))
    basis[left_out, np.arange(left_out.size)] = 1.0
    try:
        factors = splu((held @ held.T).tocsc())
    except RuntimeError:  # exactly singular
        return None
    pivots = np.abs(factors.U.diagonal())
    if pivots.min() <= _DEPENDENT * pivots.max():
        return None
    for _ in range(3):
        basis[kept] -= factors.solve(held @ (rows.T @ basis))
    null = np.linalg.qr(basis)[0]
    left = np.abs(rows.T @ null).max(initial=0.0)
    return np.asarray(null) if left <= _BALANCED * abs(rows).max() else None


def _outside(rows: Sparse, columns: Floats) -> Floats:
    """Components of columns outside the range of a matrix."""
    tight = {"atol": 1e-14, "btol": 1e-14, "maxiter": 20 * max(rows.shape)}
    return np.stack([column - rows @ lsmr(rows, column, **tight)[0] for column in columns.T], axis=1)
