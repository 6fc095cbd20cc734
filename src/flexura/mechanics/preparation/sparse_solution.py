"""Solution of linear equations between signals and coordinates: dense for small models, sparse for large ones."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import lsmr, splu

from flexura.derive.records import Floats
from flexura.mechanics.core.elimination_order import eliminate
from flexura.mechanics.core.factors import factorise, solve
from flexura.mechanics.motion.sparse_equations import Sparse
from flexura.mechanics.preparation.structural_rank import structural_rank

LARGE = 200
"""Number of unknowns above which matrices are sparse; smaller models use dense factors and their pivoting."""
_REGULAR = 1e-9
"""Weight of multipliers, against the square of the largest row, that keeps equations regular where rows depend."""
_CORRECTIONS = 8
_ACROSS = 1e-13
"""Residual across the rows, against the largest row and the right-hand side, that a solution leaves at most."""


def solved(matrix: Sparse, right: Floats) -> Floats:
    """Solution of matrix · y = right, or the least-squares solution if it is not unique or does not exist."""
    if matrix.shape[1] <= LARGE:
        dense = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
        return np.asarray(np.linalg.lstsq(dense, right, rcond=1e-12)[0])
    rows = csr_array(matrix)
    # what is singular by its pattern makes SuperLU call dense routines with sizes below zero
    if rows.shape[0] == rows.shape[1] and structural_rank(rows) == rows.shape[0]:
        try:
            found = splu(rows.tocsc()).solve(right)
        except RuntimeError:  # exactly singular
            found = np.array([np.nan])
        if np.all(np.isfinite(found)):
            return np.asarray(found)
    least = _least_norm(rows, right)
    if least is not None:
        return least
    return np.asarray(lsmr(rows, right, atol=1e-14, btol=1e-14, maxiter=10 * rows.shape[1])[0])


def _least_norm(rows: Sparse, right: Floats) -> Floats | None:
    """Solution y = Dᵀw of least norm for rows D that may be dependent; None if this does not converge.

    In D y - ε w = r dependent rows leave the equations regular. Corrections take the error of ε away.
    """
    number, count = rows.shape
    entries, size = rows.tocoo(), np.sqrt(rows.multiply(rows).sum(axis=1).max())
    row, column = count + entries.row.astype(np.int64), entries.col.astype(np.int64)
    pattern = eliminate(count + number, row, column, count)
    factors, y, w = pattern.factors, pattern.place[:count], pattern.place[count:]
    factors.values[y], factors.values[w] = 1.0, -_REGULAR * size**2
    factors.values[pattern.at(row, column)] = entries.data
    factorise(factors, np.zeros(count + number))
    found, left, allowed = np.zeros(count), right, _ACROSS * size * np.abs(right).max(initial=0.0)
    for _ in range(_CORRECTIONS):
        z = np.zeros(count + number)
        z[w] = left
        solve(factors, z)
        found += z[y]
        left = right - rows @ found
        if np.abs(rows.T @ left).max(initial=0.0) <= allowed:
            return found
    return None
