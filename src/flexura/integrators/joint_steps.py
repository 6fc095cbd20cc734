"""Steps of an explicit method in the joint coordinates of a tree.

The method has a memory of its own, with joint coordinates in place of those of the layout and with the equations
of motion of the tree. The run sees positions, rates and local errors in the coordinates of the layout, at the ends of
steps and between them; these errors, on the scale of the model, control the step size.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from flexura.derive.compiled import address_of, compiled, copy
from flexura.derive.records import Floats, Record
from flexura.integrators.dense_output import interpolate
from flexura.integrators.problem import Joints, Problem
from flexura.integrators.run_memory import (
    ACCEPT,
    ATTEMPT,
    ERROR,
    FIXED,
    INSIDE,
    JOINTS,
    LAST_STEP,
    NEXT_STEP,
    NOW,
    OWN,
    RESTART,
    RETREAT,
    RUNNING,
    TRIED,
    Memory,
)
from flexura.integrators.step_stages import restore_step_start, save_step_start
from flexura.integrators.stepper import Stepper
from flexura.mechanics.core.joint_tree import SPIN, JointTree
from flexura.mechanics.core.kernel_calls import call_method, method_signature
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, drive
from flexura.mechanics.motion.tree_equations import follow_drives
from flexura.mechanics.motion.tree_kinematics import collect, normalise, place

_TURNING = 2.0
"""Largest angle by which a body may turn in a step."""


class JointMemory(Record):
    """Method in joint coordinates: its system, its memory, and the interpolated state."""

    system: System
    memory: Memory
    tolerance: Floats
    """of a step, relative to the scale of the model; one for fixed steps"""
    q: Floats
    u: Floats


def in_joints(joints: Joints, problem: Problem, m: Memory) -> tuple[Problem, Memory]:
    """Problem in joint coordinates and its memory, which shares clock, counters, work and outputs with the run."""
    count = joints.scale.size
    q, u = np.zeros(count), np.zeros(count)
    collect(problem.system, joints.system.tree, problem.x, problem.v, q, u)
    a = np.zeros(count)
    accelerate(joints.system, float(m.clock[NOW]), q, u, a, m.stress)
    own: Memory = m.replaced(
        entry=m.entry.copy(),
        x=q,
        v=u,
        a=a,
        x0=q.copy(),
        v0=u.copy(),
        a0=a.copy(),
        scale=joints.scale.copy(),
        errors=m.errors.replaced(x=np.zeros(count), v=np.zeros(count)),
        **{name: np.zeros((getattr(m, name).shape[0], count)) for name in ("xs", "vs", "as_", "dense_x", "dense_v")},
    )
    return replace(problem, system=joints.system, x=q, v=u, scale=joints.scale), own


def around(stepper: Stepper, problem: Problem, own: Memory, m: Memory) -> Stepper:
    """Steps in the coordinates of the layout that call those of a method in joint coordinates."""
    stepper.install(own)
    tolerance = float(own.scale[0] / problem.scale[0])
    m.scale[:] *= tolerance
    joints = JointMemory(
        system=problem.system,
        memory=own,
        tolerance=np.array([tolerance]),
        q=np.zeros_like(own.x),
        u=np.zeros_like(own.x),
    )
    m.count[JOINTS] = own.x.size
    if m.clock[FIXED] == 0.0:
        m.clock[NEXT_STEP] = min(m.clock[NEXT_STEP], _turning_time(problem.system.tree))
    signature = method_signature(System.numba_type, Memory.numba_type, JointMemory.numba_type)
    m.entry[INSIDE] = address_of(_inside, signature)
    return Stepper(joints, _attempt, _retreat, _accept, _restart, within=stepper)


@compiled
def _norm(which: Any, dx: Floats, dv: Floats, m: Memory, rtol: float) -> float:
    """Root mean square of errors of positions and rates, relative to the tolerance."""
    total = 0.0
    for n in range(which.size):
        k = which[n]
        x = dx[k] / (m.scale[k] + rtol * max(abs(m.x[k]), abs(m.x0[k])))
        v = dv[k] / (m.scale[k] + rtol * max(abs(m.v[k]), abs(m.v0[k])))
        total += x * x + v * v
    return math.sqrt(total / max(2 * which.size, 1))


@compiled
def _spread_error(s: System, m: Memory, g: JointMemory) -> None:
    """Local error in the coordinates of the layout, computed from that of the joints, and its norm."""
    own, e, rtol = g.memory, g.memory.errors, g.tolerance[0]
    for k in range(g.q.size):
        g.q[k], g.u[k] = own.x[k] + e.x[k], own.v[k] + e.v[k]
    dx, dv = m.errors.x, m.errors.v
    copy(dx, m.x)
    copy(dv, m.v)
    place(g.system.tree, g.q, g.u, dx, dv)
    for k in range(m.x.size):
        dx[k] -= m.x[k]
        dv[k] -= m.v[k]
    joints = _norm(g.system.free, e.x, e.v, own, rtol)
    if joints > 0.0:
        m.clock[ERROR] *= _norm(s.free, dx, dv, m, rtol) / joints


def _attempt(s: System, m: Memory, g: JointMemory, h: float) -> None:
    own = g.memory
    save_step_start(own)
    call_method(own.entry[ATTEMPT], g.system, own, own.entry[OWN], h)
    if m.count[TRIED] != RUNNING:
        return
    normalise(g.system.tree, own.x, own.v)
    place(g.system.tree, own.x, own.v, m.x, m.v)
    if m.clock[FIXED] == 0.0:
        _spread_error(s, m, g)


def _retreat(s: System, m: Memory, g: JointMemory, h: float) -> None:
    restore_step_start(g.memory)
    call_method(g.memory.entry[RETREAT], g.system, g.memory, g.memory.entry[OWN], h)


def _accept(s: System, m: Memory, g: JointMemory, h: float) -> None:
    call_method(g.memory.entry[ACCEPT], g.system, g.memory, g.memory.entry[OWN], h)
    if m.clock[FIXED] == 0.0:
        m.clock[NEXT_STEP] = min(m.clock[NEXT_STEP], _turning_time(g.system.tree))


@compiled
def _turning_time(tree: JointTree) -> float:
    """Longest step in which revolutions can be counted: a relative rotation is unique up to two turns."""
    fastest = 0.0
    for n in range(1, tree.kind.size):
        own = tree.body[n]
        fastest = max(fastest, own[SPIN] ** 2 + own[SPIN + 1] ** 2 + own[SPIN + 2] ** 2)
    return _TURNING / math.sqrt(fastest) if fastest > 0.0 else math.inf


def _restart(s: System, m: Memory, g: JointMemory, h: float) -> None:
    """Take over the state of the run, which may have jumped."""
    own = g.memory
    collect(s, g.system.tree, m.x, m.v, own.x, own.v)
    accelerate(g.system, m.clock[NOW], own.x, own.v, own.a, own.stress)
    copy(m.power, g.system.power)
    call_method(own.entry[RESTART], g.system, own, own.entry[OWN], h)


def _inside(s: System, m: Memory, g: JointMemory, theta: float) -> None:
    """Interpolate the state at the fraction theta of the last step, into the last row of stages of the run."""
    interpolate(g.memory, theta, g.q, g.u)
    if s.driven.row.size:
        drive(g.system, m.clock[NOW] - (1.0 - theta) * m.clock[LAST_STEP], m.xs[-1], m.vs[-1], m.as_[-1])
        follow_drives(g.system, g.q, g.u, m.as_[-1])
        drive(g.system, m.clock[NOW], m.xs[-1], m.vs[-1], m.as_[-1])
    copy(m.xs[-1], m.x)
    copy(m.vs[-1], m.v)
    place(g.system.tree, g.q, g.u, m.xs[-1], m.vs[-1])
