"""Frequencies of a uniform slender blade that turns about an axis at right angles to it, by Rayleigh and Ritz.

The blade of length L is clamped at the radius r₀ of a hub and neither stretches nor twists. The tension of the turning
at the place x from the clamp, and the energies of a small deflection w in flap (along the axis) are

    T(x) = ρA Ω² [r₀ (L − x) + (L² − x²)/2],   2U = ∫ EI w''² + T w'² dx,   2K = ∫ ρA ẇ² dx

(W. Carnegie, Journal of Mechanical Engineering Science 1 (1959) 235–240). In the plane of rotation (lag) the
centrifugal force also pushes outward, in the direction from the axis: 2U has −ρA Ω² w² besides, whence
ω²(lag) = ω²(flap) − Ω² [R. V. Southwell and B. S. Gough, ARC R&M 766 (1921)].

The functions are (x/L)² times Legendre polynomials, the integrals exact by Gauss. The numbers without dimension have
EI = ρA = L = 1; the speed ratio is Ω √(ρA L⁴/EI).
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial.legendre import Legendre, leggauss
from numpy.typing import NDArray
from scipy.linalg import eigh

Array = NDArray[np.float64]


def flap(number: int, speed: float, hub: float = 0.0, functions: int = 16) -> Array:
    """The first frequencies along the axis of rotation, by the speed ratio and the radius of the hub as a part of L."""
    # functions and their derivatives at the places of Gauss
    nodes, weights = leggauss(2 * functions + 4)
    x, weights = 0.5 * (nodes + 1.0), 0.5 * weights
    basis = [Legendre.basis(k, domain=[0.0, 1.0]) for k in range(functions)]
    P0, P1, P2 = (np.array([P.deriv(d)(x) if d else P(x) for P in basis]) for d in range(3))
    w, slope, curvature = x**2 * P0, 2.0 * x * P0 + x**2 * P1, 2.0 * P0 + 4.0 * x * P1 + x**2 * P2

    # energies
    tension = speed**2 * (hub * (1.0 - x) + 0.5 * (1.0 - x**2))
    stiffness = (curvature * weights) @ curvature.T + (slope * (weights * tension)) @ slope.T
    squares = eigh(stiffness, (w * weights) @ w.T, eigvals_only=True)
    return np.asarray(np.sqrt(squares[:number]))


def lag(number: int, speed: float, hub: float = 0.0, functions: int = 16) -> Array:
    """The first frequencies in the plane of rotation."""
    return np.asarray(np.sqrt(flap(number, speed, hub, functions) ** 2 - speed**2))
