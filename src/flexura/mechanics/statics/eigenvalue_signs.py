"""Signs of the eigenvalues of a symmetric matrix."""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dsytrf

from flexura.derive.records import Floats

_SYMMETRIC = 1e-9
"""Difference from the transpose, relative to the largest entry, that is rounding."""


def negative_eigenvalues(matrix: Floats) -> int | None:
    """Number of negative eigenvalues of a symmetric matrix from its factors; None for other matrices."""
    if np.abs(matrix - matrix.T).max(initial=0.0) > _SYMMETRIC * np.abs(matrix).max(initial=0.0):
        return None
    factors, pivots, _ = dsytrf(matrix, lower=1)
    # a 2 × 2 block has one eigenvalue of each sign, and both of its rows a negative number
    single = pivots > 0
    return int(np.count_nonzero(np.diag(factors)[single] < 0.0)) + int(np.count_nonzero(~single)) // 2
