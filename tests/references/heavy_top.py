"""Heavy symmetric top (Lagrange): nutation in Jacobi's functions, precession and spin in integrals of the third kind.

The top turns about a fixed point, gravity points along −z. Euler angles: precession φ about z, nutation θ about the
line of nodes, spin ψ about the axis of the top; R = R_z(φ) R_x(θ) R_z(ψ) takes components in the body to space. With
u = cos θ, a = I₃ω₃/I₁, b = p_φ/I₁ and β = 2 m g l / I₁,

    u̇² = f(u) = (α − βu)(1 − u²) − (b − au)²,   φ̇ = (b − au)/(1 − u²),   ψ̇ = ω₃ − u φ̇

(E. T. Whittaker, Analytical Dynamics, 4th edition, section 71; H. Goldstein, Classical Mechanics, section 5.7).
Between its roots u₁ ≤ u₂ ≤ 1 ≤ u₃: u = u₁ + (u₂ − u₁) sn² τ, with τ̇ = ½√(β(u₃ − u₁)) and m = (u₂ − u₁)/(u₃ − u₁), and

    φ̇ = ½ (b − a)/(1 − u) + ½ (b + a)/(1 + u)

gives one integral Π for each pole. The angles are not defined where the axis passes the vertical (u₂ = 1 or u₁ = −1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from references import elliptic

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HeavyTop:
    """Moments of inertia about the fixed point, across and along the axis; weight times arm; the state at t = 0.

    `spin` is ψ̇ at the start: ω₃ = ψ̇ + φ̇ cos θ.
    """

    I1: float
    I3: float
    mgl: float
    theta: float
    theta_v: float = 0.0
    phi_v: float = 0.0
    spin: float = 0.0
    phi: float = 0.0
    psi: float = 0.0


@dataclass(frozen=True)
class Motion:
    """Euler angles, continuous over any number of turns, and their rates."""

    theta: Array
    phi: Array
    psi: Array
    theta_v: Array
    phi_v: Array
    psi_v: Array

    def attitude(self) -> Array:
        """Rotation matrices R_z(φ) R_x(θ) R_z(ψ), from body to space."""
        return _about_z(self.phi) @ _about_x(self.theta) @ _about_z(self.psi)

    def axis(self) -> Array:
        """The direction of the axis of the top."""
        s = np.sin(self.theta)
        return np.stack([s * np.sin(self.phi), -s * np.cos(self.phi), np.cos(self.theta)], axis=-1)


def nutation_period(case: HeavyTop) -> float:
    """The time from one lowest position of the axis to the next."""
    wave = _wave(case)
    return 2.0 * elliptic.quarter_period(wave.m1) / wave.rate


def nutation_limits(case: HeavyTop) -> tuple[float, float]:
    """The smallest and the largest angle of the axis with the vertical."""
    wave = _wave(case)
    return _angle(case, wave.high), _angle(case, wave.low)


def precession_of_a_period(case: HeavyTop) -> float:
    """The angle φ gained over one period of nutation."""
    start = motion(case, 0.0)
    return float(motion(case, nutation_period(case)).phi - start.phi)


def motion(case: HeavyTop, times: ArrayLike) -> Motion:
    """The motion at any time."""
    # nutation; v = u − u₀ keeps the digits of a small one
    wave, t = _wave(case), np.asarray(times, dtype=np.float64)
    am = elliptic.amplitude(wave.rate * t + elliptic.first(wave.start, wave.m1), wave.m1)
    v = wave.low + (wave.high - wave.low) * np.sin(am) ** 2
    v_v = (wave.high - wave.low) * np.sin(2.0 * am) * elliptic.delta(am, wave.m1) * wave.rate
    up, down = _distances(case)
    u, sine = np.cos(case.theta) + v, np.sqrt((up - v) * (down + v))

    # precession, one pole at a time, and spin: u φ̇ = a + ½ (b − a)/(1 − u) − ½ (b + a)/(1 + u)
    a, swing, omega = _spinning(case), case.phi_v * np.sin(case.theta) ** 2, _omega(case)
    above = 0.5 * (swing - a * up) * _pole(wave, am, up, -1.0)
    below = 0.5 * (swing + a * down) * _pole(wave, am, down, 1.0)
    phi_v = (swing - a * v) / sine**2
    phi, psi = case.phi + above + below, case.psi + (omega - a) * t - above + below
    return Motion(np.arctan2(sine, u), phi, psi, -v_v / sine, phi_v, omega - u * phi_v)


# ── the wave that v = u − u₀ follows ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Wave:
    low: float
    high: float
    rate: float
    m1: float
    start: float  # am τ₀


def _wave(case: HeavyTop) -> _Wave:
    # f in powers of v: no coefficient is a difference of large numbers near steady precession
    u, s, a, beta = np.cos(case.theta), np.sin(case.theta), _spinning(case), 2.0 * case.mgl / case.I1
    speed = case.theta_v**2 + (case.phi_v * s) ** 2
    f = np.array([beta, 2.0 * beta * u - speed - a**2, 0.0, (s * case.theta_v) ** 2])
    f[2] = -beta * s**2 - 2.0 * u * speed + 2.0 * a * case.phi_v * s**2

    # its roots, the last digits by Newton where they are simple
    roots = np.sort(np.roots(f).real)
    for _ in range(3):
        slope = np.polyval(np.polyder(f), roots)
        roots = roots - np.divide(np.polyval(f, roots), slope, out=np.zeros(3), where=np.abs(slope) > 1e-12 * beta)
    low, high, third = min(roots[0], 0.0), max(roots[1], 0.0), roots[2]

    # v = 0 on the way up has 0 < am < π/2, on the way down more
    rate, m1 = 0.5 * np.sqrt(beta * (third - low)), (third - high) / (third - low)
    start = np.arctan2(np.sqrt(-low), np.copysign(np.sqrt(high), -case.theta_v))
    return _Wave(float(low), float(high), float(rate), float(m1), float(start))


def _pole(wave: _Wave, am: Array, distance: float, sign: float) -> Array:
    """The integral of 1/(distance ± v) over time from t = 0."""
    far = distance + sign * wave.low
    n = -sign * (wave.high - wave.low) / far
    return (elliptic.third(n, am, wave.m1) - elliptic.third(n, wave.start, wave.m1)) / (far * wave.rate)


def _distances(case: HeavyTop) -> tuple[float, float]:
    """1 − u₀ and 1 + u₀, with all their digits."""
    return float(2.0 * np.sin(0.5 * case.theta) ** 2), float(2.0 * np.cos(0.5 * case.theta) ** 2)


def _omega(case: HeavyTop) -> float:
    """ω₃."""
    return float(case.spin + case.phi_v * np.cos(case.theta))


def _spinning(case: HeavyTop) -> float:
    """a."""
    return case.I3 * _omega(case) / case.I1


def _angle(case: HeavyTop, v: float) -> float:
    up, down = _distances(case)
    return float(2.0 * np.arctan2(np.sqrt(up - v), np.sqrt(down + v)))


# ── rotations ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _about_z(angle: Array) -> Array:
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack([np.stack([c, -s, zero], -1), np.stack([s, c, zero], -1), np.stack([zero, zero, one], -1)], -2)


def _about_x(angle: Array) -> Array:
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack([np.stack([one, zero, zero], -1), np.stack([zero, c, -s], -1), np.stack([zero, s, c], -1)], -2)
