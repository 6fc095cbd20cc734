"""Explicit Runge–Kutta methods on the manifold of the held strains.

The stages advance all coordinates with the accelerations of
:func:`~flexura.mechanics.motion.equations_of_motion.accelerate`. After each step the state is projected back, so that
the constraints hold to rounding and the order of the method is kept.
"""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, Record
from flexura.integrators.acceleration_noise import acceleration_noise
from flexura.integrators.formulations import CLOSED, close_tightly, conform
from flexura.integrators.initial_step import initial_step
from flexura.integrators.methods import DormandPrince, RungeKutta4
from flexura.integrators.problem import Problem
from flexura.integrators.rank_watch import NEAR, set_nodes
from flexura.integrators.run_memory import (
    DENSE,
    ERROR,
    EVALUATIONS,
    FIXED,
    HERMITE,
    LAST_ERROR,
    NESTED,
    NEXT_STEP,
    NOW,
    RETRIED,
    RUNNING,
    TRIED,
    Memory,
)
from flexura.integrators.runge_kutta_tableaux import Tableau, tableau_of
from flexura.integrators.step_stages import evaluate_end, needs_dense_output
from flexura.integrators.stepper import Stepper
from flexura.mechanics.core.idle_elements import rest, wake
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, accelerate_stage
from flexura.mechanics.motion.projection import keep_tangent

OF_A_STEP = 0.02
"""Fraction of the tolerance that a step may use: errors of hundreds of steps add up, and those of phases with their
square."""
_ROUNDING = 1e-13
"""Error of a step due to rounding, the smallest possible if the equations are nearly singular."""
_ROUNDINGS = 3.0
"""This multiple of the rate due to rounding of the accelerations in a step is always within the tolerance."""
_ASTRAY = 0.1
"""Distance of the last stage from the end of a step, which has the same time, relative to the way of the stages. It is
0.01 for a step of 2.5 rad of a vibration."""
_REFUSED = 1e4
"""Error assigned to a step whose last stage is far off: the next step is a quarter as long."""

# places in ``setting``
RTOL, LARGEST, LONGEST_STEP, LONGEST_ERROR, NOISE_STEP = range(5)
"""Tolerance; largest step; longest step since a rejection, and its error; step whose error is rounding."""


class RungeKuttaMemory(Record):
    """Method and its settings."""

    tableau: Tableau
    setting: Floats
    """relative tolerance and largest step"""
    noise: Floats
    """accelerations due to rounding of the positions"""


def step_tolerance(tolerance: float, rounding: float = _ROUNDING) -> float:
    """Local error of a step, such that the error of hundreds of steps remains near the tolerance."""
    return float(min(tolerance, max(OF_A_STEP * tolerance, rounding)))


def prepare(method: RungeKutta4 | DormandPrince, problem: Problem, m: Memory) -> Stepper:
    """The classical method with a fixed step, or a pair of Dormand and Prince under error control."""
    tableau, rtol, largest = tableau_of(method), 0.0, np.inf
    if isinstance(method, RungeKutta4):
        m.clock[FIXED] = m.clock[NEXT_STEP] = method.step
    else:
        rtol, largest = step_tolerance(method.tolerance), float(method.largest_step)
        m.scale[:] = problem.scale * rtol
    own = watched_steps(problem, m, tableau, rtol, largest)
    if isinstance(method, DormandPrince):
        # after the search for noise: it leaves the state evaluated
        m.clock[NEXT_STEP] = min(initial_step(problem.system, m, rtol, method.order), largest)
    return Stepper(own, _attempt, _retreat, _accept, _restart)


def watched_steps(problem: Problem, m: Memory, tableau: Tableau, rtol: float, largest: float) -> RungeKuttaMemory:
    """Memory of steps whose stages the watch on singular positions knows."""
    set_nodes(m.rank, np.append(tableau.c, tableau.extra_c), rtol)
    noise = acceleration_noise(problem, m) if rtol else np.zeros_like(m.x)
    return RungeKuttaMemory(tableau=tableau, setting=np.array([rtol, largest, 0.0, 0.0, 0.0]), noise=noise)


@compiled
def _combine(m: Memory, weights: Floats, x: Floats, v: Floats) -> None:
    """Weighted sums of the rates and of the accelerations of the stages."""
    clear(x)
    clear(v)
    for j in range(weights.size):
        c, rate, second = weights[j], m.vs[j], m.as_[j]
        if c != 0.0:
            for k in range(x.size):
                x[k] += c * rate[k]
                v[k] += c * second[k]


