"""Predictor and corrector of Adams with variable order and step [ShampineGordon1975].

The past is stored as modified divided differences Φ_j of f = (ẋ, ẍ, power): with f* = Σ Φ*_j the extrapolation of
the last k of them to the new time, and g_j the integrals of their polynomials [HairerNorsettWanner1993, III.5],

    predict   p = y + h Σ_{j<k} g_j Φ*_j,
    evaluate  Φ_k = f(p) - f*,
    correct   y⁺ = p + h g_k Φ_k   (order k + 1; with g_{k-1} order k),
    evaluate  f(y⁺), after y⁺ has been brought back to the held strains.

Near a singular position accelerations and powers normal to the constraints are dominated by rounding, which differences
amplify. The steps there, and those that fill the past afterwards, are steps of Dormand and Prince of order eight.
"""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats
from flexura.integrators.adams_differences import (
    EQUAL,
    FAILED,
    FILLED,
    GAMMA_STAR,
    HIGHEST,
    LOST,
    MISSING,
    ORDER,
    RTOL,
    STARTING,
    TOP,
    AdamsMemory,
    correct,
    find_coefficients,
    predict,
    prepare_powers,
    record_step,
)
from flexura.integrators.audit_record import MASS, SIZE, turnover
from flexura.integrators.formulations import CLOSED, conform
from flexura.integrators.initial_step import initial_step
from flexura.integrators.methods import Adams
from flexura.integrators.problem import Problem
from flexura.integrators.rank_watch import NEAR
from flexura.integrators.run_memory import (
    ANEW,
    DENSE,
    ERROR,
    EVALUATIONS,
    FIXED,
    HERMITE,
    NEXT_STEP,
    NOW,
    POWERS,
    RUNNING,
    TRIED,
    Memory,
)
from flexura.integrators.runge_kutta import accept, attempt, retreat, step_tolerance, watched_steps
from flexura.integrators.runge_kutta_tableaux import DORMAND_PRINCE_8
from flexura.integrators.step_stages import evaluate_end, needs_dense_output
from flexura.integrators.stepper import Stepper
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate

_ROUNDING = 5e-14
"""Smallest error of a step: differences of high order amplify rounding."""


def prepare(method: Adams, problem: Problem, m: Memory) -> Stepper:
    """Memory without a past, for steps with error control or of fixed size."""
    columns, rtol = 2 * m.x.size + m.work.size, step_tolerance(method.tolerance, _ROUNDING)
    m.clock[FIXED] = m.clock[NEXT_STEP] = method.step
    if method.step == 0.0:
        m.scale[:] = problem.scale * rtol
    d = AdamsMemory(
        setting=np.array([rtol, method.order]),
        filler=watched_steps(problem, m, DORMAND_PRINCE_8, rtol, np.inf),
        count=np.zeros(7, dtype=np.int64),
        steps=np.zeros(HIGHEST + 2),
        phi=np.zeros((HIGHEST + 2, columns)),
        star=np.zeros((HIGHEST + 1, columns)),
        foretold=np.zeros(columns),
        gain=np.zeros(columns),
        new=np.zeros(columns),
        g=np.ones(HIGHEST + 1),
        sigma=np.ones(HIGHEST + 1),
        row=np.zeros(HIGHEST + 1),
        error=np.zeros(3),
        basis=np.zeros((HIGHEST + 1, HIGHEST + 1)),
    )
    if method.step > 0.0:
        # the search for noise leaves another state evaluated
        accelerate(problem.system, m.clock[NOW], m.x, m.v, m.a, m.stress)
    forget(problem.system, m, d)
    return Stepper(d, _attempt, _retreat, _accept, _restart)


@compiled
def forget(s: System, m: Memory, d: AdamsMemory) -> None:
    """Start without a past: at order one, rising with each step, or at a fixed order with its past to be filled."""
    fixed = m.clock[FIXED] > 0.0
    if not fixed:
        m.clock[NEXT_STEP] = initial_step(s, m, d.setting[RTOL], 1)
    d.count[ORDER] = int(d.setting[TOP]) if fixed else 1
    _clear_past(m, d, m.clock[NEXT_STEP])
    d.count[STARTING] = 0 if fixed else 1


