"""Explicit Runge–Kutta methods on the manifold of the held strains.

The stages advance all coordinates with the accelerations of
:func:`~flexura.mechanics.motion.equations_of_motion.accelerate`. After each step the state is projected back, so that
the constraints hold to rounding and the order of the method is kept.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import DOP853

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats, FloatTable, Record
from flexura.integrators.formulations import conform
from flexura.integrators.law_contact_events import change_sides, touch
from flexura.integrators.run_memory import (
    DENSE,
    DONE,
    EVALUATIONS,
    HERMITE,
    LAST_ERROR,
    NESTED,
    NEXT_STEP,
    NOW,
    REJECTED,
    RUNNING,
    SMALLEST,
    STATUS,
    STEP_TOO_SMALL,
    Memory,
)
from flexura.integrators.step_stages import arrive, finish, keep, look_ahead, looked_into, next_step, restore
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate


class Tableau(Record):
    """The coefficients of a method; ``error`` is b minus the b of the embedded method, empty for fixed steps."""

    a: FloatTable
    b: Floats
    c: Floats
    error: Floats
    error_low: Floats
    """a second, lower estimate that tempers the first; empty where there is none"""
    order: Floats
    """of the embedded method, for step control"""
    extra_a: FloatTable
    extra_c: Floats
    dense: FloatTable
    """further stages and the polynomial between steps, empty where Hermite's quintic serves"""


CLASSICAL = Tableau(
    a=np.array([[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]),
    b=np.array([1.0, 2.0, 2.0, 1.0]) / 6.0,
    c=np.array([0.0, 0.5, 0.5, 1.0]),
    error=np.zeros(0),
    error_low=np.zeros(0),
    order=np.array([4.0]),
    extra_a=np.zeros((0, 0)),
    extra_c=np.zeros(0),
    dense=np.zeros((0, 0)),
)

_A = np.zeros((6, 6))
_A[1, :1] = [1 / 5]
_A[2, :2] = [3 / 40, 9 / 40]
_A[3, :3] = [44 / 45, -56 / 15, 32 / 9]
_A[4, :4] = [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729]
_A[5, :5] = [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656]

DORMAND_PRINCE = Tableau(  # [DormandPrince1980]
    a=_A,
    b=np.array([35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]),
    c=np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0]),
    error=np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]),
    error_low=np.zeros(0),
    order=np.array([4.0]),
    extra_a=np.zeros((0, 0)),
    extra_c=np.zeros(0),
    dense=np.zeros((0, 0)),
)

DORMAND_PRINCE_8 = Tableau(  # [HairerNorsettWanner1993, II.10]; SciPy keeps the numbers
    a=DOP853.A,
    b=DOP853.B,
    c=DOP853.C,
    error=DOP853.E5,
    error_low=DOP853.E3,
    order=np.array([7.0]),
    extra_a=DOP853.A_EXTRA,
    extra_c=DOP853.C_EXTRA,
    dense=DOP853.D,
)


@compiled
def _stages(s: System, m: Memory, tableau: Tableau, h: float) -> None:
    """All stages but the first, which the end of the last step has left, and the new state."""
    n, t = m.x.size, m.clock[NOW]
    count = tableau.b.size
    copy(m.xs[0], m.x)
    copy(m.vs[0], m.v)
    copy(m.as_[0], m.a)
    copy(m.ps[0], m.power)
    for i in range(1, count):
        for k in range(n):
            dx = dv = 0.0
            for j in range(i):
                dx += tableau.a[i, j] * m.vs[j, k]
                dv += tableau.a[i, j] * m.as_[j, k]
            m.xs[i, k] = m.x[k] + h * dx
            m.vs[i, k] = m.v[k] + h * dv
        if m.guide.on[0]:
            conform(m.guide, t + tableau.c[i] * h, m.xs[i], m.vs[i], m.as_[i], m.stress)
        accelerate(s, t + tableau.c[i] * h, m.xs[i], m.vs[i], m.as_[i], m.stress)
        copy(m.ps[i], s.power)
    for j in range(count):
        c = h * tableau.b[j]
        if c != 0.0:
            for k in range(n):
                m.x[k] += c * m.vs[j, k]
                m.v[k] += c * m.as_[j, k]
            for k in range(m.work.size):
                m.work[k] += c * m.ps[j, k]


@compiled
def _error(s: System, m: Memory, tableau: Tableau, h: float, rtol: float) -> float:
    """The estimated local error against the tolerance, root mean square over the free coordinates."""
    last, tempered = tableau.b.size, tableau.error_low.size > 0
    high = low = 0.0
    for n in range(s.free.size):
        k = s.free[n]
        scale_x = h / (m.scale[k] + rtol * max(abs(m.x[k]), abs(m.x0[k])))
        scale_v = h / (m.scale[k] + rtol * max(abs(m.v[k]), abs(m.v0[k])))
        dx, dv = tableau.error[last] * m.v[k], tableau.error[last] * m.a[k]
        for j in range(last):
            dx += tableau.error[j] * m.vs[j, k]
            dv += tableau.error[j] * m.as_[j, k]
        high += (scale_x * dx) ** 2 + (scale_v * dv) ** 2
        if tempered:
            dx, dv = tableau.error_low[last] * m.v[k], tableau.error_low[last] * m.a[k]
            for j in range(last):
                dx += tableau.error_low[j] * m.vs[j, k]
                dv += tableau.error_low[j] * m.as_[j, k]
            low += (scale_x * dx) ** 2 + (scale_v * dv) ** 2
    count = max(2 * s.free.size, 1)
    if tempered and high > 0.0:
        high *= high / (high + 0.01 * low)
    return math.sqrt(high / count)


