"""Periodic solutions of one oscillator ẍ = a(t, x, ẋ) by shooting, with everything from scipy.

The slopes of the return map are differences of it, taken in the complex plane: exact, and without any of the program's
linearisation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

Acceleration = Callable[[float, complex, complex], complex]
"""Of time, position and rate; it must be analytic."""

_SMALL = 1e-30


def after(acceleration: Acceleration, y: np.ndarray, period: float, times: np.ndarray | None = None) -> np.ndarray:
    """(x, ẋ) after a period, or at times."""
    found = solve_ivp(
        lambda t, y: [y[1], acceleration(t, y[0], y[1])], (0.0, period if times is None else times[-1]), y,
        method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times,
    )  # fmt: skip
    return found.y[:, -1] if times is None else found.y


def monodromy(acceleration: Acceleration, y: np.ndarray, period: float) -> np.ndarray:
    """The slopes of the return map, from equations that are differentiated along the motion."""

    def rates(t: float, z: np.ndarray) -> list[float]:
        x, v = z[0], z[1]
        by_x = acceleration(t, x + 1j * _SMALL, complex(v)).imag / _SMALL
        by_v = acceleration(t, complex(x), v + 1j * _SMALL).imag / _SMALL
        a = acceleration(t, complex(x), complex(v)).real
        return [v, a, z[4], z[5], by_x * z[2] + by_v * z[4], by_x * z[3] + by_v * z[5]]

    start = [*y, 1.0, 0.0, 0.0, 1.0]
    found = solve_ivp(rates, (0.0, period), start, method="DOP853", rtol=1e-12, atol=1e-13)
    return found.y[2:, -1].reshape(2, 2)


def periodic(acceleration: Acceleration, y: np.ndarray, period: float, most: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """The start of the periodic solution near a guess, and its monodromy matrix."""
    y = np.asarray(y, dtype=float)
    for _ in range(most):
        slopes = monodromy(acceleration, y, period)
        step = np.linalg.solve(slopes - np.eye(2), y - after(acceleration, y, period))
        y = y + step
        if np.abs(step).max() < 1e-11:
            return y, slopes
    raise RuntimeError("no periodic solution is found")


def limit(
    family: Callable[[float], tuple[Acceleration, float]], y: np.ndarray, value: float, multiplier: float
) -> tuple[float, np.ndarray]:
    """The value of a parameter where the return map has a multiplier ±1, near a guess; with the start there.

    ``family`` gives the acceleration and the period at a value. Newton's method with differences.
    """

    def left(z: np.ndarray) -> np.ndarray:
        acceleration, period = family(z[2])
        gap = after(acceleration, z[:2], period) - z[:2]
        slopes = monodromy(acceleration, z[:2], period)
        return np.array([*gap, np.linalg.det(slopes - multiplier * np.eye(2))])

    z = np.array([*y, value])
    for _ in range(12):
        now = left(z)
        steps = 1e-6 * np.maximum(np.abs(z), 0.1)
        slopes = np.array(
            [(left(z + d) - left(z - d)) / (2.0 * h) for h, d in zip(steps, np.diag(steps), strict=True)]
        ).T
        change = np.linalg.solve(slopes, -now)
        z = z + change
        if np.abs(change).max() < 1e-9:
            return float(z[2]), z[:2]
    raise RuntimeError("no limit is found near this")
