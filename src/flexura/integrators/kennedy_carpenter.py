"""Diagonally implicit Runge–Kutta method of fourth order.

The implicit part of ARK4(3)6L[2]SA [KennedyCarpenter2003]: L-stable, six stages of which the first is the end of the
last step and the last is the new state; an embedded formula of third order estimates the error. With V_j and A_j the
rates and accelerations of the stages,

    X_i = x₀ + h Σ_{j≤i} a_ij V_j,    V_i = ẋ₀ + h Σ_{j≤i} a_ij A_j,    a_ii = γ,

and X_i, V_i and A_i satisfy the equations of motion with the accelerations of the held strains. Their small drift
is removed after each step.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.initial_step import initial_step
from flexura.integrators.local_errors import accept_stresses, interpolation_error, measure_floors, stress_error
from flexura.integrators.local_tolerance import iteration_accuracy, local_tolerance
from flexura.integrators.methods import KennedyCarpenter
from flexura.integrators.newton import FAR, STEP_BEFORE, following_step, forget_past, remove_drift, solve_state
from flexura.integrators.problem import Problem
from flexura.integrators.rank_watch import NEAR, set_nodes
from flexura.integrators.run_memory import (
    DENSE,
    ERROR,
    FIXED,
    HERMITE,
    NEXT_STEP,
    NO_CONVERGENCE,
    NOW,
    RUNNING,
    TRIED,
    Memory,
)
from flexura.integrators.stepper import Stepper
from flexura.integrators.strain_history import record_strains, restart_strains
from flexura.mechanics.contact.contact_scales import ACCURACY
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.core.team import (
    EXTRAPOLATION,
    PREDICTION,
    THREADS,
    address,
    first_of,
    largest_of_parts,
    share,
    task,
)
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.motion.iteration_matrix import unclosed_rates
from flexura.mechanics.motion.powers import powers

STAGES = 6
GAMMA = 0.25
BETWEEN = 5.0
"""Error of stresses between steps over that of the steps: the stage used for the estimate is of second order."""
MOST_BETWEEN = 2e-2
"""Error of stresses between steps that is permitted for any tolerance."""
MAGNIFIED = 0.5 * (0.62 + 0.85)
"""Part of the step that counts as a stage for the watch on singular positions. A position between the fourth and the
fifth stage, whose weights are large and of opposite sign, costs fifty times the error of one before the third."""
PAST = 4
"""number of accelerations used for the prediction"""

A = np.zeros((STAGES, STAGES))
A[1, :2] = [1 / 4, 1 / 4]
A[2, :3] = [8611 / 62500, -1743 / 31250, 1 / 4]
A[3, :4] = [5012029 / 34652500, -654441 / 2922500, 174375 / 388108, 1 / 4]
A[4, :5] = [15267082809 / 155376265600, -71443401 / 120774400, 730878875 / 902184768, 2285395 / 8070912, 1 / 4]
A[5] = [82889 / 524892, 0.0, 15625 / 83664, 69875 / 102672, -2260 / 8211, 1 / 4]
C = A.sum(axis=1)
ERROR_WEIGHTS = A[5] - [
    4586570599 / 29645900160,
    0.0,
    178811875 / 945068544,
    814220225 / 1159782912,
    -3700637 / 11593932,
    61727 / 225920,
]


class DiagonalMemory(Record):
    """Memory of the method in addition to the state."""

    tolerance: Floats
    """of the positions, of the iteration, of the stresses, and of stresses between steps"""

    v: FloatTable
    a: FloatTable
    stress: FloatTable
    """of the stages; further rows are those of the previous step"""
    power: FloatTable
    factored: Floats
    """Newton's iteration: data of its factors"""
    node: Floats
    row: Ints
    weight: Floats
    """times relative to the step, rows and weights of the accelerations that predict a stage"""
    count: Ints
    """number of predicting accelerations"""


def prepare(method: KennedyCarpenter, problem: Problem, m: Memory) -> Stepper:
    """Memory for a run that starts with the accelerations in ``m``."""
    tolerance, accuracy = local_tolerance(method), iteration_accuracy(method)
    between = min(BETWEEN * method.stress_tolerance, MOST_BETWEEN)
    m.clock[FIXED] = m.clock[NEXT_STEP] = method.step
    if method.step == 0.0:
        m.clock[NEXT_STEP] = 1e-2 * initial_step(problem.system, m, tolerance, 4)
    measure_floors(problem.system, m.errors, m.x, m.scale, method.stress_tolerance)
    m.scales.run[ACCURACY] = max(m.scales.run[ACCURACY], accuracy)
    set_nodes(m.rank, np.append(C, MAGNIFIED), tolerance)
    own = DiagonalMemory(
        tolerance=np.array([tolerance, accuracy, method.stress_tolerance, between]),
        v=np.zeros((STAGES, m.v.size)),
        a=np.zeros((2 * STAGES, m.a.size)),
        stress=np.zeros((2 * STAGES, m.stress.size)),
        power=np.zeros((STAGES, m.power.size)),
        factored=np.array([0.0, 1.0, 0.0, 1.0]),
        node=np.zeros(PAST),
        row=np.zeros(PAST, dtype=np.int64),
        weight=np.zeros(PAST),
        count=np.zeros(1, dtype=np.int64),
    )
    return Stepper(own, _attempt, _retreat, _accept, _restart)