@compiled
def take_stages(s: System, m: Memory, tableau: Tableau, h: float) -> None:
    """Compute all stages except the first, which is the end of the last step, and the new state."""
    n, t = m.x.size, m.clock[NOW]
    count = tableau.b.size
    copy(m.xs[0], m.x)
    copy(m.vs[0], m.v)
    copy(m.as_[0], m.a)
    copy(m.ps[0], m.power)
    rest(s, m.stress)
    for i in range(1, count):
        _combine(m, tableau.a[i, :i], m.xs[i], m.vs[i])
        for k in range(n):
            m.xs[i, k] = m.x[k] + h * m.xs[i, k]
            m.vs[i, k] = m.v[k] + h * m.vs[i, k]
        if m.rank.flag[NEAR]:
            close_tightly(s, t + tableau.c[i] * h, m.xs[i], m.vs[i], m.as_[i], m.stress)
        elif m.guide.on[0]:
            conform(m.guide, t + tableau.c[i] * h, m.xs[i], m.vs[i], m.as_[i], m.stress)
        if i < count - 1:
            accelerate_stage(s, t + tableau.c[i] * h, m.xs[i], m.vs[i], m.as_[i], m.stress)
        else:
            # its factors close the end of the step
            accelerate(s, t + tableau.c[i] * h, m.xs[i], m.vs[i], m.as_[i], m.stress)
        copy(m.ps[i], s.power)
    wake(s)
    for j in range(count):
        c = h * tableau.b[j]
        if c != 0.0:
            for k in range(n):
                m.x[k] += c * m.vs[j, k]
                m.v[k] += c * m.as_[j, k]
            for k in range(m.work.size):
                m.work[k] += c * m.ps[j, k]


@compiled
def _difference(s: System, m: Memory, weights: Floats, h: float, dx: Floats, dv: Floats) -> None:
    """Difference of two methods in the new state; near a singular position, tangential to the constraints.

    Accelerations normal to them are dominated by rounding there, and every state is closed.
    """
    last = weights.size - 1
    for n in range(s.free.size):
        k = s.free[n]
        x, v = weights[last] * m.v[k], weights[last] * m.a[k]
        for j in range(last):
            x += weights[j] * m.vs[j, k]
            v += weights[j] * m.as_[j, k]
        dx[k], dv[k] = h * x, h * v
    if m.rank.flag[NEAR]:
        keep_tangent(s, dx)
        keep_tangent(s, dv)


@compiled
def _squares(s: System, m: Memory, own: RungeKuttaMemory, h: float, dx: Floats, dv: Floats) -> float:
    """Sum of squares of a difference relative to the tolerance."""
    total, rtol = 0.0, own.setting[RTOL]
    for n in range(s.free.size):
        k = s.free[n]
        unresolved = _ROUNDINGS * h * own.noise[k]
        x = dx[k] / (m.scale[k] + rtol * max(abs(m.x[k]), abs(m.x0[k])) + h * unresolved)
        v = dv[k] / (m.scale[k] + rtol * max(abs(m.v[k]), abs(m.v0[k])) + unresolved)
        total += x * x + v * v
    return total


@compiled
def _error(s: System, m: Memory, own: RungeKuttaMemory, h: float) -> float:
    """Root mean square of the estimated local error over the free coordinates, relative to the tolerance."""
    low, tableau = 0.0, own.tableau
    if tableau.error_low.size > 0:
        _difference(s, m, tableau.error_low, h, m.errors.x, m.errors.v)
        low = _squares(s, m, own, h, m.errors.x, m.errors.v)
    _difference(s, m, tableau.error, h, m.errors.x, m.errors.v)
    high = _squares(s, m, own, h, m.errors.x, m.errors.v)
    if low > 0.0 and high > 0.0:
        high *= high / (high + 0.01 * low)
    return math.sqrt(high / max(2 * s.free.size, 1))


@compiled
def _is_last_stage_far(s: System, m: Memory, last: int, h: float) -> bool:
    """True if the last stage is far from the end of the step.

    The error estimate of the method of order eight does not contain its second to fifth stages. If these meet a stiff
    contact whose force moves the later ones out of contact, the estimate alone would accept the step without contact.
    """
    apart = way = 0.0
    for n in range(s.free.size):
        k, fastest = s.free[n], 0.0
        for i in range(last + 1):
            fastest = max(fastest, abs(m.vs[i, k]))
        apart += ((m.xs[last, k] - m.x[k]) / m.scale[k]) ** 2
        way += (h * fastest / m.scale[k]) ** 2
    return bool(apart > max(_ASTRAY**2 * way, 1.0))


