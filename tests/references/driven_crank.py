"""A slider-crank driven by a synchronous motor, by its one equation of motion.

With the inertia J(φ) as seen from the crank, J φ̈ + ½ J' φ̇² = motor - friction of the plunger.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

Array = NDArray[np.float64]

CRANK, ROD = 0.1, 0.3
FLYWHEEL, ROD_MASS, PLUNGER = 0.2, 1.0, 2.0
SPEED, PULL, POLES, DAMPING, FRICTION = 100.0, 200.0, 2.0, 3.0, 40.0


def way(phi: float) -> tuple[float, float]:
    """dx/dφ and d²x/dφ² of the plunger."""
    s, c = np.sin(phi), np.cos(phi)
    h = np.sqrt(ROD**2 - (CRANK * s) ** 2)
    # h² = l² - r² s², so that h h' = -r² s c and h h'' = -r² (c² - s²) - h'²
    slope = -(CRANK**2) * s * c / h
    return float(-CRANK * s + slope), float(-CRANK * c - (CRANK**2 * (c * c - s * s) + slope**2) / h)


def inertia(phi: float) -> tuple[float, float]:
    """J(φ) and its derivative; the rod is uniform."""
    s, c = np.sin(phi), np.cos(phi)
    b, db = way(phi)
    J = FLYWHEEL + ROD_MASS / 3.0 * (CRANK**2 - CRANK * s * b + b * b) + PLUNGER * b * b
    dJ = ROD_MASS / 3.0 * (-CRANK * (c * b + s * db) + 2.0 * b * db) + 2.0 * PLUNGER * b * db
    return float(J), float(dJ)


def rates(t: float, y: Array) -> Array:
    """The rates of (φ - Ωt, φ̇ - Ω)."""
    phi, speed = y[0] + SPEED * t, y[1] + SPEED
    J, dJ = inertia(phi)
    b, _ = way(phi)
    torque = -PULL * np.sin(POLES * y[0]) - DAMPING * y[1] - FRICTION * b * b * speed
    return np.array([y[1], (torque - 0.5 * dJ * speed**2) / J])


def fluctuation() -> float:
    """(largest - least speed)/nominal speed when the motion repeats."""
    turn = 2.0 * np.pi / SPEED
    options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}

    def gap(start: Array) -> Array:
        return np.asarray(solve_ivp(rates, (0.0, turn), start, **options).y[:, -1] - start)

    # first it settles by itself
    settled = solve_ivp(rates, (0.0, 30 * turn), [0.0, 0.0], method="DOP853", rtol=1e-9, atol=1e-10).y[:, -1]
    start = fsolve(gap, settled, xtol=1e-12)
    found = solve_ivp(rates, (0.0, turn), start, dense_output=True, **options).sol(np.linspace(0.0, turn, 200_001))[1]
    return float((found.max() - found.min()) / SPEED)
