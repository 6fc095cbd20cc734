"""Jacobi's amplitude and Legendre's integrals of the first and third kind, for any argument, up to the separatrix.

All take the complementary parameter m₁ = 1 − k² beside the parameter m = k², so that nothing is lost when k is near 1:

    F(φ) = ∫₀^φ dx/Δ,   Π(n; φ) = ∫₀^φ dx/((1 − n sin²x) Δ),   Δ² = 1 − m sin²x = cos²x + m₁ sin²x

by the symmetric integrals of B. C. Carlson, Numerical Algorithms 10 (1995) 13–26: with s = sin φ and c = cos φ,
F = s R_F(c², Δ², 1) and Π = F + ⅓ n s³ R_J(c², Δ², 1, 1 − n s²).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import elliprf, elliprj

Array = NDArray[np.float64]


def first(phi: ArrayLike, m1: float) -> Array:
    """F(φ), for amplitudes of any number of turns."""
    turns, s, c = _half_turns(phi)
    return np.asarray(2.0 * turns * elliprf(0.0, m1, 1.0) + s * elliprf(c * c, c * c + m1 * s * s, 1.0))


def third(n: float, phi: ArrayLike, m1: float) -> Array:
    """Π(n; φ) with n < 1, for amplitudes of any number of turns."""
    turns, s, c = _half_turns(phi)
    complete = n / 3.0 * elliprj(0.0, m1, 1.0, 1.0 - n)
    part = n / 3.0 * s**3 * elliprj(c * c, c * c + m1 * s * s, 1.0, c * c + (1.0 - n) * s * s)
    return np.asarray(first(phi, m1) + 2.0 * turns * complete + part)


def quarter_period(m1: float) -> float:
    """K = F(π/2)."""
    return float(elliprf(0.0, m1, 1.0))


def amplitude(u: ArrayLike, m1: float) -> Array:
    """φ = am u, continuous over any number of turns: F(φ) = u. Then sn u = sin φ, cn u = cos φ."""
    # whole periods apart; between −K and K every φ is between −π/2 and π/2
    K = quarter_period(m1)
    value = np.asarray(u, dtype=np.float64)
    turns = np.rint(value / (2.0 * K))
    rest = value - 2.0 * K * turns

    # Gauss's transformation runs the arithmetic and geometric means down and the amplitude back up
    a, b, ratios = 1.0, np.sqrt(m1), []
    while abs(a - b) > 1e-15 * a:
        a, b, c = 0.5 * (a + b), np.sqrt(a * b), 0.5 * (a - b)
        ratios.append(c / a)
    phi = 2.0 ** len(ratios) * a * rest
    for ratio in reversed(ratios):
        phi = 0.5 * (phi + np.arcsin(ratio * np.sin(phi)))

    # the last digits, which the arcsine loses near the separatrix, by Newton
    for _ in range(3):
        phi = phi - (first(phi, m1) - rest) * delta(phi, m1)
    return np.asarray(phi + np.pi * turns)


def delta(phi: ArrayLike, m1: float) -> Array:
    """Δ(φ): dn u at φ = am u."""
    angle = np.asarray(phi, dtype=np.float64)
    return np.asarray(np.sqrt(np.cos(angle) ** 2 + m1 * np.sin(angle) ** 2))


def _half_turns(phi: ArrayLike) -> tuple[Array, Array, Array]:
    """The nearest number of half turns, and sine and cosine of what is left, between −π/2 and π/2."""
    angle = np.asarray(phi, dtype=np.float64)
    turns = np.rint(angle / np.pi)
    sign = 1.0 - 2.0 * np.mod(turns, 2.0)
    return turns, sign * np.sin(angle), sign * np.cos(angle)