@compiled
def _prediction_weights(d: DiagonalMemory, i: int, h: float) -> None:
    """Weights of the last few accelerations and stresses in the prediction of a stage, by polynomial extrapolation."""
    count = 0
    for j in range(i - 1, -1, -1):
        if count < PAST:
            d.node[count], d.row[count] = C[j], j
            count += 1
    # the last stage of the previous step is the first of this one; values far back are of little use
    if h < 2.0 * d.factored[STEP_BEFORE]:
        for j in range(STAGES - 2, 0, -1):
            if count < PAST:
                d.node[count], d.row[count] = (C[j] - 1.0) * d.factored[STEP_BEFORE] / h, STAGES + j
                count += 1
    for n in range(count):
        w = 1.0
        for k in range(count):
            if k != n:
                w *= (C[i] - d.node[k]) / (d.node[n] - d.node[k])
        d.weight[n] = w
    d.count[0] = count


@compiled
def _extrapolate(s: System, m: Memory, d: DiagonalMemory, part: int, parts: int) -> float:
    """Predict one part of the accelerations and stresses of a stage; returns the largest scaled acceleration."""
    fastest, count = 0.0, d.count[0]
    for k in range(first_of(part, parts, m.a.size), first_of(part + 1, parts, m.a.size)):
        total = 0.0
        for n in range(count):
            total += d.weight[n] * d.a[d.row[n], k]
        m.a[k] = total
        if s.coordinate_place[k] >= 0:
            fastest = max(fastest, abs(total) / m.scale[k])
    for k in range(first_of(part, parts, m.stress.size), first_of(part + 1, parts, m.stress.size)):
        total = 0.0
        for n in range(count):
            total += d.weight[n] * d.stress[d.row[n], k]
        m.stress[k] = total
    return fastest


@task(EXTRAPOLATION, System.numba_type, Memory.numba_type, DiagonalMemory.numba_type)
def _extrapolate_part(s: System, m: Memory, own: DiagonalMemory, d: Any, part: int, parts: int) -> None:
    s.factors.team.partial[8 * part] = _extrapolate(s, m, own, part, parts)


@compiled
def _predict(s: System, m: Memory, d: DiagonalMemory, i: int, h: float) -> None:
    """Predict the state at which the iteration of a stage starts."""
    _prediction_weights(d, i, h)
    desk, c = s.factors.team.desk, GAMMA * h
    if desk[THREADS] > 1:
        share(desk, EXTRAPOLATION, address(s), address(m), address(d), 0)
        fastest = largest_of_parts(s.factors.team)
    else:
        fastest = _extrapolate(s, m, d, 0, 1)
    # large predicted accelerations belong to vibrations too fast for the step: start from the previous state instead
    far = not c * c * fastest < FAR
    if desk[THREADS] > 1:
        s.factors.team.given[0], s.factors.team.given[1], s.factors.team.given[2] = (
            float(i),
            h,
            1.0 if far else 0.0,
        )
        share(desk, PREDICTION, address(s), address(m), address(d), 0)
    else:
        _place(s, m, d, i, h, far, 0, s.free.size)


@compiled
def _place(s: System, m: Memory, d: DiagonalMemory, i: int, h: float, far: bool, first: int, last: int) -> None:
    """Set one part of the free coordinates and their rates to the start of the iteration."""
    c = GAMMA * h
    for n in range(first, last):
        k = s.free[n]
        dx = dv = 0.0
        for j in range(i):
            dx += A[i, j] * d.v[j, k]
            dv += A[i, j] * d.a[j, k]
        if far:
            m.x[k] = m.x0[k]
            m.v[k] = -h * dx / c
            m.a[k] = (m.v[k] - m.v0[k] - h * dv) / c
        else:
            m.v[k] = m.v0[k] + h * dv + c * m.a[k]
            m.x[k] = m.x0[k] + h * dx + c * m.v[k]


