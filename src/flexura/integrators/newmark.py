"""Newmark's method and the generalised-α method, with the held strains as constraints on the rates.

The equations hold at the end of the step, and so do the rates of the held strains; the small drift of their values is
removed after each step. The algorithmic acceleration p carries the numerical damping
[ArnoldBruels2007]:

    (1 - α_m) p₁ + α_m p₀ = (1 - α_f) ẍ₁ + α_f ẍ₀
    x₁ = x₀ + h ẋ₀ + h² ((½ - β) p₀ + β p₁),    ẋ₁ = ẋ₀ + h ((1 - γ) p₀ + γ p₁)
"""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats, Record
from flexura.integrators.initial_step import initial_step
from flexura.integrators.local_errors import accept_stresses, measure_floors, stress_error
from flexura.integrators.local_tolerance import iteration_accuracy, local_tolerance
from flexura.integrators.methods import GeneralisedAlpha, Newmark
from flexura.integrators.newton import FAR, STEP_BEFORE, following_step, forget_past, remove_drift, solve_state
from flexura.integrators.problem import Problem
from flexura.integrators.rank_watch import CROSSING, allowed_error, set_nodes
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
from flexura.mechanics.contact.contact_scales import ACCURACY as SCALE_ACCURACY
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.motion.powers import powers

ITERATED = 1e-8
"""Correction of the accelerations, relative to the largest, at which the iteration of Newmark's method ends."""

# places in ``constant``: those of the method, the tolerance of positions, the accuracy of the iteration, and the
# tolerance of stresses
ALPHA_M, ALPHA_F, BETA, GAMMA, TOLERANCE, ACCURACY, STRESS_TOLERANCE = range(7)


class AlphaMemory(Record):
    """Constants of a method and its memory in addition to the state."""

    constant: Floats
    p: Floats
    """algorithmic acceleration at the end of the last step, and of the trial"""
    p0: Floats
    """that of the last step, moved to the time that belongs to the trial step"""
    p1: Floats
    a_before: Floats
    stress_before: Floats
    """accelerations and stresses of the step before the last, for the predictor"""
    factored: Floats
    """Newton's iteration: data of its factors"""


def constants(method: Newmark | GeneralisedAlpha) -> Floats:
    """α_m, α_f, β, γ [ChungHulbert1993]."""
    if isinstance(method, Newmark):
        return np.array([0.0, 0.0, method.beta, method.gamma])
    rho = method.rho
    alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    return np.array([alpha_m, alpha_f, 0.25 * (gamma + 0.5) ** 2, gamma])


def prepare(method: Newmark | GeneralisedAlpha, problem: Problem, m: Memory) -> Stepper:
    """Memory for a run that starts with the accelerations in ``m``."""
    tolerance = 1.0 if isinstance(method, Newmark) else local_tolerance(method)
    stress_tolerance = 1.0 if isinstance(method, Newmark) else float(method.stress_tolerance)
    accuracy = ITERATED if isinstance(method, Newmark) else iteration_accuracy(method)
    m.clock[FIXED] = m.clock[NEXT_STEP] = method.step
    if method.step == 0.0:
        m.clock[NEXT_STEP] = 1e-2 * initial_step(problem.system, m, tolerance, 2)
    set_nodes(m.rank, np.ones(1), tolerance)
    measure_floors(problem.system, m.errors, m.x, m.scale, stress_tolerance)
    m.scales.run[SCALE_ACCURACY] = max(m.scales.run[SCALE_ACCURACY], accuracy)
    own = AlphaMemory(
        constant=np.concatenate([constants(method), [tolerance, accuracy, stress_tolerance]]),
        p=m.a.copy(),
        p0=m.a.copy(),
        p1=m.a.copy(),
        a_before=m.a.copy(),
        stress_before=m.stress.copy(),
        factored=np.array([0.0, 1.0, 0.0, 1.0]),
    )
    return Stepper(own, _attempt, _retreat, _accept, _restart)


@compiled
def _predict(s: System, m: Memory, g: AlphaMemory, h: float) -> None:
    """Start the iteration with accelerations and stresses extrapolated from the last step.

    Large accelerations belong to vibrations too fast for the step: then the iteration starts from the current state.
    """
    am, af, beta, gamma = g.constant[ALPHA_M], g.constant[ALPHA_F], g.constant[BETA], g.constant[GAMMA]
    onward = h / g.factored[STEP_BEFORE] if g.factored[STEP_BEFORE] > 0.0 else 0.0
    for k in range(m.stress.size):
        m.stress[k] = m.stress0[k] + onward * (m.stress0[k] - g.stress_before[k])
    if m.rank.flag[CROSSING]:
        # constraint forces change their sign in a singular position, through infinity
        for r in range(s.rows.strain.size):
            m.stress[s.rows.strain[r]] = 0.0
    farthest = 0.0
    for n in range(s.free.size):
        k = s.free[n]
        m.a[k] = m.a0[k] + onward * (m.a0[k] - g.a_before[k])
        g.p1[k] = ((1.0 - af) * m.a[k] + af * m.a0[k] - am * g.p0[k]) / (1.0 - am)
        farthest = max(farthest, h * h * beta * abs(g.p1[k]) / m.scale[k])
    for n in range(s.free.size):
        k = s.free[n]
        if farthest > FAR:
            g.p1[k] = -(m.v0[k] / h + (0.5 - beta) * g.p0[k]) / beta
            m.a[k] = ((1.0 - am) * g.p1[k] + am * g.p0[k] - af * m.a0[k]) / (1.0 - af)
        m.x[k] = m.x0[k] + h * m.v0[k] + h * h * ((0.5 - beta) * g.p0[k] + beta * g.p1[k])
        m.v[k] = m.v0[k] + h * ((1.0 - gamma) * g.p0[k] + gamma * g.p1[k])


