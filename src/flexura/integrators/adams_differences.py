"""Modified divided differences of the Adams methods: prediction, correction, update and dense output."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.run_memory import Memory
from flexura.integrators.runge_kutta import RungeKuttaMemory

HIGHEST = 12

# places in ``count``
ORDER, EQUAL, FAILED, STARTING, MISSING, FILLED, LOST = range(7)
# places in ``setting``
RTOL, TOP = range(2)


def _gamma_star() -> Floats:
    """|γ*_j|, the error constants of Moulton's formulas at equal steps [HairerNorsettWanner1993, III.1]."""
    gamma = np.ones(HIGHEST + 2)
    for m in range(1, gamma.size):
        gamma[m] = 1.0 - sum(gamma[j] / (m + 1 - j) for j in range(m))
    return np.concatenate([[1.0], gamma[:-1] - gamma[1:]])


GAMMA_STAR = _gamma_star()


class AdamsMemory(Record):
    """Past of a run; the columns of the differences are those of x, v and work."""

    setting: Floats
    """tolerance and highest order"""
    filler: RungeKuttaMemory
    """method of the steps that fill the past of a fixed order, and of those near singular positions"""
    count: Ints
    """order, number of equal steps, failures of this step, whether the order still rises with each step, number
    of past steps still missing, whether the last attempt was to fill one, and whether a singular position has
    invalidated the past"""
    steps: Floats
    """the last steps, newest first"""
    phi: FloatTable
    """Φ_j at the last time"""
    star: FloatTable
    """Φ*_j = β_j Φ_j for the next step"""
    foretold: Floats
    """f*"""
    gain: Floats
    """Σ g_j Φ*_j"""
    new: Floats
    """Φ_k at the predicted state, and with one and two more terms"""
    g: Floats
    sigma: Floats
    """factors that scale Φ_j to equal steps"""
    row: Floats
    error: Floats
    """relative to the tolerance, of equal steps with the orders k, k - 1, k - 2"""
    basis: FloatTable


@compiled
def find_coefficients(d: AdamsMemory, h: float) -> None:
    """Φ*, g and σ for a step h after the previous steps [HairerNorsettWanner1993, III.5]."""
    k = d.count[ORDER]
    for q in range(k + 1):
        d.row[q] = 1.0 / (q + 1.0)
    copy(d.star[0], d.phi[0])
    beta = 1.0
    # from the new time, and from the last one, back over j steps
    ahead, behind = h, d.steps[0]
    for j in range(1, k + 1):
        beta *= ahead / behind
        for i in range(d.gain.size):
            d.star[j, i] = beta * d.phi[j, i]
        d.sigma[j] = d.sigma[j - 1] * j * h / ahead
        for q in range(k + 1 - j):
            d.row[q] -= h / ahead * d.row[q + 1]
        d.g[j] = d.row[0]
        ahead += d.steps[j - 1]
        behind += d.steps[j]


@compiled
def predict(m: Memory, d: AdamsMemory, h: float) -> None:
    """Predict the state by extrapolation, into the first stage."""
    clear(d.foretold)
    clear(d.gain)
    for j in range(d.count[ORDER] - 1, -1, -1):
        for i in range(d.gain.size):
            d.foretold[i] += d.star[j, i]
            d.gain[i] += d.g[j] * d.star[j, i]
    n = m.x.size
    for i in range(n):
        m.xs[0, i] = m.x0[i] + h * d.gain[i]
        m.vs[0, i] = m.v0[i] + h * d.gain[n + i]


@compiled
def correct(m: Memory, d: AdamsMemory, c: float) -> None:
    """Add the new difference, weighted by c, to the predicted state."""
    n = m.x.size
    for i in range(n):
        m.x[i] = m.xs[0, i] + c * (m.vs[0, i] - d.foretold[i])
        m.v[i] = m.vs[0, i] + c * (m.as_[0, i] - d.foretold[n + i])


@compiled
def record_step(m: Memory, d: AdamsMemory, h: float) -> None:
    """Update the differences with the new state."""
    n = m.x.size
    for i in range(n):
        d.phi[0, i] = m.v[i]
        d.phi[0, n + i] = m.a[i]
    for i in range(m.power.size):
        d.phi[0, 2 * n + i] = m.power[i]
    for j in range(1, d.count[ORDER] + 2):
        for i in range(d.gain.size):
            d.phi[j, i] = d.phi[j - 1, i] - d.star[j - 1, i]
    d.count[EQUAL] = d.count[EQUAL] + 1 if h == d.steps[0] else 1
    for j in range(d.steps.size - 1, 0, -1):
        d.steps[j] = d.steps[j - 1]
    d.steps[0] = h


@compiled
def prepare_powers(m: Memory, d: AdamsMemory, h: float) -> None:
    """Polynomial of the last step in powers of theta: the integral of that through k + 1 values of f."""
    n, k, basis = m.x.size, d.count[ORDER], d.basis
    # Newton's form: each polynomial is the previous one times (θ - node), normalised to one at θ = 1
    basis[:, :] = 0.0
    basis[0, 0] = 1.0
    node = 1.0
    for j in range(k):
        following = node - d.steps[j] / h
        for p in range(j + 1):
            basis[j + 1, p] -= basis[j, p] * node / (1.0 - following)
            basis[j + 1, p + 1] += basis[j, p] / (1.0 - following)
        node = following
    for p in range(k + 1, m.dense_x.shape[0]):
        clear(m.dense_x[p])
        clear(m.dense_v[p])
        clear(m.dense_work[p])
    for i in range(n):
        # the first power includes the corrections and the projection, so that the path is continuous
        rest_x, rest_v = m.x[i] - m.x0[i], m.v[i] - m.v0[i]
        for p in range(k + 1):
            sum_x = sum_v = 0.0
            for j in range(p, k + 1):
                sum_x += basis[j, p] * d.phi[j, i]
                sum_v += basis[j, p] * d.phi[j, n + i]
            m.dense_x[p, i] = h * sum_x / (p + 1.0)
            m.dense_v[p, i] = h * sum_v / (p + 1.0)
            rest_x -= m.dense_x[p, i]
            rest_v -= m.dense_v[p, i]
        m.dense_x[0, i] += rest_x
        m.dense_v[0, i] += rest_v
    for i in range(m.work.size):
        rest = m.work[i] - m.work0[i]
        for p in range(k + 1):
            total = 0.0
            for j in range(p, k + 1):
                total += basis[j, p] * d.phi[j, 2 * n + i]
            m.dense_work[p, i] = h * total / (p + 1.0)
            rest -= m.dense_work[p, i]
        m.dense_work[0, i] += rest
