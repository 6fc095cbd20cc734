"""Rigid pendulums: the large swing of one in Jacobi elliptic functions, two uniform bars by an accurate integration.

The swing is classical (E. T. Whittaker, Analytical Dynamics, 4th edition, section 44). The equations of two bars follow
from Lagrange; angles are measured from the x axis, gravity points along −y.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

Array = NDArray[np.float64]


def small_frequency_of_bar(length: float, gravity: float = 9.81) -> float:
    """The angular frequency of small swings of a uniform bar about its end."""
    return float(np.sqrt(1.5 * gravity / length))


def period(amplitude: float, small_frequency: float) -> float:
    """The period of a swing of any amplitude below π."""
    return float(4.0 * ellipk(np.sin(0.5 * amplitude) ** 2) / small_frequency)


def swing(amplitude: float, small_frequency: float, times: ArrayLike) -> tuple[Array, Array]:
    """Angle from the vertical and its rate, released from rest at the amplitude."""
    # sin(θ/2) = k cd(τ): a sn started a quarter of a period early
    t = np.asarray(times, dtype=np.float64)
    k = np.sin(0.5 * amplitude)
    sn, cn, dn, _ = ellipj(small_frequency * t + ellipk(k**2), k**2)
    theta = 2.0 * np.arcsin(k * sn)
    return np.asarray(theta), np.asarray(2.0 * k * small_frequency * cn * dn / np.sqrt(1.0 - (k * sn) ** 2))


@dataclass(frozen=True)
class DoublePendulum:
    """Two uniform bars, the first hinged at the origin, the second at the end of the first."""

    lengths: tuple[float, float] = (1.0, 1.0)
    masses: tuple[float, float] = (1.0, 1.0)
    gravity: float = 9.81

    def accelerations(self, a: float, b: float, a_v: float, b_v: float) -> tuple[float, float]:
        """Angular accelerations of the bars."""
        (l1, l2), (m1, m2), g = self.lengths, self.masses, self.gravity
        c, s = np.cos(a - b), np.sin(a - b)
        M11, M12, M22 = (m1 / 3.0 + m2) * l1**2, 0.5 * m2 * l1 * l2 * c, m2 * l2**2 / 3.0
        f1 = -0.5 * m2 * l1 * l2 * s * b_v**2 - (0.5 * m1 + m2) * g * l1 * np.cos(a)
        f2 = 0.5 * m2 * l1 * l2 * s * a_v**2 - 0.5 * m2 * g * l2 * np.cos(b)
        determinant = M11 * M22 - M12**2
        return (M22 * f1 - M12 * f2) / determinant, (M11 * f2 - M12 * f1) / determinant

    def energy(self, state: ArrayLike) -> Array:
        """Kinetic plus potential energy of (a, b, ȧ, ḃ) on the first axis."""
        a, b, a_v, b_v = np.asarray(state, dtype=np.float64)
        (l1, l2), (m1, m2), g = self.lengths, self.masses, self.gravity
        squares = 0.5 * (m1 / 3.0 + m2) * (l1 * a_v) ** 2 + m2 * (l2 * b_v) ** 2 / 6.0
        kinetic = squares + 0.5 * m2 * l1 * l2 * np.cos(a - b) * a_v * b_v
        return np.asarray(kinetic + (0.5 * m1 + m2) * g * l1 * np.sin(a) + 0.5 * m2 * g * l2 * np.sin(b))


def double_pendulum(
    case: DoublePendulum, until: float, start: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
) -> Callable[[ArrayLike], Array]:
    """The motion (a, b, ȧ, ḃ on the first axis) as a function of time, by an order 8 method at 1e-13."""

    def rates(_: float, y: Array) -> list[float]:
        a_a, b_a = case.accelerations(y[0], y[1], y[2], y[3])
        return [y[2], y[3], a_a, b_a]

    solution = solve_ivp(rates, (0.0, until), start, method="DOP853", rtol=1e-13, atol=1e-13, dense_output=True)
    return lambda times: np.asarray(solution.sol(np.asarray(times, dtype=np.float64)))
