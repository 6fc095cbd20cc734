"""Rigid slider-crank: closed-form motion, and forces by Newton and Euler, body by body.

The crank turns about O at the origin by the angle φ from the x axis, A is its pin, and B slides along the line
y = offset. The rod makes the angle θ with the x axis and points in the positive x direction. Crank and rod are uniform
bars. Source: elementary mechanics; the balance laws are written out below, one paragraph a body.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SliderCrank:
    """Lengths, masses and gravity of the mechanism, in SI units."""

    crank: float
    rod: float
    offset: float = 0.0
    rhoA_crank: float = 0.0
    rhoA_rod: float = 0.0
    slider: float = 0.0
    gravity: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Kinematics:
    """Positions, velocities and accelerations, with the time on the first axis and x, y on the last."""

    A: Array
    A_v: Array
    A_a: Array
    B: Array
    B_v: Array
    B_a: Array
    theta: Array
    theta_v: Array
    theta_a: Array


@dataclass(frozen=True)
class Forces:
    """The driving torque, and the force of every joint: each on the body said."""

    torque: Array
    O_on_crank: Array
    A_on_rod: Array
    B_on_rod: Array
    guide_on_slider: Array


def kinematics(case: SliderCrank, phi: ArrayLike, phi_v: ArrayLike, phi_a: ArrayLike) -> Kinematics:
    """The motion of A, of B and of the rod for a given motion of the crank."""
    # the crank and its pin
    angle, omega, alpha = (np.atleast_1d(np.asarray(v, dtype=np.float64)) for v in (phi, phi_v, phi_a))
    e, n = _frame(angle)
    A = case.crank * e
    A_v = case.crank * omega[:, None] * n
    A_a = case.crank * (alpha[:, None] * n - (omega**2)[:, None] * e)

    # the rod, from y_B = offset and its two derivatives in time
    sine = (case.offset - A[:, 1]) / case.rod
    theta = np.arcsin(sine)
    theta_v = -A_v[:, 1] / (case.rod * np.cos(theta))
    theta_a = (-A_a[:, 1] / case.rod + theta_v**2 * sine) / np.cos(theta)

    # the slider
    e, n = _frame(theta)
    B = A + case.rod * e
    B_v = A_v + case.rod * theta_v[:, None] * n
    B_a = A_a + case.rod * (theta_a[:, None] * n - (theta_v**2)[:, None] * e)
    return Kinematics(A, A_v, A_a, B, B_v, B_a, theta, theta_v, theta_a)


def forces(case: SliderCrank, phi: ArrayLike, phi_v: ArrayLike, phi_a: ArrayLike) -> Forces:
    """The torque that drives the crank and the forces in the joints."""
    k = kinematics(case, phi, phi_v, phi_a)
    alpha = np.atleast_1d(np.asarray(phi_a, dtype=np.float64))
    g = np.asarray(case.gravity, dtype=np.float64)
    m_crank, m_rod, m_slider = case.rhoA_crank * case.crank, case.rhoA_rod * case.rod, case.slider

    # slider along its guide, then moments on the rod about A
    rod, middle = k.B - k.A, 0.5 * (k.A_a + k.B_a)
    B_x = m_slider * (g[0] - k.B_a[:, 0])
    spin = m_rod * case.rod**2 / 12.0 * k.theta_a + _cross(0.5 * rod, m_rod * (middle - g))
    B_y = (spin + rod[:, 1] * B_x) / rod[:, 0]
    B_on_rod = np.stack([B_x, B_y], axis=-1)

    # rod as a whole, slider across its guide
    A_on_rod = m_rod * (middle - g) - B_on_rod
    guide = B_y - m_slider * g[1]

    # crank as a whole, and moments on it about O
    O_on_crank = A_on_rod + m_crank * (0.5 * k.A_a - g)
    torque = m_crank * case.crank**2 / 3.0 * alpha + _cross(k.A, A_on_rod) - _cross(0.5 * k.A, m_crank * g)
    return Forces(torque, O_on_crank, A_on_rod, B_on_rod, guide)


def kinetic_energy(case: SliderCrank, phi: ArrayLike, phi_v: ArrayLike) -> Array:
    """½∫v² dm; a uniform bar with end velocities u, w has m (u·u + u·w + w·w)/6."""
    k = kinematics(case, phi, phi_v, np.zeros_like(np.asarray(phi, dtype=np.float64)))
    u, w = k.A_v, k.B_v
    crank = case.rhoA_crank * case.crank * _dot(u, u) / 6.0
    rod = case.rhoA_rod * case.rod * (_dot(u, u) + _dot(u, w) + _dot(w, w)) / 6.0
    return crank + rod + 0.5 * case.slider * _dot(w, w)


def free_turning(case: SliderCrank, speed: float, times: ArrayLike) -> tuple[Array, Array]:
    """Crank angle and speed without torque, gravity aside: from φ = 0 with a speed, the kinetic energy stays."""
    t = np.asarray(times, dtype=np.float64)
    start = kinetic_energy(case, 0.0, speed)[0]

    def rate(_: float, phi: Array) -> Array:
        return np.asarray(np.sqrt(start / kinetic_energy(case, phi, np.ones_like(phi))))

    turning = solve_ivp(rate, (0.0, t[-1]), [0.0], method="DOP853", t_eval=t, rtol=1e-13, atol=1e-13)
    return turning.y[0], rate(0.0, turning.y[0])


def _frame(angle: Array) -> tuple[Array, Array]:
    """The unit vectors along and across a bar."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _dot(a: Array, b: Array) -> Array:
    return np.asarray((a * b).sum(axis=-1))
