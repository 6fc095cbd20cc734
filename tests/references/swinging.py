"""The pendulum whose pivot goes round an ellipse, by its one equation of motion: periodic swings, folds and flips.

The pivot is at (¼ sin ωt, -¾ cos ωt), the pendulum has length and mass one, and the friction c acts on its turning
against the pinion, which turns with -ω. Shooting with the variational equations, integrated by scipy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

Array = NDArray[np.float64]

GRAVITY = 9.81


def after_a_turn(y: Array, w: float, c: float) -> tuple[Array, Array]:
    """(φ, φ̇) after a turn of the crank, and its derivatives with respect to the start."""

    def rates(t: float, z: Array) -> Array:
        phi, rate = z[0], z[1]
        down, side = GRAVITY + 0.75 * w * w * np.cos(w * t), -0.25 * w * w * np.sin(w * t)
        slope = -down * np.cos(phi) + side * np.sin(phi)
        a = -down * np.sin(phi) - side * np.cos(phi) - c * (rate + w)
        return np.array([rate, a, z[4], z[5], slope * z[2] - c * z[4], slope * z[3] - c * z[5]])

    start = np.array([*y, 1.0, 0.0, 0.0, 1.0])
    end = solve_ivp(rates, (0.0, 2.0 * np.pi / w), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    return end[:2], end[2:].reshape(2, 2)


def periodic_swing(w: float, c: float, guess: Array) -> tuple[Array, Array]:
    """The start of the periodic swing near a guess, and its monodromy matrix."""
    y = guess
    for _ in range(30):
        end, slopes = after_a_turn(y, w, c)
        change = np.linalg.solve(slopes - np.eye(2), y - end)
        y = y + change
        if np.abs(change).max() < 1e-11:
            return y, after_a_turn(y, w, c)[1]
    raise ArithmeticError("no periodic swing is found")


def flip(low: float, high: float, c: float, guess: Array) -> float:
    """The speed at which a multiplier is -1, det(Φ + 1) = 0."""
    y = guess

    def look(w: float) -> float:
        nonlocal y
        y, slopes = periodic_swing(w, c, y)
        return float(np.linalg.det(slopes + np.eye(2)))

    return float(brentq(look, low, high, xtol=1e-12))


def fold(c: float, w: float, guess: Array) -> float:
    """The speed of the fold near (φ, φ̇) and ω: Newton's method on a swing that repeats and det(Φ - 1) = 0."""
    z = np.array([*guess, w])

    def left(z: Array) -> Array:
        end, slopes = after_a_turn(z[:2], z[2], c)
        return np.array([*(end - z[:2]), np.linalg.det(slopes - np.eye(2))])

    for _ in range(30):
        step = 1e-6
        slopes = np.column_stack([(left(z + d) - left(z - d)) / (2 * step) for d in step * np.eye(3)])
        change = np.linalg.solve(slopes, -left(z))
        z = z + change
        if np.abs(change).max() < 1e-10:
            return float(z[2])
    raise ArithmeticError("no fold is found")
