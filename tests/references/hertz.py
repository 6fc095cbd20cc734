"""A sphere on a barrier with dissipation in proportion to the contact force: m δ̈ = -K δⁿ (1 + χ δ̇).

Along the contact v dv/(1 + χ v) = -(K/m) δⁿ dδ, which integrates in closed form; the end of the contact, where δ is
zero again, is the second root of v - ln(1 + χ v)/χ. No differential equation is solved but for the time, which is a
quadrature in the phase angle.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log1p, pi, sqrt

import numpy as np
from scipy.optimize import brentq


def stiffness(R1: float, R2: float, E1: float, E2: float, nu1: float, nu2: float) -> float:
    """K of two spheres, a hollow one with a negative radius [Schwab2002 (5.3)]."""
    h = (1.0 - nu1**2) / (pi * E1) + (1.0 - nu2**2) / (pi * E2)
    return 4.0 / (3.0 * pi * h) * sqrt(R1 * R2 / (R1 + R2))


@dataclass(frozen=True)
class Collision:
    """What one contact comes to."""

    penetration: float
    force: float
    time: float
    rebound: float

    def loss(self, m: float, v: float) -> float:
        """The kinetic energy that is gone."""
        return 0.5 * m * (v**2 - self.rebound**2)


def _potential(v: float, chi: float) -> float:
    """∫ v dv/(1 + χ v) from 0."""
    if chi == 0.0:
        return 0.5 * v * v
    u = chi * v
    if abs(u) < 1e-3:
        return v * v * (0.5 - u / 3.0 + u * u / 4.0 - u**3 / 5.0 + u**4 / 6.0)
    return (v - log1p(u) / chi) / chi


def _speed(level: float, chi: float, sign: int) -> float:
    """The velocity of a sign where the integral has this value."""
    if level <= 0.0:
        return 0.0
    if chi == 0.0:
        return sign * sqrt(2.0 * level)
    # with u = ln(1 + χ v) the integral is (e^u - 1 - u)/χ², and outwards 1 + χ v may be as small as it likes
    most = level * chi * chi
    ends = (0.0, 1.0 + 2.0 * sqrt(most) + log1p(most)) if sign > 0 else (-1.0 - 2.0 * sqrt(most) - most, 0.0)
    u = brentq(lambda u: _excess(u) - most, *ends, xtol=1e-15, rtol=1e-14)
    return float(np.expm1(u)) / chi


def _excess(u: float) -> float:
    """e^u - 1 - u."""
    if abs(u) < 1e-2:
        return u * u * (0.5 + u / 6.0 + u * u / 24.0 + u**3 / 120.0 + u**4 / 720.0 + u**5 / 5040.0)
    return float(np.expm1(u)) - u


def collide(m: float, K: float, n: float, v: float, chi: float) -> Collision:
    """The contact of a mass that arrives with the velocity v, under F = K δⁿ (1 + χ δ̇)."""
    level = _potential(v, chi)
    deepest = (level * (n + 1.0) * m / K) ** (1.0 / (n + 1.0))
    rebound = -_speed(level, chi, -1)

    def at(delta: float, sign: int) -> float:
        return _speed(level - K / m * delta ** (n + 1.0) / (n + 1.0), chi, sign)

    # the largest force is not at the deepest place: look along the way in
    candidates = np.linspace(0.5, 1.0, 20001) * deepest
    force = max(K * d**n * (1.0 + chi * at(d, 1)) for d in candidates[::50])
    near = [d for d in candidates[::50] if K * d**n * (1.0 + chi * at(d, 1)) > force * (1.0 - 1e-4)]
    for d in np.linspace(max(near[0] - 50 * deepest / 40000, 0.0), min(near[-1] + 50 * deepest / 40000, deepest), 4001):
        force = max(force, K * d**n * (1.0 + chi * at(d, 1)))

    # δ = δ_max sin²φ makes the integrand of ∫ dδ/v smooth at the turning point
    nodes, weights = np.polynomial.legendre.leggauss(400)
    phi = 0.25 * pi * (nodes + 1.0)
    time = 0.0
    for p, w in zip(phi, weights, strict=True):
        d, step = deepest * np.sin(p) ** 2, 2.0 * deepest * np.sin(p) * np.cos(p)
        time += 0.25 * pi * w * step * (1.0 / at(d, 1) - 1.0 / at(d, -1))
    return Collision(deepest, force, time, rebound)


def restitution(chi_v: float) -> float:
    """What F = K δⁿ(1 + χ δ̇) makes of the approach velocity v, as a function of χ v alone: a root of its own"""
    return -_speed(_potential(1.0, chi_v), chi_v, -1)


def damped_peak(chi_v: float, n: float = 1.5) -> float:
    """The greatest force of F = K δⁿ(1 + χ δ̇), as a part of that without dissipation.

    The force is greatest where n/δ = χ K δⁿ/(m u), u being the rate there: K δⁿ⁺¹ = n m u/χ. With w = χ u and s = χ v
    the integral of the motion says (n + 1)(s - ln(1 + s) - w + ln(1 + w)) = n w, and the force is F = K δⁿ(1 + w). All
    is a matter of s and n. For small losses the part is 1 - 2ns/(3(n + 1)).
    """
    if chi_v == 0.0:
        return 1.0
    s = chi_v
    left = _potential(s, 1.0)
    w = brentq(lambda w: (n + 1.0) * (left - _potential(w, 1.0)) - n * w, 0.0, s, xtol=1e-15, rtol=1e-14)
    return float((1.0 + w) * (2.0 * n * w / ((n + 1.0) * s * s)) ** (n / (n + 1.0)))


def pressed_peak(K: float, n: float, m: float, v: float, press: float) -> float:
    """The greatest force without dissipation, where a steady force presses besides.

    Its work is part of what is stored at the deepest place: K δⁿ⁺¹/(n + 1) = m v²/2 + P δ.
    """
    least = (max(press, 0.0) / K) ** (1.0 / n)
    most = 10.0 * max(least, ((n + 1.0) * m * v * v / (2.0 * K)) ** (1.0 / (n + 1.0)))

    def stored(d: float) -> float:
        return K * d ** (n + 1.0) / (n + 1.0) - press * d - 0.5 * m * v * v

    return float(K * brentq(stored, least, most, xtol=1e-18, rtol=1e-14) ** n)
