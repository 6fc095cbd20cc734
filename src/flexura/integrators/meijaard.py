"""Meijaard's explicit method of one stage, with the accelerations at the middle of the step [Schwab2002 (5.28)].

It is position Verlet: of second order where the forces do not depend on the rates (the velocity terms of the held
strains do not count, the projection takes them out), of first order otherwise, stable for h < 2/ω.
"""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats, Record
from flexura.integrators.formulations import CLOSED, close, close_tightly, conform
from flexura.integrators.methods import OneStage
from flexura.integrators.problem import Problem
from flexura.integrators.rank_watch import NEAR, set_nodes
from flexura.integrators.run_memory import (
    DENSE,
    ERROR,
    EVALUATIONS,
    FIXED,
    HERMITE,
    NESTED,
    NEXT_STEP,
    NOT_CLOSED,
    NOT_FINITE,
    NOW,
    RUNNING,
    TRIED,
    Memory,
)
from flexura.integrators.stepper import Stepper
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, drive, stresses
from flexura.mechanics.motion.powers import powers
from flexura.mechanics.motion.projection import close_velocity


class OneStageMemory(Record):
    """Scratch of the method."""

    stress: Floats
    """stresses that are discarded"""


def prepare(method: OneStage, problem: Problem, m: Memory) -> Stepper:
    """Memory for a run with a fixed step."""
    m.clock[FIXED] = m.clock[NEXT_STEP] = method.step
    set_nodes(m.rank, np.array([0.5]))
    return Stepper(OneStageMemory(stress=m.stress.copy()), _attempt, _retreat, _accept, _restart)


@compiled
def _stage(s: System, m: Memory, t: float, h: float) -> None:
    """New state, from the accelerations at half the step."""
    x, v, a = m.xs[0], m.vs[0], m.a
    for k in range(x.size):
        x[k] = m.x0[k] + 0.5 * h * m.v0[k]
        v[k] = m.v0[k]
    if m.rank.flag[NEAR]:
        close_tightly(s, t + 0.5 * h, x, v, a, m.stress)
    elif m.guide.on[0]:
        conform(m.guide, t + 0.5 * h, x, v, a, m.stress)
    accelerate(s, t + 0.5 * h, x, v, a, m.stress)
    for k in range(x.size):
        m.x[k] = m.x0[k] + h * m.v0[k] + 0.5 * h * h * a[k]
        m.v[k] = m.v0[k] + h * a[k]


@compiled
def _work(s: System, m: Memory, spare: Floats, h: float) -> None:
    """Work by the midpoint rule, with the rates at the middle of the step.

    The work of loads is of second order. The reactions of drives are those of the stage, whose rates lag by half a
    step: their work is of first order; a second evaluation would raise the order at twice the cost.
    """
    for n in range(s.free.size):
        k = s.free[n]
        m.vs[0, k] = 0.5 * (m.v0[k] + m.v[k])
    # the strain rates again; the stresses are discarded
    stresses(s, m.xs[0], m.vs[0], spare)
    powers(s, m.xs[0], m.vs[0], m.a, m.stress, m.power)
    copy(m.power0, m.power)
    for i in range(m.work.size):
        m.work[i] += h * m.power[i]


@compiled
def _close(s: System, m: Memory, end: float, tolerance: float) -> int:
    """Close the new state with the factors at the middle of the step."""
    for k in range(m.x.size):
        if not abs(m.x[k]) + abs(m.v[k]) < math.inf:
            return NOT_FINITE
    drive(s, end, m.x, m.v, m.a)
    if m.rank.flag[NEAR]:
        # the accelerations at the middle are kept
        close_tightly(s, end, m.x, m.v, m.as_[0], m.spare)
        return RUNNING
    if not close(s, m.guide, end, m.x, m.v, m.a, m.stress, tolerance):
        return NOT_CLOSED
    # half a step away the factors of the multipliers gain only a few digits per correction
    previous = math.inf
    for _ in range(0 if m.guide.on[0] else 30):
        error = close_velocity(s, s.shape.out, s.shape_slopes, m.v)
        if error <= 1e-15 or error > 0.5 * previous:
            break
        previous = error
    return RUNNING


@compiled
def _prepare_dense(m: Memory, h: float) -> None:
    """Hermite's cubic through positions and rates [Schwab2002 (5.23)]: accelerations at the ends are unknown.

    The work is linear in time.
    """
    for k in range(m.work.size):
        m.dense_work[0, k] = m.work[k] - m.work0[k]
    for k in range(m.x.size):
        dx, dv = m.x[k] - m.x0[k], m.v[k] - m.v0[k]
        m.dense_x[0, k], m.dense_v[0, k] = dx, dv
        m.dense_x[1, k] = h * m.v0[k] - dx
        m.dense_x[2, k] = 2.0 * dx - h * (m.v[k] + m.v0[k])
        m.dense_v[1, k] = 6.0 * dx / h - 3.0 * (m.v[k] + m.v0[k])


def _attempt(s: System, m: Memory, own: OneStageMemory, h: float) -> None:
    t = m.clock[NOW]
    _stage(s, m, t, h)
    m.count[EVALUATIONS] += 1
    _work(s, m, own.stress, h)
    m.clock[ERROR] = 0.0
    m.count[TRIED] = _close(s, m, t + h, CLOSED)
    if s.switches.on.size and m.count[TRIED] == RUNNING:
        # contacts are judged by the accelerations and forces at the end
        accelerate(s, t + h, m.x, m.v, m.a, m.stress)
        m.count[EVALUATIONS] += 1


def _retreat(s: System, m: Memory, own: OneStageMemory, h: float) -> None:
    """Do nothing: the step is fixed."""


def _accept(s: System, m: Memory, own: OneStageMemory, h: float) -> None:
    m.count[DENSE] = HERMITE if s.switches.on.size else NESTED
    _prepare_dense(m, h)


def _restart(s: System, m: Memory, own: OneStageMemory, h: float) -> None:
    """Do nothing: the method has no past."""
