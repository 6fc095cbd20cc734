"""Decisions of a run between blocks of steps: singular positions, redundant constraints, memory for impacts."""

from __future__ import annotations

import numpy as np

from flexura.integrators.problem import Problem, Verdict
from flexura.integrators.rank_watch import EXAMINED, MARGIN, MISSED, PASSED, SOUGHT, TRIAL
from flexura.integrators.run_memory import (
    EXCHANGE,
    FIXED,
    FOUND,
    FULL,
    HAND,
    NEXT_STEP,
    NOTHING,
    NOW,
    REJECTED,
    RETRIED,
    RUNNING,
    SETS,
    SINGULAR,
    SMALLEST,
    STALE,
    STATUS,
    Memory,
)
from flexura.integrators.step_stages import restore_step_start
from flexura.integrators.time_break_events import restart_method
from flexura.mechanics.core.row_switches import restore_switches, saved_switches
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.handedness import handedness


def with_room(m: Memory) -> Memory:
    """Memory with space for more impacts, if its table of impacts is full."""
    if m.count[STATUS] == FULL:
        size = max(m.impact.shape[0], 8 * (m.gap.shape[0] + m.grip.shape[0]))
        m = m.replaced(impact=np.vstack([m.impact, np.zeros((size, m.impact.shape[1]))]))
        m.count[STATUS] = RUNNING
    return m


def examine(problem: Problem, m: Memory) -> None:
    """Accept a step without a singular position, or one that passes it on one branch; reject it otherwise."""
    assert problem.examine is not None
    h = float(m.rank.value[TRIAL])
    verdict = problem.examine(float(m.clock[NOW]), h, (m.x0, m.v0, m.a0), (m.x, m.v, m.a))
    m.count[STATUS], m.count[STALE] = RUNNING, 1
    # if there was no other set at the start of the step, the position of this one is passed
    avoidable = verdict is Verdict.AVOIDABLE and not m.rank.flag[MISSED]
    if verdict in (Verdict.REGULAR, Verdict.PASSED, Verdict.AVOIDABLE) and not avoidable:
        m.rank.flag[EXAMINED], m.rank.flag[PASSED] = 1, verdict is not Verdict.REGULAR
        return
    restore_step_start(m)
    m.count[FOUND] = NOTHING
    m.count[REJECTED] += 1
    if avoidable:
        m.rank.flag[MISSED], m.count[STATUS] = 1, EXCHANGE
        return
    m.count[RETRIED] = m.rank.flag[MISSED] = 1
    m.clock[NEXT_STEP] = 0.25 * h
    if verdict is Verdict.SINGULAR or m.clock[FIXED] > 0.0 or m.clock[NEXT_STEP] < 1e-12 * m.clock[SMALLEST]:
        m.count[STATUS] = SINGULAR


def exchange(problem: Problem, s: System, m: Memory) -> tuple[System, Memory]:
    """Exchange the set of redundant constraints, if another one is farther from dependence."""
    assert problem.exchange is not None
    t = float(m.clock[NOW])
    other = problem.exchange(t, m.x, m.v)
    m.count[STATUS] = RUNNING
    if other is None:
        # no set is better: ask again only if this one has become still weaker
        m.rank.value[SOUGHT] = 0.5 * m.rank.value[MARGIN]
        m.clock[HAND] = handedness(s, m.guide.hand, m.x, m.v)
        return s, m
    restore_switches(other.system, saved_switches(s))
    s, m = other.system, m.replaced(guide=other.guide)
    accelerate(s, t, m.x, m.v, m.a, m.stress)
    m.clock[HAND] = handedness(s, m.guide.hand, m.x, m.v)
    m.count[STALE] = 1
    m.count[SETS] += 1
    restart_method(s, m)
    return s, m
