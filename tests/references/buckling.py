"""Critical loads of columns and strips, and the limit load of two bars.

Euler's columns: P = k² EI/L² with k = π (pinned), π/2 (one end clamped, one free), 2π (both clamped), and the first
root of tan k = k (clamped and pinned). S. Timoshenko and J. Gere, Theory of Elastic Stability, chapter 2.

A cantilever strip with a dead force P across its tip, in its stiff plane, tips over sideways when
J₋¼(P L²/(2 √(EI_z GJ))) = 0, if it does not bend in its plane (A. G. M. Michell; L. Prandtl, 1899; Timoshenko and Gere,
section 6.3: P = 4.013 √(EI_z GJ)/L²). If it does, the bent strip is Kirchhoff's rod. In the axes of its sections, with
κ = (τ, κ_y, κ_z), m = (GJ τ, EI_y κ_y, EI_z κ_z) and the force n,

    m' + κ × m + e₁ × n = 0,   n' + κ × n = 0

In its plane EI_y θ'' = −P cos θ, κ_y = θ', n = P (sin θ, 0, −cos θ). Out of it, linear in τ, κ_z, n_y,

    GJ τ' = (EI_y − EI_z) κ_y κ_z,   EI_z κ_z' = (GJ − EI_y) κ_y τ − n_y,   n_y' = n_z τ − n_x κ_z

with n_y = 0 at the clamp, as the force is fixed in space, and τ = κ_z = 0 at the tip: a determinant of two starts.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import jv

Array = NDArray[np.float64]
Ends = Literal["pinned", "free", "clamped", "propped"]


def euler(ends: Ends, EI: float = 1.0, length: float = 1.0) -> float:
    """The critical load of a column; clamped at the first end, unless it is pinned at both."""
    propped = brentq(lambda k: np.sin(k) - k * np.cos(k), np.pi, 1.5 * np.pi, xtol=1e-15, rtol=1e-15)
    k = {"pinned": np.pi, "free": 0.5 * np.pi, "clamped": 2.0 * np.pi, "propped": propped}[ends]
    return float((k / length) ** 2 * EI)


def narrow_strip(EIz: float = 1.0, GJ: float = 1.0, length: float = 1.0) -> float:
    """The critical force at the tip of a strip that does not bend in its plane."""
    root = brentq(lambda x: float(jv(-0.25, x)), 1.5, 2.5, xtol=1e-15, rtol=1e-15)
    return float(2.0 * root * np.sqrt(EIz * GJ) / length**2)


def strip(EIy: float, EIz: float = 1.0, GJ: float = 1.0, length: float = 1.0) -> float:
    """The critical force at the tip of a strip that bends in its plane first, with the stiffness EI_y."""
    first = narrow_strip(EIz, GJ, length)

    def determinant(force: float) -> float:
        return _determinant(force, EIy, EIz, GJ, length)

    return float(brentq(determinant, 0.9 * first, 1.5 * first, xtol=1e-13 * first, rtol=1e-13))


def two_bars(rise: float, half: float = 1.0, EA: float = 1.0) -> float:
    """The limit load on the top of two bars in line with their hinges but for the rise, N = EA (l − l₀)/l₀.

    P = 2 EA y (1/l − 1/l₀) with l² = half² + y² is largest where half² / l³ = 1/l₀.
    """
    drawn = np.hypot(half, rise)
    l = np.cbrt(half**2 * drawn)
    return float(2.0 * EA * np.sqrt(l**2 - half**2) * (1.0 / l - 1.0 / drawn))


def _determinant(force: float, EIy: float, EIz: float, GJ: float, length: float) -> float:
    """Of τ and κ_z at the tip by their values at the clamp."""

    def rates(_: float, y: Array) -> Array:
        theta, bend = y[0], y[1]
        tau, kappa, across = y[2::3], y[3::3], y[4::3]
        out = np.empty_like(y)
        out[0], out[1] = bend, -force * np.cos(theta) / EIy
        out[2::3] = (EIy - EIz) * bend * kappa / GJ
        out[3::3] = ((GJ - EIy) * bend * tau - across) / EIz
        out[4::3] = -force * np.cos(theta) * tau - force * np.sin(theta) * kappa
        return out

    def ahead(bend: float) -> Array:
        start = np.array([0.0, bend, 1.0 / length, 0.0, 0.0, 0.0, 1.0 / length, 0.0])
        tiny = 1e-14 * max(force * length / EIy, 1e-3 / length)
        sizes = np.array([1e-14, tiny, *(2 * [1e-14 / length, 1e-14 / length, 1e-14 * force])])
        run = solve_ivp(rates, (0.0, length), start, method="DOP853", rtol=3e-14, atol=sizes)
        return np.asarray(run.y[:, -1])

    # the moment at the clamp that leaves none at the tip
    largest = force * length / EIy
    bend = brentq(lambda b: float(ahead(b)[1]), 0.0, 1.01 * largest, xtol=1e-16 * largest, rtol=1e-14)
    y = ahead(float(bend))
    return float(length**2 * (y[2] * y[6] - y[5] * y[3]))