@compiled
def _prepare_dense(s: System, m: Memory, tableau: Tableau, t: float, h: float) -> None:
    """Further stages and the polynomial of the last step, as in [HairerNorsettWanner1993, II.6]."""
    n, count = m.x.size, tableau.b.size
    copy(m.vs[count], m.v)
    copy(m.as_[count], m.a)
    copy(m.ps[count], m.power)
    for i in range(tableau.extra_c.size):
        row = count + 1 + i
        copy(m.xs[row], m.x0)
        copy(m.vs[row], m.v0)
        for j in range(row):
            c = h * tableau.extra_a[i, j]
            for k in range(n):
                m.xs[row, k] += c * m.vs[j, k]
                m.vs[row, k] += c * m.as_[j, k]
        accelerate(s, t + tableau.extra_c[i] * h, m.xs[row], m.vs[row], m.as_[row], m.stress)
        copy(m.ps[row], s.power)
    for k in range(m.work.size):
        dw = m.work[k] - m.work0[k]
        m.dense_work[0, k], m.dense_work[1, k] = dw, h * m.power0[k] - dw
        m.dense_work[2, k] = 2.0 * dw - h * (m.power[k] + m.power0[k])
        for i in range(tableau.dense.shape[0]):
            total = 0.0
            for j in range(tableau.dense.shape[1]):
                total += tableau.dense[i, j] * m.ps[j, k]
            m.dense_work[3 + i, k] = h * total
    for k in range(n):
        dx, dv = m.x[k] - m.x0[k], m.v[k] - m.v0[k]
        m.dense_x[0, k], m.dense_v[0, k] = dx, dv
        m.dense_x[1, k], m.dense_v[1, k] = h * m.v0[k] - dx, h * m.a0[k] - dv
        m.dense_x[2, k] = 2.0 * dx - h * (m.v[k] + m.v0[k])
        m.dense_v[2, k] = 2.0 * dv - h * (m.a[k] + m.a0[k])
        for i in range(tableau.dense.shape[0]):
            sum_x = sum_v = 0.0
            for j in range(tableau.dense.shape[1]):
                sum_x += tableau.dense[i, j] * m.vs[j, k]
                sum_v += tableau.dense[i, j] * m.as_[j, k]
            m.dense_x[3 + i, k], m.dense_v[3 + i, k] = h * sum_x, h * sum_v


@compiled
def _following(
    m: Memory, tableau: Tableau, h: float, wanted: float, error: float, rejected: bool, largest: float
) -> float:
    """The next step by proportional and integral control [HairerNorsettWanner1993, II.4].

    A step that was cut short by the end of the run, or by an event, says nothing about the next.
    """
    exponent = 1.0 / (tableau.order[0] + 1.0)
    factor = 0.85 * max(error, 1e-10) ** (-0.7 * exponent) * m.clock[LAST_ERROR] ** (0.4 * exponent)
    if rejected or h < wanted:
        factor = min(factor, 1.0)
    m.clock[LAST_ERROR] = max(error, 1e-4)
    m.clock[NEXT_STEP] = min(max(h, wanted) * min(max(factor, 0.2), 6.0), largest)
    following: float = m.clock[NEXT_STEP]
    return following


@compiled
def advance(
    s: System, m: Memory, tableau: Tableau, rtol: float, step: float, largest: float, tolerance: float, budget: int
) -> None:
    """Take up to ``budget`` steps; a fixed ``step``, or (zero) steps under error control.

    ``clock[END]`` ends the run; the status says why the block ended.
    """
    fixed = step > 0.0
    rejected = False
    h = step if fixed else m.clock[NEXT_STEP]
    for _ in range(budget):
        t, wanted = m.clock[NOW], h
        h = next_step(m, wanted)
        if h == 0.0:
            m.count[STATUS] = DONE
            return
        keep(m)
        _stages(s, m, tableau, h)
        m.count[EVALUATIONS] += tableau.b.size
        status = finish(s, m, t + h, tolerance)
        error = 0.0
        if not fixed:
            error = _error(s, m, tableau, h, rtol) if status == RUNNING else 1e10
            if not error <= 1.0:
                m.count[REJECTED] += 1
                rejected = True
                restore(m)
                h *= max(0.2, 0.9 * error ** (-1.0 / (tableau.order[0] + 1.0))) if error < 1e9 else 0.2
                if h < 1e-14 * max(abs(t), m.clock[SMALLEST]):
                    m.count[STATUS] = STEP_TOO_SMALL if status == RUNNING else status
                    return
                continue
        elif status != RUNNING:
            restore(m)
            m.count[STATUS] = status
            return
        part = touch(s, m, h)
        if part < 1.0 and not fixed:
            m.count[REJECTED] += 1
            restore(m)
            h *= part
            continue
        if not look_ahead(s, m, h):
            m.count[REJECTED] += 1
            h = step if fixed else min(wanted, m.clock[NEXT_STEP])
            continue
        change_sides(s, m)
        m.count[DENSE] = NESTED if tableau.dense.shape[0] and looked_into(m, t + h) else HERMITE
        if m.count[DENSE] == NESTED:
            _prepare_dense(s, m, tableau, t, h)
        arrive(s, m, h)
        h = step if fixed else _following(m, tableau, h, wanted, error, rejected, largest)
        rejected = False
        if m.count[STATUS] != RUNNING:
            return
