"""Linear algebra with the mass matrix; coordinates without inertia raise an error that names them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from flexura.errors import ModelError

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

_NONE = 1e-13
"""Inertia, relative to that of single coordinates, that is rounding."""


def undamped_modes(coordinates: Sequence[str], K: Array, M: Array) -> tuple[Complex, Complex]:
    """Eigenvalues iω, or real ones for motions without stiffness, and shapes of unit modal mass."""
    require_inertia(coordinates, M)
    squares, shapes = eigh(0.5 * (K + K.T), M)
    values = np.where(squares >= 0.0, 1j * np.sqrt(np.abs(squares)), np.sqrt(np.abs(squares)))
    return values.astype(complex), shapes.astype(complex)


def accelerations(coordinates: Sequence[str], M: Array, forces: Array) -> Array:
    """M⁻¹ times forces."""
    require_inertia(coordinates, M)
    return np.asarray(np.linalg.solve(M, forces))


def require_inertia(coordinates: Sequence[str], M: Array) -> None:
    """Require a regular mass matrix; otherwise name the coordinates that move without inertia."""
    size = np.sqrt(np.abs(np.diag(M)))
    size[size == 0.0] = 1.0
    values, shapes = np.linalg.eigh(0.5 * (M + M.T) / np.outer(size, size))
    light = np.abs(values) <= _NONE
    if not light.any():
        return
    parts = np.abs(shapes[:, light]).max(axis=1)
    names = ", ".join(name for name, part in zip(coordinates, parts, strict=True) if part > 0.1)
    what = f"small motions have no inertia in {names}"
    raise ModelError("model", what, "give the part that moves a mass or an inertia, fix it, or remove it")
