"""Solution of linear equations between signals and coordinates: dense for small models, sparse for large ones."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import lsmr, splu

from flexura.derive.records import Floats
from flexura.mechanics.motion.sparse_equations import Sparse

LARGE = 200
"""Number of unknowns above which matrices are sparse; smaller models use dense factors and their pivoting."""


def solved(matrix: Sparse, right: Floats) -> Floats:
    """Solution of matrix · y = right, or the least-squares solution if it is not unique or does not exist."""
    if matrix.shape[1] <= LARGE:
        dense = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
        return np.asarray(np.linalg.lstsq(dense, right, rcond=1e-12)[0])
    if matrix.shape[0] == matrix.shape[1]:
        try:
            found = splu(matrix.tocsc()).solve(right)
        except RuntimeError:  # exactly singular
            found = np.array([np.nan])
        if np.all(np.isfinite(found)):
            return np.asarray(found)
    return np.asarray(lsmr(matrix, right, atol=1e-14, btol=1e-14, maxiter=10 * matrix.shape[1])[0])