@compiled
def prepare_dense(s: System, m: Memory, tableau: Tableau, t: float, h: float) -> None:
    """Compute the additional stages and the polynomial of the last step, as in [HairerNorsettWanner1993, II.6]."""
    n, count = m.x.size, tableau.b.size
    # a table for polynomials of higher degree has more rows
    for i in range(3 + tableau.dense.shape[0], m.dense_x.shape[0]):
        clear(m.dense_x[i])
        clear(m.dense_v[i])
        clear(m.dense_work[i])
    copy(m.vs[count], m.v)
    copy(m.as_[count], m.a)
    copy(m.ps[count], m.power)
    rest(s, m.spare)
    for i in range(tableau.extra_c.size):
        row = count + 1 + i
        copy(m.xs[row], m.x0)
        copy(m.vs[row], m.v0)
        for j in range(row):
            c = h * tableau.extra_a[i, j]
            for k in range(n):
                m.xs[row, k] += c * m.vs[j, k]
                m.vs[row, k] += c * m.as_[j, k]
        if m.rank.flag[NEAR]:
            close_tightly(s, t + tableau.extra_c[i] * h, m.xs[row], m.vs[row], m.as_[row], m.spare)
        accelerate(s, t + tableau.extra_c[i] * h, m.xs[row], m.vs[row], m.as_[row], m.spare)
        copy(m.ps[row], s.power)
    wake(s)
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


_FAR_SHORTER = 0.1
"""Fraction of the longest step at which an error that has hardly decreased is rounding."""


@compiled
def _above_noise(setting: Floats, h: float, error: float, factor: float) -> float:
    """Factor of the next step that ignores errors due to rounding.

    An estimate dominated by rounding is proportional to the step, not to its ninth power. Shorter steps gain nothing
    there: the step returns to the length below which the error did not decrease, until a rejection.
    """
    if h >= setting[LONGEST_STEP]:
        setting[LONGEST_STEP], setting[LONGEST_ERROR] = h, error
    part = h / setting[LONGEST_STEP]
    if part < _FAR_SHORTER and error > setting[LONGEST_ERROR] * part**2:
        setting[NOISE_STEP] = setting[LONGEST_STEP]
    return max(factor, setting[NOISE_STEP] / h)


@compiled
def _following(m: Memory, tableau: Tableau, setting: Floats, h: float) -> float:
    """Next step by proportional–integral control [HairerNorsettWanner1993, II.4].

    A step that was cut short by the end of the run, or by an event, does not limit the next.
    """
    wanted, error = m.clock[NEXT_STEP], m.clock[ERROR]
    exponent = 1.0 / (tableau.order[0] + 1.0)
    factor = 0.85 * max(error, 1e-10) ** (-0.7 * exponent) * m.clock[LAST_ERROR] ** (0.4 * exponent)
    if m.count[RETRIED] or h < wanted:
        factor = min(factor, 1.0)
    else:
        factor = _above_noise(setting, h, error, factor)
    m.clock[LAST_ERROR] = max(error, 1e-4)
    return float(min(max(h, wanted) * min(max(factor, 0.2), 6.0), setting[LARGEST]))


@compiled
def attempt(s: System, m: Memory, own: RungeKuttaMemory, h: float) -> None:
    """Make a step, and estimate its error if there is a tolerance."""
    take_stages(s, m, own.tableau, h)
    m.count[EVALUATIONS] += own.tableau.b.size
    m.count[TRIED] = evaluate_end(s, m, m.clock[NOW] + h, CLOSED)
    m.clock[ERROR] = 0.0
    if m.clock[FIXED] == 0.0 and m.count[TRIED] == RUNNING:
        m.clock[ERROR] = _error(s, m, own, h)
        eighth = own.tableau.error_low.size > 0 and s.touch.strain.size > 0
        if eighth and m.clock[ERROR] <= 1.0 and _is_last_stage_far(s, m, own.tableau.b.size - 1, h):
            m.clock[ERROR] = _REFUSED


@compiled
def retreat(m: Memory, own: RungeKuttaMemory, h: float) -> None:
    """Shorten the step after a failed attempt."""
    factor = 0.2
    if m.count[TRIED] == RUNNING and m.clock[ERROR] < 1e9:
        factor = max(factor, 0.9 * m.clock[ERROR] ** (-1.0 / (own.tableau.order[0] + 1.0)))
    m.clock[NEXT_STEP] = h * factor
    own.setting[LONGEST_STEP] = own.setting[NOISE_STEP] = 0.0


@compiled
def accept(s: System, m: Memory, own: RungeKuttaMemory, h: float) -> None:
    """Prepare the polynomial of an accepted step, and choose the next step."""
    t = m.clock[NOW]
    m.count[DENSE] = NESTED if own.tableau.dense.shape[0] and needs_dense_output(m, t + h) else HERMITE
    if m.count[DENSE] == NESTED:
        prepare_dense(s, m, own.tableau, t, h)
    if m.clock[FIXED] == 0.0:
        m.clock[NEXT_STEP] = _following(m, own.tableau, own.setting, h)


def _attempt(s: System, m: Memory, own: RungeKuttaMemory, h: float) -> None:
    attempt(s, m, own, h)


def _retreat(s: System, m: Memory, own: RungeKuttaMemory, h: float) -> None:
    retreat(m, own, h)


def _accept(s: System, m: Memory, own: RungeKuttaMemory, h: float) -> None:
    accept(s, m, own, h)


def _restart(s: System, m: Memory, own: RungeKuttaMemory, h: float) -> None:
    """Do nothing: the method has no past."""
