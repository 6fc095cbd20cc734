"""Linear equations of second order in steps of Gauss–Legendre collocation, with given right-hand sides.

In each step the unknowns are the accelerations at its nodes. The method has order 2s, is stable for steps of any
length, and keeps its accuracy at the ends of segments, where coefficients are discontinuous.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STAGES = 6


@dataclass(frozen=True)
class Rule:
    """Nodes and weights, for one and for two integrations."""

    nodes: Array
    once: Array
    twice: Array
    """integrals from the start of a step to each node, by the values at the nodes"""
    powers: tuple[Array, Array, Array]
    """coefficients of the polynomials of twice integrated, once integrated and plain values: powers by nodes"""
    legendre: Array
    """coefficients of Legendre polynomials from values at the nodes"""

    def weights(self, c: Array) -> tuple[Array, Array, Array]:
        """Weights of the nodes at the fractions c of a step, for positions, rates and accelerations."""
        grid = np.vander(c, STAGES + 2, increasing=True)
        twice, once, plain = (grid @ table for table in self.powers)
        return twice, once, plain


@lru_cache(maxsize=1)
def rule() -> Rule:
    """Gauss's rule on the unit interval."""
    x, w = np.polynomial.legendre.leggauss(STAGES)
    nodes = 0.5 * (x + 1.0)
    lagrange = np.linalg.inv(np.vander(nodes, STAGES, increasing=True))
    power = np.arange(STAGES)
    plain, once, twice = (np.zeros((STAGES + 2, STAGES)) for _ in range(3))
    plain[:STAGES] = lagrange
    once[1 : STAGES + 1] = lagrange / (power + 1)[:, None]
    twice[2:] = lagrange / ((power + 1) * (power + 2))[:, None]
    grid = np.vander(nodes, STAGES + 2, increasing=True)
    norms = (2.0 * np.arange(STAGES) + 1.0) / 2.0
    legendre = norms[:, None] * np.polynomial.legendre.legvander(x, STAGES - 1).T * w
    return Rule(nodes, grid @ once, grid @ twice, (twice, once, plain), legendre)


def accelerations(h: float, P: Array, Q: Array, b: Array, y: tuple[Array, Array]) -> Array:
    """Accelerations at the nodes of one step of q̈ + P q̇ + Q q = b, from q and q̇ at its start, (s, n, columns)."""
    r, (s, n, _) = rule(), P.shape
    q, v = y
    system = np.einsum("sab,sj->sajb", h * P, r.once) + np.einsum("sab,sj->sajb", h * h * Q, r.twice)
    system = system.reshape(s * n, s * n)
    system[np.arange(s * n), np.arange(s * n)] += 1.0
    ahead = q[None] + h * r.nodes[:, None, None] * v[None]
    right = b - P @ v[None] - Q @ ahead
    return np.asarray(np.linalg.solve(system, right.reshape(s * n, -1)).reshape(s, n, -1))


def inside(h: float, y: tuple[Array, Array], a: Array, c: Array) -> tuple[Array, Array]:
    """Positions and rates at the fractions c of a step, one row each."""
    twice, once, _ = rule().weights(c)
    q, v = y
    shape = (-1,) + (1,) * q.ndim
    place = q[None] + (h * c).reshape(shape) * v[None] + h * h * np.tensordot(twice, a, axes=1)
    return place, v[None] + h * np.tensordot(once, a, axes=1)


def ends(h: float, x: Array, v: Array, a: Array, c: float) -> tuple[Array, Array, Array]:
    """Positions, rates and accelerations of a motion at a fraction of a step, from those at its nodes."""
    r = rule()
    k = int(np.argmin(np.abs(r.nodes - c)))
    twice, once, plain = (weights[0] for weights in r.weights(np.array([c])))
    rate = v[k] - h * r.once[k] @ a
    start = x[k] - h * r.nodes[k] * rate - h * h * r.twice[k] @ a
    return start + c * h * rate + h * h * twice @ a, rate + h * once @ a, plain @ a


def unresolved(h: float, a: Array) -> Array:
    """Size of the last coefficients of the accelerations in Legendre polynomials, times the step, by column."""
    last = np.abs(np.tensordot(rule().legendre[-2:], a, axes=1))
    return np.asarray(h * last.max(axis=0))


def end_rate(h: float, values: Array) -> float:
    """Rate at the end of a step of a function of time, from its values at the nodes."""
    plain = rule().powers[2]
    return float(np.arange(STAGES + 2) @ plain @ values) / h
