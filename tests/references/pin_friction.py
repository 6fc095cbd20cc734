"""Pendulum on a pin with Coulomb friction, as an ordinary differential equation of one angle.

The pin of radius r is pressed by the reaction N of the pivot, which depends on the angular acceleration; the moment of
friction is μrN against the rotation. The pendulum sticks where its weight turns it less than friction can hold.
"""

from __future__ import annotations

from math import cos, hypot, sin

import numpy as np
from scipy.integrate import solve_ivp


def acceleration(angle: float, rate: float, m: float, d: float, J: float, g: float, mu_r: float) -> float:
    """Angular acceleration while the pin slides, by iteration over the reaction."""
    about, alpha = J + m * d * d, 0.0
    for _ in range(200):
        radial, tangential = m * (d * rate**2 + g * cos(angle)), m * (d * alpha + g * sin(angle))
        new = (-m * g * d * sin(angle) - mu_r * hypot(radial, tangential) * np.sign(rate)) / about
        if abs(new - alpha) < 1e-15 * (1.0 + abs(new)):
            break
        alpha = new
    return float(alpha)


def rest(angle: float, m: float, d: float, J: float, g: float, mu_r: float) -> tuple[float, float]:
    """Time and angle at which a pendulum that is let go comes to rest for good."""
    time, rate = 0.0, -1e-300 * np.sign(angle)
    while abs(m * g * d * sin(angle)) > mu_r * m * g:
        way = -np.sign(angle)

        def slide(t: float, y: list[float], way: float = way) -> list[float]:
            rate = y[1] if y[1] * way > 0.0 else 1e-300 * way
            return [y[1], acceleration(y[0], rate, m, d, J, g, mu_r)]

        def stop(t: float, y: list[float], way: float = way) -> float:
            return y[1] if t > 1e-6 else way

        stop.terminal, stop.direction = True, -way  # type: ignore[attr-defined]
        found = solve_ivp(slide, (0.0, 100.0), [angle, rate], events=stop, rtol=1e-12, atol=1e-14)
        time, angle = time + float(found.t[-1]), float(found.y[0, -1])
    return time, angle
