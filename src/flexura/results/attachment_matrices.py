"""Matrices that attachments to signals add to linear equations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.results.signal_rows import Following

Array = NDArray[np.float64]


def added_matrices(
    following: Following, drives: int, signals: Sequence[str], matrices: tuple[Any, Any, Any]
) -> tuple[Array, Array, Array]:
    """Inertia, damping and stiffness of forces -(K y + C ẏ + M ÿ) on signals y [Schwab2002 (2.14)-(2.15)].

    The rows are those of the independent coordinates; the columns of the drives come first.
    """
    rows = [[following.rows(signal, order, False) for signal in signals] for order in range(3)]
    F, P, Q = (np.array([row[0] for row in rows[order]]) for order in range(3))
    H, T = np.array([row[1] for row in rows[1]]), np.array([row[1] for row in rows[2]])
    stiffness, damping, inertia = (_square(matrix, len(signals)) for matrix in matrices)
    own = H[:, drives:].T
    return (
        own @ inertia @ H,
        own @ (damping @ H + inertia @ T),
        own @ (stiffness @ F + damping @ P + inertia @ Q),
    )


def _square(matrix: Any, size: int) -> Array:
    """A matrix, or a number times the unit matrix."""
    given = np.asarray(matrix, dtype=float)
    if given.ndim == 0:
        return float(given) * np.eye(size)
    if given.shape != (size, size):
        what = f"a matrix of shape {given.shape} does not fit {size} signals"
        raise ModelError("attach", what, f"give a matrix of {size} by {size}, or a number")
    return given
