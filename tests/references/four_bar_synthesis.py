"""Path synthesis of a four-bar linkage from its loop equation, independent of the program.

The crank of length a turns from the x axis; B is where the circles of coupler and rocker meet, on the side of its
first position. Squares of distances are least by SciPy with differences of the closed form.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, least_squares

Array = NDArray[np.float64]


def coupler_points(p: Array, angles: Array) -> Array:
    """Positions of the coupler point, given A.x, B, C and D.x in the position with the crank along x."""
    a, bx, by, cx, cy, d = p
    coupler, rocker = complex(bx - a, by), complex(bx - d, by)
    pen = complex(cx - a, cy) / coupler
    side = np.sign((np.conj(complex(d - a)) * coupler).imag)
    A = a * np.exp(1j * np.asarray(angles))
    frame = d - A
    # the triangle of coupler, rocker and what is between their joints
    along = (abs(coupler) ** 2 - abs(rocker) ** 2 + np.abs(frame) ** 2) / (2.0 * np.abs(frame))
    across = np.sqrt(np.maximum(abs(coupler) ** 2 - along**2, 0.0))
    to_b = frame / np.abs(frame) * (along + 1j * side * across)
    found = A + pen * to_b
    return np.array([found.real, found.imag])


def synthesis(first: Array, angles: Array, points: Array) -> OptimizeResult:
    """Least squares from a first linkage, without derivatives."""

    def residuals(p: Array) -> Array:
        return np.asarray((coupler_points(p, angles) - points).ravel())

    return least_squares(residuals, first, "3-point", xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=2000)
