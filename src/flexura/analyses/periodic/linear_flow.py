"""Free motion of linear equations with periodic coefficients: through a period, and to any time.

Gauss–Legendre collocation on the equations of second order: the unknowns of a step are the accelerations at its
nodes, and the result is that of the Gauss method on the equations of first order, of order 2s, stable for all steps.
All steps are solved at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.results import fourier
from flexura.results.fourier import Array

STAGES = 8
_MOST_STEPS = 4096


@dataclass(frozen=True, eq=False)
class LinearFlow:
    """y = (q, q̇) through one period in equal steps."""

    period: float
    steps: Array
    """(N, 2n, 2n): y at the end of each step from y at its start"""
    accelerations: Array
    """(N, s, n, 2n): q̈ at the nodes of each step from y at its start"""
    error: float
    """estimated error of the monodromy matrix, relative to its size"""

    @cached_property
    def monodromy(self) -> Array:
        """y after a period, as a matrix on y at its start."""
        product = self.steps
        while len(product) > 1:
            if len(product) % 2:
                product = np.concatenate([product, np.eye(product.shape[1])[None]])
            product = product[1::2] @ product[::2]
        return np.asarray(product[0])

    def follow(self, start: Array, times: Array) -> tuple[Array, Array, Array]:
        """q, q̇, q̈ at any times from zero on, from y at time zero."""
        n, count = self.steps.shape[1] // 2, len(self.steps)
        h = self.period / count
        place = np.maximum(np.asarray(times, dtype=float), 0.0) / h
        step = np.floor(place * (1.0 + 1e-15)).astype(np.int64)
        # states at the starts of all steps up to the last one needed
        states = np.empty((int(step.max(initial=0)) + 1, 2 * n))
        states[0] = start
        for k in range(1, len(states)):
            states[k] = self.steps[(k - 1) % count] @ states[k - 1]
        y, c = states[step], (place - step)[:, None]
        a = np.einsum("tsij,tj->tsi", self.accelerations[step % count], y)
        weights = [np.vander(c[:, 0], STAGES + 2, increasing=True) @ table for table in _gauss().dense]
        q, v, acceleration = (np.einsum("ts,tsi->ti", weight, a) for weight in weights)
        return y[:, :n] + c * h * y[:, n:] + h * h * q, y[:, n:] + h * v, acceleration


def flow(equations: PeriodicEquations, tolerance: float = 1e-10, finer: int = 1) -> LinearFlow:
    """Flow through a period, with as many steps as the tolerance requires.

    Between the ends of its steps a flow is less accurate, of order s + 1; for values there, make it a few times
    ``finer``.
    """
    speed = fastest(equations)
    count = 4
    while count < min(0.05 * speed * equations.period, 64):
        count *= 2
    before = _flow(equations, count)
    while True:
        count *= 2
        after = _flow(equations, count)
        error = refinement_error(before, after)
        if error <= tolerance or count >= _MOST_STEPS:
            after = after if finer == 1 else _flow(equations, finer * count)
            return LinearFlow(after.period, after.steps, after.accelerations, error)
        before = after


def fastest(equations: PeriodicEquations) -> float:
    """Highest frequency of the mean stiffness."""
    return float(np.sqrt(np.abs(np.linalg.eigvals(equations.Q[len(equations.Q) // 2])).max(initial=0.0)))


def refinement_error(coarse: LinearFlow, fine: LinearFlow) -> float:
    """Error of the monodromy matrix of a flow, relative to its size, from the flow with steps twice as long."""
    frequency = 2.0 * np.pi / fine.period
    size = _size(coarse.monodromy, frequency)
    # halved steps leave a 2²ˢth of the error if all motions are slow, and at most a 2ˢ⁺²th otherwise
    change = _size(fine.monodromy - coarse.monodromy, frequency) / max(size, 1e-300)
    return float(change / 2.0 ** (STAGES + 2) + 1e-15 * len(fine.steps))


def _size(matrix: Array, frequency: float) -> float:
    """Largest entry, with rates in units of ω."""
    n = len(matrix) // 2
    scale = np.repeat([1.0, 1.0 / frequency], n)
    return float(np.abs(scale[:, None] * matrix / scale).max(initial=0.0))


def _flow(equations: PeriodicEquations, count: int) -> LinearFlow:
    """Flow with this number of steps."""
    P, Q = (
        np.stack([fourier.sampled(x, count, c) for c in _gauss().nodes], axis=1) for x in (equations.P, equations.Q)
    )
    return collocated(equations.period * np.arange(count + 1) / count, P, Q)


def nodes(bounds: Array) -> Array:
    """Times of the nodes of the steps between bounds, one row for each step."""
    return np.asarray(bounds[:-1, None] + np.diff(bounds)[:, None] * _gauss().nodes)


def local_errors(coarse: LinearFlow, halves: LinearFlow) -> Array:
    """Relative error of each step of a flow from one with all of them halved."""
    n, frequency = coarse.steps.shape[1] // 2, 2.0 * np.pi / coarse.period
    scale = np.repeat([1.0, 1.0 / frequency], n)
    change = scale[:, None] * (halves.steps[1::2] @ halves.steps[::2] - coarse.steps) / scale
    size = np.abs(scale[:, None] * coarse.steps / scale).max(axis=(1, 2))
    return np.asarray(np.abs(change).max(axis=(1, 2)) / np.maximum(size, 1.0) / 2.0 ** (STAGES + 2))


def collocated(bounds: Array, P: Array, Q: Array) -> LinearFlow:
    """Flow of q̈ + P q̇ + Q q = 0 from values at the nodes of the steps between bounds, (N, s, n, n)."""
    rule, (count, s, n, _) = _gauss(), P.shape
    h = np.diff(bounds)[:, None, None, None]
    # a_i + P_i (v + h Σ A_ij a_j) + Q_i (q + c_i h v + h² Σ Ā_ij a_j) = 0
    system = np.einsum("nsab,sj->nsajb", h * P, rule.A) + np.einsum("nsab,sj->nsajb", h * h * Q, rule.AA)
    system = system.reshape(count, s * n, s * n)
    system[:, np.arange(s * n), np.arange(s * n)] += 1.0
    right = np.concatenate([-Q, -P - h * rule.nodes[:, None, None] * Q], axis=3).reshape(count, s * n, 2 * n)
    a = np.linalg.solve(system, right).reshape(count, s, n, 2 * n)
    h = h[:, 0]
    steps = np.zeros((count, 2 * n, 2 * n))
    steps[:] = np.eye(2 * n)
    steps[:, :n, n:] += h * np.eye(n)
    steps[:, :n] += h * h * np.einsum("s,nsab->nab", rule.bb, a)
    steps[:, n:] += h * np.einsum("s,nsab->nab", rule.b, a)
    return LinearFlow(float(bounds[-1] - bounds[0]), steps, a, np.inf)


@dataclass(frozen=True)
class _Gauss:
    """Nodes and weights, for one and for two integrations."""

    nodes: Array
    A: Array
    AA: Array
    b: Array
    bb: Array
    dense: tuple[Array, Array, Array]
    """of the interpolation: powers of c by nodes, for q, v and a"""


@lru_cache(maxsize=1)
def _gauss() -> _Gauss:
    s = STAGES
    x, w = np.polynomial.legendre.leggauss(s)
    nodes, b = 0.5 * (x + 1.0), 0.5 * w
    # Lagrange's polynomials through the nodes, in powers of c
    lagrange = np.linalg.inv(np.vander(nodes, s, increasing=True))
    power = np.arange(s)
    once = np.zeros((s + 2, s))
    twice = np.zeros((s + 2, s))
    plain = np.zeros((s + 2, s))
    plain[:s] = lagrange
    once[1 : s + 1] = lagrange / (power + 1)[:, None]
    twice[2:] = lagrange / ((power + 1) * (power + 2))[:, None]
    at_nodes = np.vander(nodes, s + 2, increasing=True)
    A = at_nodes @ once
    return _Gauss(nodes, A, A @ A, b, b @ A, (twice, once, plain))
