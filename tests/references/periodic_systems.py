"""Linear equations with periodic coefficients whose solutions are known, or found by other means."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import flexura as fx
from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.planar import Beam, Hinge, Mass

Array = NDArray[np.float64]


def equations(P, Q, r, period: float, samples: int = 64) -> PeriodicEquations:
    """From functions of the time that give matrices and a vector, with a unit mass."""
    t = period * np.arange(samples) / samples
    C, K = (np.array([f(at) for at in t]) for f in (P, Q))
    f = np.array([r(at) for at in t])
    M = np.broadcast_to(np.eye(K.shape[1]), K.shape)
    return PeriodicEquations.sampled(M, C, K, f, period)


def mathieu(a: float, q: float, damping: float = 0.0, samples: int = 32) -> PeriodicEquations:
    """x″ + 2μx′ + (a - 2q cos 2t) x = 0, with the period π."""
    return equations(
        lambda t: np.array([[2.0 * damping]]),
        lambda t: np.array([[a - 2.0 * q * np.cos(2.0 * t)]]),
        lambda t: np.zeros(1),
        np.pi,
        samples,
    )


def hill_type(n: int, seed: int, period: float = 2.0 * np.pi, damping: float = 0.02, strength: float = 0.3):
    """(P, Q) of n coupled oscillators whose stiffness and damping vary with three harmonics."""
    random = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(random.standard_normal((n, n)))
    squares = (0.5 + 2.5 * random.random(n)) ** 2
    K = turn @ np.diag(squares) @ turn.T
    vary = strength * random.standard_normal((2, 3, n, n)) / np.sqrt(n)
    w = 2.0 * np.pi / period

    def Q(t: float) -> Array:
        return K + sum(vary[0, k] * np.cos((k + 1) * w * t + k) for k in range(3))

    def P(t: float) -> Array:
        return damping * (np.eye(n) + sum(vary[1, k] * np.sin((k + 1) * w * t) for k in range(3)))

    return P, Q


def integrated(P, Q, start: Array, times: Array) -> Array:
    """(q, q̇) of the free motion by an integrator of SciPy."""
    n = len(start) // 2

    def rate(t: float, y: Array) -> Array:
        return np.concatenate([y[n:], -P(t) @ y[n:] - Q(t) @ y[:n]])

    found = solve_ivp(rate, (0.0, float(times[-1])), start, "DOP853", t_eval=times, rtol=1e-12, atol=1e-13)
    return np.asarray(found.y.T)


def monodromy(P, Q, period: float, n: int) -> Array:
    """Columns: the state after a period from each unit state."""
    return np.array([integrated(P, Q, unit, np.array([period]))[-1] for unit in np.eye(2 * n)]).T


def shaken_pendulum(a: float, q: float, damping: float = 0.0) -> fx.Model:
    """Pendulum of unit length under gravity a on a pivot that goes up and down: φ″ + 2μφ′ + (a - 2q cos 2t) φ = 0."""
    return fx.Model(
        nodes={"P": (0, 0), "Q": (0, -1)},
        elements={
            "pendulum": Beam("P", "Q", fx.Section(), rigid=True),
            "bob": Mass("Q", 1.0),
            "pin": Hinge("P", "pendulum.p", c=2.0 * damping),
        },
        fixed=["P.x", "pin.p.phi"],
        inputs={"P.y": fx.Sine(amplitude=0.5 * q, frequency=2.0, phase=np.pi / 2)},
        gravity=(0, -a),
    )
