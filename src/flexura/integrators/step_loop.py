"""Step loop of all methods, and the run in blocks of steps, between which its limits are checked.

trial step → inspection of gaps, forces and slips on the dense output → repetition up to the first event → the
event → a new start. The parts are called through their addresses, so that the loop is compiled once for all methods.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol

import numpy as np

from flexura.derive.compiled import compiled
from flexura.integrators.dense_output import watch, write_outputs
from flexura.integrators.joint_steps import around, in_joints
from flexura.integrators.law_contact_events import note_open_gaps
from flexura.integrators.limits import Meter
from flexura.integrators.local_errors import remember_worst
from flexura.integrators.memory_cache import MemoryCache, run_memory, run_tolerance
from flexura.integrators.methods import Method
from flexura.integrators.problem import Problem
from flexura.integrators.rank_watch import (
    EXAMINED,
    MARGIN,
    TRIAL,
    WATCHED,
    allowed_error,
    plan_step,
    refuse_longer_step,
    tries_again,
)
from flexura.integrators.run_interventions import examine, exchange, with_room
from flexura.integrators.run_memory import (
    ACCEPT,
    AGAIN,
    ANEW,
    ARRIVE,
    ATTEMPT,
    AUDIT,
    CHOICES,
    CHOOSE,
    CULPRIT,
    DONE,
    END,
    ERROR,
    EXAMINE,
    EXCHANGE,
    FIXED,
    FOUND,
    GOAL,
    HAND,
    INSPECT,
    LIMITED,
    NEXT_STEP,
    NOT_FINITE,
    NOTHING,
    NOW,
    OWN,
    REDUNDANT,
    REJECTED,
    REST,
    RESTART,
    RETREAT,
    RETRIED,
    RUNNING,
    SINGULAR,
    SMALLEST,
    STALLED,
    STATUS,
    STEP_TOO_SMALL,
    STIFF,
    TOUCH,
    TRIED,
    WAVE,
    Memory,
)
from flexura.integrators.step_stages import (
    audit_now,
    begin,
    crosses,
    divides_step,
    fixed_step,
    next_step,
    restore_step_start,
    save_step_start,
    stalled,
)
from flexura.integrators.stepper import Stepper
from flexura.integrators.strain_history import restart_strains
from flexura.integrators.time_break_events import aim_at_next_break, pass_break, pass_stop
from flexura.mechanics.contact.held_contacts import release_holds
from flexura.mechanics.core.factors import divided
from flexura.mechanics.core.kernel_calls import call_method, call_step
from flexura.mechanics.core.system import System
from flexura.mechanics.core.team import working
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.handedness import handedness


class Log(Protocol):
    """Record of the steps of a run."""

    def begin(self, s: System, m: Memory) -> None:
        """Record the start."""

    def advance(self, s: System, m: Memory, budget: int) -> None:
        """Try up to ``budget`` steps."""


_SINGULAR = 1e-3
"""Distance of the constraints from dependence below which a stalled run is at a singular position."""


@compiled
def _stands(s: System, m: Memory, h: float) -> bool:
    """False if the step must be repeated up to an event inside it."""
    if s.touch.strain.size:
        call_step(m.entry[TOUCH], s, m, h)
        if m.count[FOUND] == AGAIN:
            return False
    if s.switches.on.size:
        call_step(m.entry[INSPECT], s, m, h)
    return bool(m.count[FOUND] != AGAIN)


@compiled
def _give_up(s: System, m: Memory) -> None:
    """End the run: the step cannot become shorter."""
    shortest = 1e-14 * max(abs(m.clock[NOW]), m.clock[SMALLEST])
    if m.clock[FIXED] > 0.0 and (tries_again(m.rank) or divides_step(s, m)):
        return
    if m.clock[FIXED] > 0.0 or m.clock[NEXT_STEP] < shortest:
        m.count[STATUS] = STEP_TOO_SMALL if m.count[TRIED] == RUNNING else m.count[TRIED]
        if m.rank.flag[WATCHED] and m.rank.value[MARGIN] < _SINGULAR:
            m.count[STATUS] = SINGULAR


@compiled
def _accept(s: System, m: Memory, h: float) -> None:
    """Accept a step."""
    own = m.entry[OWN]
    if m.clock[FIXED] == 0.0:
        end = m.clock[NOW] + h
        part = (end - m.times[0]) / (m.clock[END] - m.times[0])
        remember_worst(s, m.errors, part, m.clock[ERROR], end, m.x, m.v)
    call_method(m.entry[ACCEPT], s, m, own, h)
    m.count[RETRIED] = 0
    call_step(m.entry[ARRIVE], s, m, h)
    if m.count[FOUND] != NOTHING or m.count[ANEW]:
        m.count[FOUND], m.count[ANEW] = NOTHING, 0
        call_method(m.entry[RESTART], s, m, own, h)
    call_step(m.entry[AUDIT], s, m, h)


@compiled
def advance(s: System, m: Memory, budget: int) -> None:
    """Try up to ``budget`` steps; the status gives the reason why the block ended."""
    own = m.entry[OWN]
    for _ in range(budget):
        if m.rank.flag[EXAMINED]:
            m.rank.flag[EXAMINED] = 0
            _accept(s, m, m.rank.value[TRIAL])
            if m.count[STATUS] != RUNNING:
                return
        h = next_step(m, m.clock[NEXT_STEP])
        if h == 0.0:
            m.count[STATUS] = DONE
            return
        if m.rank.flag[WATCHED]:
            h = plan_step(m.rank, h, m.clock[GOAL] - m.clock[NOW])
        save_step_start(m)
        call_method(m.entry[ATTEMPT], s, m, own, h)
        if m.count[TRIED] != RUNNING or not m.clock[ERROR] <= allowed_error(m.rank):
            m.count[REJECTED] += 1
            restore_step_start(m)
            call_method(m.entry[RETREAT], s, m, own, h)
            m.count[RETRIED] = 1
            refuse_longer_step(m.rank)
            _give_up(s, m)
        elif not _stands(s, m, h):
            m.count[REJECTED] += 1
            restore_step_start(m)
        elif crosses(s, m, m.clock[NOW] + h):
            m.rank.value[TRIAL], m.count[STATUS] = h, EXAMINE
            return
        else:
            _accept(s, m, h)
        if m.clock[FIXED] > 0.0 and m.count[RETRIED] == 0:
            m.clock[NEXT_STEP] = fixed_step(s, m)
        if m.count[STATUS] == RUNNING and stalled(m):
            m.count[STATUS] = STALLED
        if m.count[STATUS] != RUNNING:
            return


def integrate(
    problem: Problem,
    method: Method,
    report: Callable[[float], None],
    meter: Meter | None = None,
    memories: MemoryCache | None = None,
    threads: int = 1,
    log: Log | None = None,
) -> tuple[Memory, bool]:
    """Run until the last time; returns the memory, and True if it was interrupted from the keyboard.

    A memory from a cache of ``memories`` is overwritten by the next run. A ``log`` makes and records the steps.
    Several ``threads`` share the work of a large system, with the same result.
    """
    s, m = problem.system, _start(problem, method, memories)
    stepper = _stepper(problem, method, m)
    stepper.install(m)
    advance(s, m, 0)  # compiles
    with working(s.factors.team.desk, threads if divided(s.factors) else 1):
        return follow(problem, m, report, meter or Meter(), log)


def follow(
    problem: Problem, m: Memory, report: Callable[[float], None], meter: Meter, log: Log | None = None
) -> tuple[Memory, bool]:
    """Make the steps of a prepared run; returns the same as ``integrate``."""
    s = problem.system
    if log is not None:
        log.begin(s, m)
    take = advance if log is None else log.advance
    meter.begin()
    breaks = list(problem.breaks)
    # a discontinuity at the start needs no step
    while m.count[STATUS] == RUNNING and breaks and breaks[0][0] <= 1e-13 * m.times[-1]:
        pass_break(s, m, breaks.pop(0)[1])
    aim_at_next_break(m, breaks, problem.sampling)
    try:
        m = with_room(m)
        while m.count[STATUS] == RUNNING:
            take(s, m, meter.budget(m))
            if m.count[STATUS] == RUNNING and meter.ended(m):
                m.count[STATUS] = LIMITED
            report(float(m.clock[NOW]))
            if m.count[STATUS] == CHOOSE:
                m = m.replaced(guide=problem.choose(m.x, m.v))
                m.clock[HAND] = handedness(s, m.guide.hand, m.x, m.v)
                m.count[STATUS] = RUNNING
                m.count[CHOICES] += 1
            if m.count[STATUS] == EXAMINE:
                examine(problem, m)
            if m.count[STATUS] == EXCHANGE:
                s, m = exchange(problem, s, m)
            if m.count[STATUS] == DONE and (breaks or problem.sampling is not None):
                pass_stop(s, m, breaks, problem.sampling)
            m = with_room(m)
    except KeyboardInterrupt:
        return m, True
    finally:
        if np.all(np.isfinite(m.x)) and np.all(np.isfinite(m.v)):
            audit_now(s, m)
        release_holds(s)
    return m, False


def _stepper(problem: Problem, method: Method, m: Memory) -> Stepper:
    """Stepper of a method, in joint coordinates if the problem has them."""
    prepare: Callable[..., Stepper] = import_module(f"flexura.integrators.{method.implementation}").prepare
    if problem.joints is None:
        return prepare(method, problem, m)
    inner, own = in_joints(problem.joints, problem, m)
    return around(prepare(method, inner, own), inner, own, m)


def _start(problem: Problem, method: Method, memories: MemoryCache | None) -> Memory:
    """Memory at the start of a run, with contacts initialised and the first output written."""
    s = problem.system
    switched, touches = bool(s.switches.on.size), bool(s.touch.strain.size)
    m = run_memory(problem, method, memories)
    m.count[STIFF], m.count[REDUNDANT], m.count[CULPRIT] = method.can.stiff, problem.exchange is not None, -1
    m.clock[HAND] = handedness(s, m.guide.hand, m.x, m.v)
    if problem.opening is not None:
        # imported by name, so that compiled code does not depend on its imports
        import_module("flexura.integrators.opening_outputs").open_run(s, m, problem.opening)
    accelerate(s, m.clock[NOW], m.x, m.v, m.a, m.stress)
    m.power[:] = s.power
    m.clock[WAVE] = problem.wave
    if problem.stresses is not None:
        m.errors.largest[:] = problem.stresses
    m.clock[SMALLEST] = 1e-3 * (problem.times[-1] - problem.times[0])
    if touches:
        note_open_gaps(s, m)
    if switched:
        # the error is proportional to the square of the time allowed for further impacts
        m.clock[REST] = 0.1 * np.sqrt(run_tolerance(method))
        m.clock[NEXT_STEP] = m.clock[SMALLEST]
        s.switches.on[:] = 0
        s.grips.sticks[:] = s.grips.jammed[:] = s.gaps.phase[:] = 0
        s.grips.still[:] = 0.0
        begin(s, m)
        if not np.all(np.isfinite(m.a)):
            m.count[STATUS] = NOT_FINITE
    if m.event.shape[0]:
        watch(s, m, m.clock[NOW], m.x, m.v, m.event_before)
    write_outputs(s, m, m.clock[NOW])
    if method.can.stiff:
        restart_strains(s, m.past, m.clock[NOW], m.x, m.v, m.stress)
    audit_now(s, m)
    return m
