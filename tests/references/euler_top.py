"""Torque-free rigid body: angular velocity in Jacobi's functions, attitude in Legendre's integral of the third kind.

The axes of the body are its principal axes at the centre of mass, in any order of the moments. Let j be the axis
that the angular momentum L circles (that of the largest moment where L² > 2T I_k, of the smallest where L² < 2T I_k),
k that of the middle moment and l the third one. Then

    ω_j = ± a_j dn u,   ω_k = ± a_k sn u,   ω_l = a_l cn u,   u = λt + u₀
    a_j² = (L² − 2T I_l) / (I_j (I_j − I_l)),   a_k² = (2T I_j − L²) / (I_k (I_j − I_k)),
    a_l² = (2T I_j − L²) / (I_l (I_j − I_l)),   λ² = (I_j − I_k) (L² − 2T I_l) / (I_j I_k I_l),
    1 − m = (I_j − I_l) (L² − 2T I_k) / ((I_j − I_k) (L² − 2T I_l))

(E. T. Whittaker, Analytical Dynamics, 4th edition, section 69; L. D. Landau and E. M. Lifshitz, Mechanics, section 37).
The axis l never comes near L. The plane of the two turns about L at the rate

    ψ̇ = L (2T − L_l²/I_l) / (L² − L_l²) = L/I_l + (2T/L − L/I_l) / (1 − κ cn² u),   κ = (I_l a_l / L)²

whose second term is Π(n; am u) with n = −κ/(1 − κ). On the separatrix L² = 2T I_k itself the period is infinite and
nothing here holds; near it everything does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from references import elliptic

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EulerTop:
    """Principal moments of inertia, not all equal, and the angular velocity at t = 0 along the principal axes."""

    moments: tuple[float, float, float]
    omega: tuple[float, float, float]


def period(case: EulerTop) -> float:
    """The time after which the angular velocity in the body comes back; half of it for the rotation about j alone."""
    wave = _wave(case)
    return 4.0 * elliptic.quarter_period(wave.m1) / wave.rate


def angular_velocity(case: EulerTop, times: ArrayLike) -> Array:
    """Components along the axes of the body, on the last axis of the array."""
    wave = _wave(case)
    return _omega(wave, _amplitude(wave, times))


def attitude(case: EulerTop, times: ArrayLike, start: ArrayLike | None = None) -> Array:
    """Rotation matrices that take components in the body to components in space; the identity at t = 0, or `start`."""
    # the angle about the angular momentum
    wave = _wave(case)
    I, L, l = np.asarray(case.moments), wave.momentum, wave.axes[2]
    phi = np.asarray(_amplitude(wave, times))
    kappa = (I[l] * wave.amplitudes[2] / L) ** 2
    n = -kappa / (1.0 - kappa)
    turned = elliptic.third(n, phi, wave.m1) - elliptic.third(n, wave.start, wave.m1)
    energy = float((I * np.square(case.omega)).sum())
    psi = L / I[l] * np.asarray(times, dtype=np.float64)
    psi = psi + (energy / L - L / I[l]) / ((1.0 - kappa) * wave.rate) * turned

    # body → frame of L and axis l → the same frame at the start → space
    first = np.eye(3) if start is None else np.asarray(start, dtype=np.float64)
    now, then = _frame(I * _omega(wave, phi), l), _frame(I * np.asarray(case.omega), l)
    return np.asarray(first @ then @ _about_third(psi) @ np.swapaxes(now, -1, -2))


def momentum(case: EulerTop, start: ArrayLike | None = None) -> Array:
    """The angular momentum in space, constant, for the attitude at t = 0."""
    first = np.eye(3) if start is None else np.asarray(start, dtype=np.float64)
    return np.asarray(first @ (np.asarray(case.moments) * np.asarray(case.omega)))


# ── the wave that ω follows ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Wave:
    axes: tuple[int, int, int]  # j, k, l
    amplitudes: tuple[float, float, float]  # with their signs
    rate: float
    m1: float
    start: float  # am u₀
    momentum: float


def _wave(case: EulerTop) -> _Wave:
    # from the smallest moment to the largest; j is the axis that L circles
    I, w = np.asarray(case.moments, dtype=np.float64), np.asarray(case.omega, dtype=np.float64)
    small, k, large = (int(i) for i in np.argsort(I, kind="stable"))
    j, l = (large, small) if _excess(I, w, k) > 0.0 else (small, large)

    # amplitudes, each from a sum of terms of one sign
    above, below = _excess(I, w, l), -_excess(I, w, j)
    a_j = np.copysign(np.sqrt(above / (I[j] * (I[j] - I[l]))), w[j])
    a_l = np.sqrt(below / (I[l] * (I[j] - I[l])))
    turn = np.linalg.det(np.eye(3)[[j, k, l]]) * np.sign(I[k] - I[j])
    a_k = turn * np.copysign(np.sqrt(below / (I[k] * (I[j] - I[k]))), w[j])

    # speed, parameter and place on the wave
    rate = np.sqrt((I[j] - I[k]) * above / (I[j] * I[k] * I[l]))
    m1 = (I[j] - I[l]) * _excess(I, w, k) / ((I[j] - I[k]) * above)
    start = np.arctan2(w[k] * a_l, w[l] * a_k) if a_k > 0.0 else np.arctan2(-w[k] * a_l, -w[l] * a_k)
    amplitudes = (float(a_j), float(a_k), float(a_l))
    return _Wave((j, k, l), amplitudes, float(rate), float(m1), float(start), float(np.linalg.norm(I * w)))


def _excess(I: Array, w: Array, axis: int) -> float:
    """L² − 2T I_axis, without a difference of large numbers."""
    return float((I * (I - I[axis]) * w**2).sum())


def _amplitude(wave: _Wave, times: ArrayLike) -> Array:
    u = wave.rate * np.asarray(times, dtype=np.float64) + elliptic.first(wave.start, wave.m1)
    return elliptic.amplitude(u, wave.m1)


def _omega(wave: _Wave, phi: Array) -> Array:
    waves = (elliptic.delta(phi, wave.m1), np.sin(phi), np.cos(phi))
    omega = np.zeros((*np.shape(phi), 3))
    for axis, size, shape in zip(wave.axes, wave.amplitudes, waves, strict=True):
        omega[..., axis] = size * shape
    return omega


# ── frames ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _frame(L: Array, axis: int) -> Array:
    """Columns in the body: the part of an axis of the body across L, the third direction, and L."""
    z = L / np.linalg.norm(L, axis=-1, keepdims=True)
    e = np.eye(3)[axis]
    x = e - z * z[..., [axis]]
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    return np.stack([x, np.cross(z, x), z], axis=-1)


def _about_third(angle: Array) -> Array:
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack([np.stack([c, -s, zero], -1), np.stack([s, c, zero], -1), np.stack([zero, zero, one], -1)], -2)
