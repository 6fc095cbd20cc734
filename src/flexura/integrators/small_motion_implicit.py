"""Implicit steps of small motions, by the method of Kennedy and Carpenter of order 4.

The accelerations A of a stage are found by Newton's iteration: with V = v + h γ A and Q = q + h γ V,

    (1 - h γ ∂a/∂q̇ - (h γ)² ∂a/∂q) ΔA = a(Q, V) - A .

The factors are renewed if the step has changed or the iteration is slow.
"""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.kennedy_carpenter import ERROR_WEIGHTS, GAMMA, STAGES, A, C
from flexura.integrators.small_motion_equations import Course, slope
from flexura.integrators.small_motion_slopes import LawSlopes, acceleration_slopes

ORDER = 4
_MOST, _ACCURATE = 12, 1e-3
"""Iterations of a stage, and the error that they may leave, as a fraction of the tolerance."""
_SLOW = 0.3
"""Contraction rate above which the factors are renewed."""


class Implicit(Record):
    """Memory of the implicit method."""

    slopes: LawSlopes
    matrix: FloatTable
    pivot: Ints
    """pivots of the factors of the iteration"""
    factored: Floats
    """step of the factors, zero without factors"""
    right: Floats
    rate: Floats


def implicit_memory(slopes: LawSlopes, n: int) -> Implicit:
    """Memory for n coordinates."""
    return Implicit(
        slopes=slopes,
        matrix=np.zeros((n, n)),
        pivot=np.zeros(n, dtype=np.int64),
        factored=np.zeros(1),
        right=np.zeros(n),
        rate=np.zeros(2 * n),
    )


@compiled
def _factorise(a: FloatTable, pivot: Ints) -> bool:
    """Factorise a matrix in place, with row exchanges; false if it is singular."""
    n = a.shape[0]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        pivot[k] = best
        if not abs(a[best, k]) > 0.0:
            return False
        if best != k:
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k] = factor
            if factor != 0.0:
                for j in range(k + 1, n):
                    a[i, j] -= factor * a[k, j]
    return True


@compiled
def _solve(a: FloatTable, pivot: Ints, z: Floats) -> None:
    """Solve with these factors, in place of the right-hand side."""
    n = z.size
    for k in range(n):
        if pivot[k] != k:
            z[k], z[pivot[k]] = z[pivot[k]], z[k]
    for k in range(n):
        for j in range(k):
            z[k] -= a[k, j] * z[j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            z[k] -= a[k, j] * z[j]
        z[k] /= a[k, k]


@compiled
def _stage(
    c: Course, m: Implicit, stages: FloatTable, i: int, t: float, h: float, y: Floats, end: Floats, unit: Floats
) -> bool:
    """Solve one stage by Newton's iteration, from the rates of the previous stage; ``unit`` counts as one."""
    n, g = c.size[0], GAMMA * h
    rate = stages[i]
    copy(rate, stages[i - 1])
    before, slow = math.inf, False
    for _ in range(_MOST):
        for k in range(n):
            dx = dv = 0.0
            for j in range(i):
                dx += A[i, j] * stages[j, k]
                dv += A[i, j] * stages[j, n + k]
            end[n + k] = y[n + k] + h * dv + g * rate[n + k]
            end[k] = y[k] + h * dx + g * end[n + k]
            rate[k] = end[n + k]
        slope(c, t + C[i] * h, end, m.rate)
        if m.factored[0] != h or slow:
            acceleration_slopes(c, m.slopes, g * g, g, m.matrix)
            if not _factorise(m.matrix, m.pivot):
                return False
            m.factored[0] = h
        change = 0.0
        for k in range(n):
            m.right[k] = m.rate[n + k] - rate[n + k]
        _solve(m.matrix, m.pivot, m.right)
        for k in range(n):
            rate[n + k] += m.right[k]
            change = max(change, abs(g * g * m.right[k]) / unit[k])
        if not change < math.inf:
            return False
        if change <= _ACCURATE:
            # the last correction is applied: the state includes it
            for k in range(n):
                end[n + k] += g * m.right[k]
                end[k] += g * g * m.right[k]
                rate[k] = end[n + k]
            return True
        slow = change > _SLOW * before
        before = change
    return False


@compiled
def implicit_step(
    c: Course,
    m: Implicit,
    stages: FloatTable,
    t: float,
    h: float,
    y: Floats,
    end: Floats,
    scale: Floats,
    rtol: float,
) -> float:
    """Make one step from y to ``end``; returns the error of the positions over the tolerance, infinite if it fails.

    The first stage is given, the last is that of the end. The error of the rates is dominated by damped vibrations.
    """
    n, unit = c.size[0], m.rate[: c.size[0]].copy()
    for k in range(n):
        unit[k] = scale[k] + rtol * max(abs(y[k]), abs(h * y[n + k]))
    for i in range(1, STAGES):
        if not _stage(c, m, stages, i, t, h, y, end, unit):
            m.factored[0] = 0.0
            return math.inf
    # laws and gaps at the end itself
    slope(c, t + h, end, m.rate)
    total = 0.0
    for k in range(n):
        error = 0.0
        for j in range(STAGES):
            error += ERROR_WEIGHTS[j] * stages[j, k]
        total += (h * error / unit[k]) ** 2
    return math.sqrt(total / n)
