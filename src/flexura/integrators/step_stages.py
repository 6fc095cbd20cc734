"""What the steps of all methods have in common."""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import address_of, compiled, copy
from flexura.derive.records import Ints
from flexura.integrators.contact_events import go_on, look, meet
from flexura.integrators.dense_output import between, cut, find_events, write_outputs
from flexura.integrators.formulations import close, failing
from flexura.integrators.run_memory import (
    AGAIN,
    CHOOSE,
    CUT,
    FOUND,
    GOAL,
    HAND,
    LAST_STEP,
    NOT_CLOSED,
    NOT_FINITE,
    NOW,
    RUNNING,
    SINGULAR,
    STATUS,
    STEPS,
    WRITTEN,
    Memory,
)
from flexura.mechanics.core.kernel_calls import call_step, step_signature
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, drive, margin, track
from flexura.mechanics.motion.handedness import handedness


@compiled
def finish(s: System, m: Memory, end: float, tolerance: float) -> int:
    """Close the new state and evaluate it; the result is the first stage of the next step."""
    if not close(s, m.guide, end, m.x, m.v, m.a, m.stress, tolerance):
        return NOT_CLOSED
    accelerate(s, end, m.x, m.v, m.a, m.stress)
    copy(m.power, s.power)
    for k in range(m.x.size):
        if not abs(m.a[k]) < math.inf:
            return NOT_FINITE
    # so near a branch the next step would be across it, or too small
    return SINGULAR if margin(s) < 1e-10 else RUNNING


@compiled
def restore(m: Memory) -> None:
    """Go back to the start of the step."""
    copy(m.x, m.x0)
    copy(m.v, m.v0)
    copy(m.a, m.a0)
    copy(m.work, m.work0)
    copy(m.power, m.power0)


@compiled
def keep(m: Memory) -> None:
    """Remember the start of a step."""
    copy(m.x0, m.x)
    copy(m.v0, m.v)
    copy(m.a0, m.a)
    copy(m.work0, m.work)
    copy(m.power0, m.power)


@compiled
def judge(s: System, m: Memory) -> int:
    """Whether the last step passed a singular position; then the run ends just before it.

    Where det D_I has changed its sign, the place is found by halving. If the held strains are independent there, it is
    only the choice of coordinates that fails.
    """
    hand = handedness(s, m.guide.hand, m.x, m.v)
    before = m.clock[HAND]
    m.clock[HAND] = hand
    if hand * before >= 0.0:
        return CHOOSE if failing(m.guide) else RUNNING
    start, h = m.clock[NOW] - m.clock[LAST_STEP], m.clock[LAST_STEP]
    x, v, a = m.xs[0], m.vs[0], m.as_[0]
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        between(m, middle, x, v)
        drive(s, start + middle * h, x, v, a)
        if handedness(s, m.guide.hand, x, v) * before > 0.0:
            low = middle
        else:
            high = middle
    accelerate(s, start + high * h, x, v, a, m.stress)
    if margin(s) > 1e-6:
        accelerate(s, m.clock[NOW], m.x, m.v, m.a, m.stress)
        return CHOOSE
    m.clock[CUT] = low
    return SINGULAR


@compiled
def next_step(m: Memory, h: float) -> float:
    """The step to take, cut (or stretched a little) to meet the end of the run or an event; zero at the end."""
    left = m.clock[GOAL] - m.clock[NOW]
    if left <= 1e-14 * abs(m.clock[GOAL]):
        return 0.0
    return h if left > (1.0 + 1e-6) * h else left


@compiled
def looked_into(m: Memory, end: float) -> bool:
    """Whether the inside of a step that ends there may be asked for, by an output or an event."""
    return m.event.shape[0] > 0 or (m.count[WRITTEN] < m.times.size and m.times[m.count[WRITTEN]] < end)


def _arrive(s: System, m: Memory, h: float) -> None:
    m.clock[NOW] += h
    m.clock[LAST_STEP] = h
    m.count[STEPS] += 1
    m.clock[CUT] = 1.0
    verdict = judge(s, m)
    if verdict != SINGULAR:
        track(s, m.x, m.v)
        if m.event.shape[0]:
            call_step(m.entry[1], s, m, h)
    # outputs while the whole step is there to interpolate
    write_outputs(s, m, m.clock[NOW] - (1.0 - m.clock[CUT]) * h)
    if m.clock[CUT] < 1.0:
        cut(s, m)
    if m.count[STATUS] == RUNNING:
        m.count[STATUS] = verdict
    if s.switches.on.size:
        call_step(m.entry[3], s, m, h)


@compiled
def arrive(s: System, m: Memory, h: float) -> None:
    """The step is made: judge it, track, look for events, write outputs; the status says whether the run goes on.

    Called through its address, for quick compilation.
    """
    call_step(m.entry[0], s, m, h)


def _find_events(s: System, m: Memory, h: float) -> None:
    find_events(s, m)


def _look(s: System, m: Memory, h: float) -> None:
    look(s, m, h)


def _go_on(s: System, m: Memory, h: float) -> None:
    go_on(s, m)


def _meet(s: System, m: Memory, near: float) -> None:
    meet(s, m, near)


@compiled
def look_ahead(s: System, m: Memory, h: float) -> bool:
    """Whether a step stands; else it has been taken back, to be made again up to an event inside."""
    if s.switches.on.size == 0:
        return True
    call_step(m.entry[2], s, m, h)
    if m.count[FOUND] != AGAIN:
        return True
    restore(m)
    return False


@compiled
def begin(s: System, m: Memory) -> None:
    """What touches at the start strikes, or stays; what does not slide sticks."""
    call_step(m.entry[4], s, m, 1e-9)
    call_step(m.entry[3], s, m, 0.0)


def step_entries(events: bool, switched: bool) -> Ints:
    """The addresses for ``Memory.entry``; what there is none of does not cost its compilation."""
    signature = step_signature(System.numba_type, Memory.numba_type)
    wanted = [(_arrive, True), (_find_events, events), (_look, switched), (_go_on, switched), (_meet, switched)]
    return np.array([address_of(f, signature) if there else 0 for f, there in wanted], dtype=np.int64)
