"""Parts of a step that all methods share."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from flexura.derive.compiled import address_of, compiled, copy
from flexura.derive.records import Ints
from flexura.integrators.audit import audit_contacts, audit_step
from flexura.integrators.contact_events import finish_step, handle_event, inspect_step
from flexura.integrators.dense_output import cut, find_events, write_outputs
from flexura.integrators.formulations import close, close_tightly, failing
from flexura.integrators.law_contact_events import find_touch, update_branches
from flexura.integrators.passage_search import keeps_clear, margin_at_end
from flexura.integrators.progress_watch import stalls
from flexura.integrators.rank_watch import (
    APPROACH,
    BEFORE,
    CROSSING,
    HAND_END,
    MARGIN,
    MARGIN_END,
    NEAR,
    PASSED,
    SOUGHT,
    WATCHED,
    record_margin,
)
from flexura.integrators.run_memory import (
    AUDIT,
    AUDIT_CONTACTS,
    CHOOSE,
    CUT,
    END,
    EXCHANGE,
    FIND_EVENTS,
    FINISH,
    FIXED,
    GOAL,
    HAND,
    HANDLE,
    LAST_STEP,
    NEXT_STEP,
    NO_CONVERGENCE,
    NOT_CLOSED,
    NOT_FINITE,
    NOW,
    REDUNDANT,
    RUNNING,
    SINGULAR,
    STALE,
    STATUS,
    STEPS,
    TRIED,
    WAVE,
    WRITTEN,
    Memory,
)
from flexura.integrators.strain_history import agree
from flexura.mechanics.contact.contact_scales import LENGTH, TOUCHING, negligible_time
from flexura.mechanics.contact.gap_states import OPEN
from flexura.mechanics.core.kernel_calls import call_step, step_signature
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, drive, track
from flexura.mechanics.motion.handedness import handedness
from flexura.mechanics.motion.mixed_iteration import linearise

_SHORTEST_PART = 1e-4
"""Fraction of a fixed step that is tried if the whole does not converge."""


@compiled
def evaluate_end(s: System, m: Memory, end: float, tolerance: float) -> int:
    """Close and evaluate the new state: the first stage of the next step."""
    if m.rank.flag[NEAR]:
        close_tightly(s, end, m.x, m.v, m.a, m.stress)
    elif not close(s, m.guide, end, m.x, m.v, m.a, m.stress, tolerance):
        return NOT_CLOSED
    accelerate(s, end, m.x, m.v, m.a, m.stress)
    copy(m.power, s.power)
    for k in range(m.x.size):
        if not abs(m.a[k]) < math.inf:
            return NOT_FINITE
    return RUNNING


@compiled
def restore_step_start(m: Memory) -> None:
    """Restore the state at the start of the step."""
    copy(m.x, m.x0)
    copy(m.v, m.v0)
    copy(m.a, m.a0)
    copy(m.stress, m.stress0)
    copy(m.work, m.work0)
    copy(m.power, m.power0)


@compiled
def save_step_start(m: Memory) -> None:
    """Save the state at the start of a step."""
    copy(m.x0, m.x)
    copy(m.v0, m.v)
    copy(m.a0, m.a)
    copy(m.stress0, m.stress)
    copy(m.work0, m.work)
    copy(m.power0, m.power)


@compiled
def judge(s: System, m: Memory) -> int:
    """Status after a step: running, or a need for other coordinates or other redundant constraints.

    If det D_I has changed its sign and no singular position was passed, the choice of coordinates has failed.
    """
    hand, before = m.rank.value[HAND_END], m.clock[HAND]
    m.clock[HAND] = hand
    if m.rank.flag[WATCHED] == 0:
        return CHOOSE if failing(m.guide, 1.0) else RUNNING
    record_margin(m.rank, m.clock[LAST_STEP])
    if m.rank.flag[PASSED]:
        m.rank.flag[PASSED] = 0
        return RUNNING
    changed = hand * before < 0.0
    if m.count[REDUNDANT] and (changed or m.rank.value[MARGIN] < m.rank.value[SOUGHT]):
        return EXCHANGE
    # coordinates at a dead point would fail together with the constraints
    approaches = m.guide.on[0] == 1 and m.rank.value[MARGIN] < APPROACH <= m.rank.value[BEFORE]
    return CHOOSE if changed or approaches or failing(m.guide, m.rank.value[MARGIN]) else RUNNING


@compiled
def crosses(s: System, m: Memory, end: float) -> bool:
    """True if a step may have passed a singular position.

    det D_I has changed its sign, or a passage was expected, and the constraints may have become dependent.
    """
    if m.rank.flag[WATCHED] == 0:
        return False
    hand = handedness(s, m.guide.hand, m.x, m.v)
    # dense output will need the factors
    m.rank.value[HAND_END], m.rank.value[MARGIN_END] = hand, margin_at_end(s, m, end)
    suspected = hand * m.clock[HAND] < 0.0 or m.rank.flag[CROSSING] == 1
    return suspected and not keeps_clear(s, m, end)


@compiled
def next_step(m: Memory, h: float) -> float:
    """Step to take, cut or stretched a little to meet the end of the run or an event; zero at the end."""
    if m.clock[END] - m.clock[NOW] <= 1e-14 * abs(m.clock[END]):
        return 0.0
    left = m.clock[GOAL] - m.clock[NOW]
    return h if left > (1.0 + 1e-6) * h else left


@compiled
def fixed_step(s: System, m: Memory) -> float:
    """Fixed step: the shorter one while a contact is closed."""
    if m.clock[WAVE] > 0.0:
        for n in range(s.gaps.strain.size):
            if s.gaps.phase[n] != OPEN:
                return float(min(m.clock[WAVE], m.clock[FIXED]))
    return float(m.clock[FIXED])


@compiled
def divides_step(s: System, m: Memory) -> bool:
    """True if a fixed step that did not converge is divided: impacts excite vibrations faster than any step."""
    unsettled = s.gaps.strain.size > 0 and m.count[TRIED] == NO_CONVERGENCE
    return bool(unsettled and m.clock[NEXT_STEP] > _SHORTEST_PART * m.clock[FIXED])


@compiled
def stalled(m: Memory) -> bool:
    """True if the run makes no progress."""
    now, span = m.clock[NOW], m.clock[END] - m.times[0]
    least = negligible_time(m.scales, now)
    return bool(stalls(m.windows, now, m.clock[LAST_STEP], m.count[STEPS], span, least))


@compiled
def needs_dense_output(m: Memory, end: float) -> bool:
    """True if an output or an event may need the inside of a step that ends there."""
    return m.event.shape[0] > 0 or (m.count[WRITTEN] < m.times.size and m.times[m.count[WRITTEN]] < end)


def _arrive(s: System, m: Memory, h: float) -> None:
    m.clock[NOW] += h
    m.clock[LAST_STEP] = h
    m.clock[GOAL] = m.clock[END]
    m.count[STEPS] += 1
    m.clock[CUT] = 1.0
    verdict = judge(s, m)
    if verdict != SINGULAR:
        track(s, m.x, m.v)
        if m.event.shape[0]:
            call_step(m.entry[FIND_EVENTS], s, m, h)
    # outputs while the whole step is available for interpolation
    write_outputs(s, m, m.clock[NOW] - (1.0 - m.clock[CUT]) * h)
    if m.clock[CUT] < 1.0:
        cut(s, m)
    if m.count[STATUS] == RUNNING:
        m.count[STATUS] = verdict
    update_branches(s, m)
    if s.switches.on.size:
        call_step(m.entry[FINISH], s, m, h)


def _agree(s: System, m: Memory, theta: float) -> None:
    """Correct the state in the last row of stages, which is interpolated at the fraction theta of the last step."""
    h = m.clock[LAST_STEP]
    t = m.clock[NOW] - (1.0 - theta) * h
    if m.count[STALE]:
        linearise(s, m.x, m.v, m.a, m.stress, 16.0 / (h * h), 4.0 / h)
    drive(s, t, m.xs[-1], m.vs[-1], m.as_[-1])
    agree(s, m.past, t, m.xs[-1], m.vs[-1])
    drive(s, m.clock[NOW], m.x, m.v, m.a)


def _find_events(s: System, m: Memory, h: float) -> None:
    find_events(s, m)


def _find_touch(s: System, m: Memory, h: float) -> None:
    find_touch(s, m, h)


def _inspect_step(s: System, m: Memory, h: float) -> None:
    inspect_step(s, m, h)


def _finish_step(s: System, m: Memory, h: float) -> None:
    finish_step(s, m)


def _audit_step(s: System, m: Memory, h: float) -> None:
    if s.switches.on.size:
        call_step(m.entry[AUDIT_CONTACTS], s, m, h)
    audit_step(s, m, h)


def _audit_contacts(s: System, m: Memory, h: float) -> None:
    audit_contacts(s, m)


def _handle_event(s: System, m: Memory, near: float) -> None:
    handle_event(s, m, near)


@compiled
def begin(s: System, m: Memory) -> None:
    """Initialise the contacts at the start: impacts, lasting contact, sticking."""
    call_step(m.entry[HANDLE], s, m, TOUCHING * m.scales.run[LENGTH])
    call_step(m.entry[FINISH], s, m, 0.0)


@compiled
def audit_now(s: System, m: Memory) -> None:
    """Audit the current state."""
    call_step(m.entry[AUDIT], s, m, 0.0)


def step_entries(events: bool, touches: bool, switched: bool, implicit: bool) -> Ints:
    """Addresses for ``Memory.entry``; parts that a run does not need are not compiled."""
    *addresses, contacts = _addresses(events, touches, switched, implicit)
    found = np.zeros(AUDIT_CONTACTS + 1, dtype=np.int64)
    found[: len(addresses)], found[AUDIT_CONTACTS] = addresses, contacts
    return found


@cache
def _addresses(events: bool, touches: bool, switched: bool, implicit: bool) -> tuple[int, ...]:
    """Addresses of the parts of a step, zero if they are not needed."""
    signature = step_signature(System.numba_type, Memory.numba_type)
    wanted = [
        (_arrive, True),
        (_find_events, events),
        (_find_touch, touches),
        (_inspect_step, switched),
        (_finish_step, switched),
        (_handle_event, switched),
        (_agree, implicit),
        (_audit_step, True),
        (_audit_contacts, switched),
    ]
    return tuple(address_of(f, signature) if there else 0 for f, there in wanted)