@compiled
def _clear_past(m: Memory, d: AdamsMemory, h: float) -> None:
    """Clear the past except for the present value; a fixed order asks for a past with steps h."""
    d.count[MISSING] = d.count[ORDER] - 1
    d.count[EQUAL] = d.count[FAILED] = d.count[LOST] = 0
    for j in range(d.steps.size):
        d.steps[j] = h
    for j in range(1, d.phi.shape[0]):
        clear(d.phi[j])
    for i in range(m.x.size):
        d.phi[0, i], d.phi[0, m.x.size + i] = m.v[i], m.a[i]
    for i in range(m.power.size):
        d.phi[0, 2 * m.x.size + i] = m.power[i]


@compiled
def _size(s: System, m: Memory, difference: Floats, rtol: float) -> float:
    """Root mean square of a difference over the free coordinates, relative to the tolerance.

    Powers are compared with the energy turnover: driven states are exact for any step, but their work is not. Of a
    machine at rest under loads all energies are rounding, below that of its mass at the tolerance of rates.
    """
    n, total, tally = m.x.size, 0.0, m.audit.tally
    energy = max(rtol * turnover(m.audit), tally[MASS] * (rtol * tally[SIZE]) ** 2)
    for i in range(s.free.size):
        k = s.free[i]
        scale_x = m.scale[k] + rtol * max(abs(m.x0[k]), abs(m.xs[0, k]))
        scale_v = m.scale[k] + rtol * max(abs(m.v0[k]), abs(m.vs[0, k]))
        total += (difference[k] / scale_x) ** 2 + (difference[n + k] / scale_v) ** 2
    for i in range(m.work.size):
        total += (difference[2 * n + i] / energy) ** 2 if energy > 0.0 else 0.0
    return math.sqrt(total / max(2 * s.free.size, 1))


@compiled
def _estimate(s: System, m: Memory, d: AdamsMemory, h: float, rtol: float) -> float:
    """Local error of the predicted order, and those of the present order and the two below for equal steps."""
    n, k = m.x.size, d.count[ORDER]
    for i in range(n):
        d.new[i] = m.vs[0, i] - d.foretold[i]
        d.new[n + i] = m.as_[0, i] - d.foretold[n + i]
    for i in range(m.work.size):
        d.new[2 * n + i] = s.power[i] - d.foretold[2 * n + i]
    size = _size(s, m, d.new, rtol)
    for i in range(n):
        m.errors.x[i] = h * (d.g[k - 1] - d.g[k]) * d.new[i]
        m.errors.v[i] = h * (d.g[k - 1] - d.g[k]) * d.new[n + i]
    d.error[0] = h * d.sigma[k] * GAMMA_STAR[k] * size
    for lower in range(1, min(k, 3)):
        j = k - lower
        for i in range(d.new.size):
            d.new[i] += d.star[j, i]
        d.error[lower] = h * d.sigma[j] * GAMMA_STAR[j] * _size(s, m, d.new, rtol)
    return h * (d.g[k - 1] - d.g[k]) * size


@compiled
def _lower_is_better(d: AdamsMemory) -> bool:
    """True if the next lower order would have had no larger error."""
    if d.count[ORDER] == 1:
        return False
    if d.count[ORDER] == 2:
        return d.error[1] <= 0.5 * d.error[0]
    return max(d.error[1], d.error[2]) <= d.error[0]


@compiled
def _shrink(d: AdamsMemory) -> float:
    """After a failure, lower the order if that helps, to one from the third on; returns the factor of the step."""
    d.count[STARTING] = 0
    d.count[FAILED] += 1
    if d.count[FAILED] < 3:
        if _lower_is_better(d):
            d.count[ORDER] -= 1
        return 0.5
    d.count[ORDER] = 1
    if d.count[FAILED] > 3 and d.error[0] > 2.0:
        return math.sqrt(0.5 / d.error[0])
    return 0.5


@compiled
def _grow(s: System, m: Memory, d: AdamsMemory, h: float, rtol: float, highest: int) -> float:
    """After a success, choose the order of the next step; returns the factor of the step."""
    k, error, lower = d.count[ORDER], d.error[0], _lower_is_better(d)
    d.count[FAILED] = 0
    if lower or k == highest:
        d.count[STARTING] = 0
    if d.count[STARTING]:
        d.count[ORDER] = k + 1
        return 2.0
    # the next higher order can be estimated only after k + 1 equal steps
    higher = False
    if not lower and d.count[EQUAL] > k:
        above = h * GAMMA_STAR[k + 1] * _size(s, m, d.phi[k + 1], rtol)
        lower = k > 1 and d.error[1] <= min(error, above)
        higher = not lower and k < highest and above < (error if k > 1 else 0.5 * error)
        if higher:
            error = above
    if lower:
        error = d.error[1]
    k += int(higher) - int(lower)
    d.count[ORDER] = k
    # double the step or keep it: equal steps give good estimates
    if error * 2.0 ** (k + 1) <= 0.5:
        return 2.0
    if error <= 0.5:
        return 1.0
    return min(max((0.5 / error) ** (1.0 / (k + 1.0)), 0.5), 0.9)


