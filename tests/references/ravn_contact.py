"""The slider-crank of Ravn with play in the gudgeon pin, in two coordinates: the angle of the rod and the slider.

The crank turns evenly, the rod is a uniform rigid bar from the crank pin to the journal, the slider moves along x and
carries the sleeve. Written out by hand and integrated by scipy from contact to contact, so that every piece is smooth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, pi

import numpy as np
from scipy.integrate import solve_ivp

from references.hertz import stiffness

CRANK, ROD, SPEED = 0.05, 0.12, 523.6
ROD_MASS, SLIDER_MASS = 0.145, 0.145
JOURNAL, SLEEVE = 9.5e-3, 10e-3
PLAY = SLEEVE - JOURNAL
STIFFNESS = stiffness(JOURNAL, -SLEEVE, 2.06e11, 2.06e11, 0.3, 0.3)
RESTITUTION = 0.95

Force = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""On the journal, of its displacement and velocity in the sleeve."""


def start() -> np.ndarray:
    """Outer dead point, journal centred and at rest in the sleeve: (ψ, s, ψ̇, ṡ)."""
    return np.array([0.0, CRANK + ROD, -CRANK * SPEED / ROD, 0.0])


def journal(t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The displacement and the velocity of the journal in the sleeve."""
    theta, (psi, s, dpsi, ds) = SPEED * t, y
    d = np.array([CRANK * np.cos(theta) + ROD * np.cos(psi) - s, CRANK * np.sin(theta) + ROD * np.sin(psi)])
    v = np.array(
        [
            -CRANK * SPEED * np.sin(theta) - ROD * dpsi * np.sin(psi) - ds,
            CRANK * SPEED * np.cos(theta) + ROD * dpsi * np.cos(psi),
        ]
    )
    return d, v


def accelerations(t: float, y: np.ndarray, f: np.ndarray) -> np.ndarray:
    """(ψ̈, s̈) with the force f on the journal: moments about the crank pin, and the slider."""
    theta, psi = SPEED * t, y[0]
    a = -CRANK * SPEED**2 * np.array([np.cos(theta), np.sin(theta)])
    e = np.array([np.cos(psi), np.sin(psi)])
    turning = ROD * (e[0] * f[1] - e[1] * f[0]) - 0.5 * ROD_MASS * ROD * (e[0] * a[1] - e[1] * a[0])
    return np.array([turning / (ROD_MASS * ROD**2 / 3.0), -f[0] / SLIDER_MASS])


def torque(t: float, y: np.ndarray, f: np.ndarray) -> float:
    """What drives a crank without mass: the moment of the force of the crank pin."""
    theta, psi, dpsi = SPEED * t, y[0], y[2]
    bend = accelerations(t, y, f)[0]
    pin = -CRANK * SPEED**2 * np.array([np.cos(theta), np.sin(theta)])
    middle = 0.5 * ROD * (bend * np.array([-np.sin(psi), np.cos(psi)]) - dpsi**2 * np.array([np.cos(psi), np.sin(psi)]))
    # the crank pushes the rod with m a - f
    push = ROD_MASS * (pin + middle) - f
    return CRANK * (np.cos(theta) * push[1] - np.sin(theta) * push[0])


@dataclass(frozen=True)
class Impact:
    """One contact."""

    angle: float
    """of the crank in degrees, when it begins"""
    approach: float
    peak: float
    duration: float


def hertz_force(approach: float) -> Force:
    """Hertz with the hysteresis of [Schwab2002 (5.10)] at this approach velocity."""
    chi = 0.75 * (1.0 - RESTITUTION**2) / approach

    def force(d: np.ndarray, v: np.ndarray) -> np.ndarray:
        r = float(np.hypot(*d))
        depth, rate = r - PLAY, float(d @ v) / r
        return -STIFFNESS * max(depth, 0.0) ** 1.5 * max(1.0 + chi * rate, 0.0) * d / r

    return force


def _free(d: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.zeros(2)


def hertz_motion(until: float, y: np.ndarray | None = None, tolerance: float = 1e-12) -> tuple[list[Impact], list]:
    """The contacts until a time, and the pieces of the motion as (start, end, solution, force)."""
    t, y, touching, approach = 0.0, start() if y is None else y, False, inf
    impacts: list[Impact] = []
    pieces = []
    while t < until:
        force = hertz_force(approach) if touching else _free

        def rates(t: float, y: np.ndarray, force: Force = force) -> np.ndarray:
            return np.concatenate([y[2:], accelerations(t, y, force(*journal(t, y)))])

        def gap(t: float, y: np.ndarray) -> float:
            return PLAY - float(np.hypot(*journal(t, y)[0]))

        gap.terminal, gap.direction = True, 1.0 if touching else -1.0
        found = solve_ivp(
            rates, (t, until), y, "DOP853", rtol=tolerance, atol=1e-16, events=gap, dense_output=True,
            first_step=1e-9, max_step=2e-6 if touching else inf,
        )  # fmt: skip
        end, y = float(found.t[-1]), found.y[:, -1]
        pieces.append((t, end, found.sol, force))
        if touching:
            sampled = np.linspace(t, end, 20001)
            peak = max(float(np.hypot(*force(*journal(s, found.sol(s))))) for s in sampled)
            impacts.append(Impact(np.degrees(SPEED * t), approach, peak, end - t))
        elif end < until:
            d, v = journal(end, y)
            approach = float(d @ v) / PLAY
        t, touching = end, not touching
    return impacts, pieces


def slider(pieces: list, t: float) -> float:
    """The position of the slider at a time."""
    return next(float(sol(t)[1]) for a, b, sol, _ in pieces if a <= t <= b)


def ideal_acceleration(angle: float) -> float:
    """Of the slider without play, at a crank angle."""
    r = CRANK / ROD
    c, s = np.cos(angle), np.sin(angle)
    root = np.sqrt(1.0 - (r * s) ** 2)
    return -CRANK * SPEED**2 * (c + r * (c * c - s * s) / root + r**3 * (s * c) ** 2 / root**3)


TURN = 2.0 * pi / SPEED

SLIDER_AFTER_6_MS = 0.069668486866
"""Where ``hertz_motion`` has the slider then: …6899 with a tolerance of 1e-12, …6866 with 1e-13, after 19 contacts."""