@compiled
def _step(s: System, m: Memory, g: AlphaMemory, t: float, h: float, accuracy: float) -> bool:
    """Solve one step by Newton's iteration."""
    am, af, beta, gamma = g.constant[ALPHA_M], g.constant[ALPHA_F], g.constant[BETA], g.constant[GAMMA]
    to_a = (1.0 - am) / (h * h * beta * (1.0 - af))
    to_v = gamma / (h * beta)
    for _ in range(2):
        _predict(s, m, g, h)
        drive(s, t + h, m.x, m.v, m.a)
        if solve_state(s, m, g.factored, h, to_v, to_a, True, accuracy):
            _end_step(s, m, g)
            return True
    return False


@compiled
def _end_step(s: System, m: Memory, g: AlphaMemory) -> None:
    """Algorithmic acceleration of the new state, whose held strains are closed."""
    am, af = g.constant[ALPHA_M], g.constant[ALPHA_F]
    for n in range(s.free.size):
        k = s.free[n]
        g.p1[k] = ((1.0 - af) * m.a[k] + af * m.a0[k] - am * g.p0[k]) / (1.0 - am)
    remove_drift(s, m)


@compiled
def _jump(s: System, m: Memory, g: AlphaMemory, h: float) -> float:
    """Leading term of the local error of positions and stresses, relative to the tolerance."""
    constant = abs(g.constant[BETA] + 0.5 * (g.constant[ALPHA_M] - g.constant[ALPHA_F]) - 1.0 / 6.0)
    e, total = m.errors, 0.0
    for n in range(s.free.size):
        k = s.free[n]
        e.v[k] = constant * h * (g.p1[k] - g.p0[k])
        e.x[k] = h * e.v[k]
        total += (e.x[k] / m.scale[k]) ** 2
    error = math.sqrt(total / max(s.free.size, 1)) / g.constant[TOLERANCE]
    return max(error, stress_error(s, e, m.stress, m.scale) / g.constant[STRESS_TOLERANCE])


@compiled
def _move(m: Memory, g: AlphaMemory, h: float) -> None:
    """Move p to the step size h: it belongs to the time t + (α_m - α_f) h."""
    ratio = h / g.factored[STEP_BEFORE] if g.factored[STEP_BEFORE] > 0.0 else 1.0
    for k in range(g.p.size):
        g.p0[k] = m.a[k] + (g.p[k] - m.a[k]) * ratio


def _attempt(s: System, m: Memory, g: AlphaMemory, h: float) -> None:
    _move(m, g, h)
    m.clock[ERROR] = 0.0
    m.count[TRIED] = RUNNING if _step(s, m, g, m.clock[NOW], h, g.constant[ACCURACY]) else NO_CONVERGENCE
    if m.count[TRIED] != RUNNING:
        return
    if m.clock[FIXED] == 0.0:
        m.clock[ERROR] = _jump(s, m, g, h)
    if m.clock[ERROR] <= allowed_error(m.rank):
        if s.reactions.driven[0] > 0 or s.switches.on.size:
            call_level(s, s.motion, m.x, m.v)  # driven coordinates need the masses, contacts the slopes at the end
        powers(s, m.x, m.v, m.a, m.stress, m.power)


def _retreat(s: System, m: Memory, g: AlphaMemory, h: float) -> None:
    failed = m.count[TRIED] != RUNNING
    m.clock[NEXT_STEP] = h * (0.25 if failed else max(0.2, 0.85 * m.clock[ERROR] ** (-1.0 / 3.0)))


def _accept(s: System, m: Memory, g: AlphaMemory, h: float) -> None:
    copy(g.p, g.p1)
    copy(g.a_before, m.a0)
    copy(g.stress_before, m.stress0)
    g.factored[STEP_BEFORE] = h
    for k in range(m.work.size):
        m.work[k] += 0.5 * h * (m.power0[k] + m.power[k])
    m.count[DENSE] = HERMITE
    accept_stresses(m.errors)
    record_strains(s, m.past, m.clock[NOW] + h, m.x, m.v, m.stress)
    following_step(m, h, 3.0)


def _restart(s: System, m: Memory, g: AlphaMemory, h: float) -> None:
    copy(g.p, m.a)
    forget_past(g.factored)
    restart_strains(s, m.past, m.clock[NOW], m.x, m.v, m.stress)