def _attempt(s: System, m: Memory, d: AdamsMemory, h: float) -> None:
    end, fixed = m.clock[NOW] + h, m.clock[FIXED] > 0.0
    m.clock[ERROR], m.count[TRIED] = 0.0, RUNNING
    cut = fixed and abs(h - m.clock[FIXED]) > 1e-6 * h
    d.count[FILLED] = 1 if m.rank.flag[NEAR] or d.count[MISSING] > 0 or cut else 0
    if d.count[FILLED]:
        attempt(s, m, d.filler, h)
        return
    if d.count[LOST]:
        # this step was planned by the other method
        m.clock[ERROR] = math.inf
        return
    find_coefficients(d, h)
    predict(m, d, h)
    if m.guide.on[0]:
        conform(m.guide, end, m.xs[0], m.vs[0], m.as_[0], m.stress)
    accelerate(s, end, m.xs[0], m.vs[0], m.as_[0], m.stress)
    m.count[EVALUATIONS] += 1
    if not fixed:
        m.clock[ERROR] = _estimate(s, m, d, h, d.setting[RTOL])
        if not m.clock[ERROR] <= 1.0:
            return
    k = d.count[ORDER]
    correct(m, d, h * d.g[k - 1 if fixed else k])
    m.count[TRIED] = evaluate_end(s, m, end, CLOSED)
    m.count[EVALUATIONS] += 1


def _retreat(s: System, m: Memory, d: AdamsMemory, h: float) -> None:
    if m.rank.flag[NEAR] or m.clock[FIXED] > 0.0:
        retreat(m, d.filler, h)
    elif d.count[LOST]:
        # the order and the step size from before the singular position
        m.clock[NEXT_STEP] = d.steps[0]
        _clear_past(m, d, d.steps[0])
        d.count[STARTING] = 1
    elif d.count[FILLED]:
        forget(s, m, d)
    else:
        m.clock[NEXT_STEP] = h * _shrink(d)


@compiled
def _accept_filled(s: System, m: Memory, d: AdamsMemory, h: float) -> None:
    """Accept a step of the method that fills the past."""
    fixed = m.clock[FIXED] > 0.0
    accept(s, m, d.filler, h)
    if m.rank.flag[NEAR]:
        d.count[LOST], m.count[ANEW] = (0, 1) if fixed else (1, 0)
        return
    wanted = m.clock[FIXED] if fixed else d.steps[0]
    for j in range(d.star.shape[0]):
        copy(d.star[j], d.phi[j])
    record_step(m, d, h)
    if d.count[MISSING] > 0 and abs(h - wanted) <= 1e-6 * h:
        d.count[MISSING] -= 1
        m.clock[NEXT_STEP] = wanted
    else:
        m.count[ANEW] = 1


def _accept(s: System, m: Memory, d: AdamsMemory, h: float) -> None:
    if d.count[FILLED]:
        _accept_filled(s, m, d, h)
        return
    wanted, fixed = m.clock[NEXT_STEP], m.clock[FIXED] > 0.0
    inside = needs_dense_output(m, m.clock[NOW] + h)
    record_step(m, d, h)
    # the work is a quadrature: its corrector uses the final power
    k, n = d.count[ORDER], m.x.size
    for i in range(m.work.size):
        m.work[i] += h * (d.gain[2 * n + i] + d.g[k] * d.phi[k, 2 * n + i])
    m.count[DENSE] = POWERS if inside else HERMITE
    if inside:
        prepare_powers(m, d, h)
    if s.switches.on.size and h < 0.1 * wanted:
        # a step cut short for an event leaves no past to continue from
        m.count[ANEW] = 1
    elif not fixed:
        m.clock[NEXT_STEP] = h * _grow(s, m, d, h, d.setting[RTOL], int(d.setting[TOP]))


def _restart(s: System, m: Memory, d: AdamsMemory, h: float) -> None:
    forget(s, m, d)