@task(PREDICTION, System.numba_type, Memory.numba_type, DiagonalMemory.numba_type)
def _place_part(s: System, m: Memory, own: DiagonalMemory, d: Any, part: int, parts: int) -> None:
    given = s.factors.team.given
    first, last = first_of(part, parts, s.free.size), first_of(part + 1, parts, s.free.size)
    _place(s, m, own, int(given[0]), given[1], given[2] != 0.0, first, last)


@compiled
def _stage(s: System, m: Memory, d: DiagonalMemory, i: int, t: float, h: float, accuracy: float) -> bool:
    """Solve one stage by Newton's iteration."""
    to_v = 1.0 / (GAMMA * h)
    for _ in range(2):
        _predict(s, m, d, i, h)
        drive(s, t + C[i] * h, m.x, m.v, m.a)
        if solve_state(s, m, d.factored, h, to_v, to_v * to_v, False, accuracy):
            return True
    return False


@compiled
def _take_back_rates(s: System, m: Memory) -> None:
    """Close the rates of the held strains, with the current factors and slopes."""
    if s.rows.place.size and m.rank.flag[NEAR] == 0:
        clear(s.z)
        unclosed_rates(s, m.v, s.z, 1.0)
        solve(s.factors, s.z)
        for n in range(s.free.size):
            m.v[s.free[n]] += s.z[s.place[n]]


@compiled
def _record(m: Memory, d: DiagonalMemory, i: int) -> None:
    """Store a stage."""
    copy(d.v[i], m.v)
    copy(d.a[i], m.a)
    copy(d.stress[i], m.stress)
    copy(d.power[i], m.power)


@compiled
def _step(s: System, m: Memory, d: DiagonalMemory, t: float, h: float, accuracy: float) -> bool:
    """Solve all stages; the state of the last is the new one."""
    _record(m, d, 0)
    for i in range(1, STAGES):
        if not _stage(s, m, d, i, t, h, accuracy):
            return False
        if i == STAGES - 1:
            remove_drift(s, m)
            _take_back_rates(s, m)
        if s.reactions.driven[0] > 0 or (s.switches.on.size and i == STAGES - 1):
            call_level(s, s.motion, m.x, m.v)  # driven coordinates need the masses, contacts the slopes at the end
        powers(s, m.x, m.v, m.a, m.stress, m.power)
        _record(m, d, i)
    return True


@compiled
def _error(s: System, m: Memory, d: DiagonalMemory, h: float) -> float:
    """Estimated local error of positions and stresses, relative to the tolerance.

    Rates are left out: their error is dominated by damped vibrations.
    """
    e, total = m.errors, 0.0
    for n in range(s.free.size):
        k = s.free[n]
        dx = dv = 0.0
        for j in range(STAGES):
            dx += ERROR_WEIGHTS[j] * d.v[j, k]
            dv += ERROR_WEIGHTS[j] * d.a[j, k]
        e.x[k], e.v[k] = h * dx, h * dv
        total += (h * dx / m.scale[k]) ** 2
    error = math.sqrt(total / max(s.free.size, 1)) / d.tolerance[0]
    stress = stress_error(s, e, m.stress, m.scale)
    # this stage lies in the middle, and is of second order only
    between = interpolation_error(s, e, m.past, m.clock[NOW] + h, m.stress, d.stress[1])
    return max(error, stress / d.tolerance[2], between / d.tolerance[3])


def _attempt(s: System, m: Memory, d: DiagonalMemory, h: float) -> None:
    m.clock[ERROR] = 0.0
    m.count[TRIED] = RUNNING if _step(s, m, d, m.clock[NOW], h, d.tolerance[1]) else NO_CONVERGENCE
    if m.count[TRIED] == RUNNING and m.clock[FIXED] == 0.0:
        m.clock[ERROR] = _error(s, m, d, h)


def _retreat(s: System, m: Memory, d: DiagonalMemory, h: float) -> None:
    failed = m.count[TRIED] != RUNNING
    m.clock[NEXT_STEP] = h * (0.25 if failed else max(0.2, 0.85 * m.clock[ERROR] ** (-1.0 / 4.0)))


def _accept(s: System, m: Memory, d: DiagonalMemory, h: float) -> None:
    for j in range(STAGES):
        copy(d.a[STAGES + j], d.a[j])
        copy(d.stress[STAGES + j], d.stress[j])
        for k in range(m.work.size):
            m.work[k] += h * A[STAGES - 1, j] * d.power[j, k]
    d.factored[STEP_BEFORE] = h
    m.count[DENSE] = HERMITE
    accept_stresses(m.errors)
    record_strains(s, m.past, m.clock[NOW] + h, m.x, m.v, m.stress)
    following_step(m, h, 4.0)


def _restart(s: System, m: Memory, d: DiagonalMemory, h: float) -> None:
    forget_past(d.factored)
    restart_strains(s, m.past, m.clock[NOW], m.x, m.v, m.stress)
