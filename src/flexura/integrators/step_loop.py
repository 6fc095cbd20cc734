"""Running a method over blocks of steps, with a look at the clock and the keyboard between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexura.derive.records import Floats, Ints
from flexura.errors import ModelError
from flexura.integrators import adams, one_stage, runge_kutta
from flexura.integrators import kennedy_carpenter as diagonal
from flexura.integrators import newmark as implicit
from flexura.integrators.dense_output import watch, write_outputs
from flexura.integrators.formulations import CLOSED, Guide
from flexura.integrators.law_contact_events import take_sides
from flexura.integrators.methods import (
    Adams,
    DormandPrince,
    GeneralisedAlpha,
    KennedyCarpenter,
    Method,
    Newmark,
    OneStage,
    RungeKutta4,
)
from flexura.integrators.run_memory import (
    CHOICES,
    CHOOSE,
    EVALUATIONS,
    FACTORS,
    FULL,
    HAND,
    NEXT_STEP,
    NOT_FINITE,
    NOW,
    REJECTED,
    REST,
    RESTART,
    RUNNING,
    SMALLEST,
    STATUS,
    STEPS,
    Memory,
    remember,
)
from flexura.integrators.step_stages import begin, step_entries
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.handedness import handedness

ITERATED = 1e-8
"""Correction of the accelerations, against the largest, at which the iteration of an implicit step has converged."""

OF_A_STEP = 0.02
"""The part of the tolerance that a step of order 8 may use: it is cheap there, errors of hundreds of steps add up, and
those of phases with their square."""

_ROUNDING = 1e-13
"""The error of a step that rounding may make: less cannot be asked for where the equations are nearly singular."""

Advance = Callable[[Memory, int], None]


@dataclass(frozen=True)
class Problem:
    """What is to be integrated."""

    system: System
    x: Floats
    v: Floats
    times: Floats
    scale: Floats
    """the length that counts as one for each coordinate"""
    events: Ints
    event_values: Floats
    guide: Guide
    choose: Callable[[Floats, Floats], Guide]
    """chooses independent coordinates anew at a state"""


def integrate(problem: Problem, method: Method, report: Callable[[float], None]) -> tuple[Memory, bool]:
    """Run until the last time; returns the memory and whether it was interrupted from the keyboard."""
    s = problem.system
    switched = bool(s.switches.on.size)
    m = remember(
        step_entries(bool(problem.event_values.size), switched),
        problem.guide,
        problem.x,
        problem.v,
        problem.times,
        problem.scale,
        16,
        problem.events,
        problem.event_values,
        degree=adams.DEGREE if isinstance(method, Adams) else 7,
    )
    m.clock[HAND] = handedness(s, m.guide.hand, m.x, m.v)
    accelerate(s, m.clock[NOW], m.x, m.v, m.a, m.stress)
    m.power[:] = s.power
    m.clock[SMALLEST] = 1e-3 * (problem.times[-1] - problem.times[0])
    if s.touch.strain.size:
        take_sides(s, m)
    if switched:
        m.clock[REST] = _rest(method)
        m.clock[NEXT_STEP] = m.clock[SMALLEST]
        s.switches.on[:] = 0
        s.grips.sticks[:] = s.grips.jammed[:] = 0
        begin(s, m)
        if not np.all(np.isfinite(m.a)):
            m.count[STATUS] = NOT_FINITE
    if m.event.shape[0]:
        watch(s, m, m.clock[NOW], m.x, m.v, m.event_before)
    write_outputs(s, m, m.clock[NOW])
    advance = _stepper(problem, method, m)
    budget = 200
    try:
        while m.count[STATUS] == RUNNING:
            advance(m, budget)
            report(float(m.clock[NOW]))
            if m.count[STATUS] == CHOOSE:
                m = m.replaced(guide=problem.choose(m.x, m.v))
                m.clock[HAND] = handedness(s, m.guide.hand, m.x, m.v)
                m.count[STATUS] = RUNNING
                m.count[CHOICES] += 1
            if m.count[STATUS] == FULL:
                m = m.replaced(impact=np.vstack([m.impact, np.zeros_like(m.impact)]))
                m.count[STATUS] = RUNNING
            if m.count[STATUS] == RESTART:
                m.count[STATUS] = RUNNING
                advance = _stepper(problem, method, m)
            budget = min(4 * budget, 20_000)
    except KeyboardInterrupt:
        return m, True
    return m, False


def _rest(method: Method) -> float:
    """The part of a step that all further impacts may take where contact begins: the error goes with its square."""
    if isinstance(method, DormandPrince) or (isinstance(method, Adams) and method.step == 0.0):
        return 0.1 * float(np.sqrt(method.tolerance))
    return 1e-4


def _stepper(problem: Problem, method: Method, m: Memory) -> Advance:
    """The function that takes a block of steps."""
    s = problem.system
    if isinstance(method, RungeKutta4):
        m.clock[NEXT_STEP] = method.step
        return lambda m, budget: runge_kutta.advance(
            s, m, runge_kutta.CLASSICAL, 0.0, float(method.step), np.inf, CLOSED, budget
        )
    if isinstance(method, DormandPrince):
        tableau = runge_kutta.DORMAND_PRINCE if method.order == 5 else runge_kutta.DORMAND_PRINCE_8
        tolerance = method.tolerance
        if method.order == 8:
            tolerance = min(tolerance, max(OF_A_STEP * tolerance, _ROUNDING))
        m.scale[:] = problem.scale * tolerance
        m.clock[NEXT_STEP] = min(first_step(problem, m, tolerance, method.order), method.largest_step)
        largest = float(method.largest_step)
        return lambda m, budget: runge_kutta.advance(s, m, tableau, tolerance, 0.0, largest, CLOSED, budget)
    if isinstance(method, Adams):
        return _adams(problem, method, m)
    if isinstance(method, OneStage):
        spare = m.stress.copy()
        return lambda m, budget: one_stage.advance(s, m, spare, float(method.step), CLOSED, budget)
    if isinstance(method, Newmark | GeneralisedAlpha):
        return _implicit(problem, method, m)
    if isinstance(method, KennedyCarpenter):
        return _diagonal(problem, method, m)
    raise ModelError("method", f"{method!r} is not a method of integration", "give one such as DormandPrince()")


def _adams(problem: Problem, method: Adams, m: Memory) -> Advance:
    s, step = problem.system, float(method.step)
    if step == 0.0:
        m.scale[:] = problem.scale * method.tolerance
        m.clock[NEXT_STEP] = first_step(problem, m, method.tolerance, 1)
    d = adams.start(m, method.order, step)

    def advance(m: Memory, budget: int) -> None:
        if d.count[adams.MISSING]:
            adams.fill(s, m, d, step, CLOSED)
        else:
            adams.advance(s, m, d, method.tolerance, step, method.order, CLOSED, budget)

    return advance


def _implicit(problem: Problem, method: Newmark | GeneralisedAlpha, m: Memory) -> Advance:
    s, g = problem.system, implicit.implicit(method, m)
    if method.step > 0.0:
        accuracy = ITERATED if isinstance(method, Newmark) else 1e-2 * method.tolerance
        return lambda m, budget: implicit.advance(s, m, g, float(method.step), 1.0, accuracy, budget)
    assert isinstance(method, GeneralisedAlpha)
    m.clock[NEXT_STEP] = 1e-2 * first_step(problem, m, method.tolerance, 2)
    accuracy = 1e-2 * method.tolerance
    return lambda m, budget: implicit.advance(s, m, g, 0.0, method.tolerance, accuracy, budget)


def _diagonal(problem: Problem, method: KennedyCarpenter, m: Memory) -> Advance:
    s, d, step, tolerance = problem.system, diagonal.diagonal(m), float(method.step), float(method.tolerance)
    if step == 0.0:
        m.clock[NEXT_STEP] = 1e-2 * first_step(problem, m, tolerance, 4)
    return lambda m, budget: diagonal.advance(s, m, d, step, tolerance, 1e-2 * tolerance, budget)


def first_step(problem: Problem, m: Memory, rtol: float, order: int) -> float:
    """A careful first step [HairerNorsettWanner1993, II.4]."""
    s, span = problem.system, problem.times[-1] - problem.times[0]
    free = s.free
    if not free.size:
        return span / 10.0
    scale_x = m.scale[free] + rtol * np.abs(m.x[free])
    scale_v = m.scale[free] + rtol * np.abs(m.v[free])

    def size(dx: Floats, dv: Floats) -> float:
        return float(np.sqrt(np.mean(np.concatenate([dx / scale_x, dv / scale_v]) ** 2)))

    d0, d1 = size(m.x[free], m.v[free]), size(m.v[free], m.a[free])
    guess = 1e-6 * span if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    guess = min(guess, 0.1 * span)
    x, v = m.x + guess * m.v, m.v + guess * m.a
    a, stress = m.a.copy(), m.stress.copy()
    accelerate(s, m.clock[NOW] + guess, x, v, a, stress)
    d2 = size(v[free] - m.v[free], a[free] - m.a[free]) / guess
    worst = max(d1, d2)
    second = max(1e-6 * span, guess * 1e-3) if worst <= 1e-15 else (0.01 / worst) ** (1.0 / (order + 1))
    accelerate(s, m.clock[NOW], m.x, m.v, m.a, m.stress)
    return min(100.0 * guess, second, span)


def effort(m: Memory) -> dict[str, float]:
    """The counters of a run in words."""
    counters = {
        "steps": float(m.count[STEPS]),
        "rejected": float(m.count[REJECTED]),
        "evaluations": float(m.count[EVALUATIONS]),
    }
    if m.count[FACTORS]:
        counters["factorisations"] = float(m.count[FACTORS])
    if m.count[CHOICES]:
        counters["new choices of coordinates"] = float(m.count[CHOICES])
    return counters
