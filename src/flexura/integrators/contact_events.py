"""Contact events along a run: steps end where gaps close or contacts are released.

A step is inspected before it is accepted. If a gap closes inside it, or the force of a contact changes its sign, the
step is repeated up to that time, so that the state at an event has the accuracy of the method.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.integrators.dense_output import watch
from flexura.integrators.event_prediction import foresee_event
from flexura.integrators.impact_records import RELEASE, SLIP, STICK, add_row, record_contact_changes, record_impacts
from flexura.integrators.impact_without_collision import strike_closed_contact
from flexura.integrators.root_location import APART, NEVER, PARTING, RESTING, crossing, rising
from flexura.integrators.run_memory import (
    AGAIN,
    BLOCKED,
    CULPRIT,
    DENSE,
    EVENT_HERE,
    FOUND,
    FULL,
    GOAL,
    GRIP_HERE,
    HERMITE,
    IDLE,
    IMPACTS,
    JAMMED,
    LAST_STEP,
    NEXT_STEP,
    NOTHING,
    NOW,
    PACE,
    REDONE,
    REST,
    RUNNING,
    STATUS,
    WRITTEN,
    Memory,
)
from flexura.integrators.shared_contact_forces import BROKEN, check_shared_forces
from flexura.integrators.step_probes import fit_gap, follows_gap, out_of_reach, probe_step
from flexura.integrators.stick_slip_events import (
    change,
    measure_ends,
    release_all,
    update_directions,
    update_sticking,
    zero_beyond_step,
)
from flexura.mechanics.contact.contact_scales import (
    located_gap,
    near_gap,
    negligible_force,
    negligible_gap,
    negligible_rate,
    negligible_second,
    negligible_time,
)
from flexura.mechanics.contact.contact_sizes import note_sizes
from flexura.mechanics.contact.gap_states import DEPENDENT, DISTANCE, OPEN, RATE, SECOND
from flexura.mechanics.contact.impact import measure_gaps, strike
from flexura.mechanics.core.row_switches import restore_switches, save_switches
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import pressing_force

FORCE = 4
"""column of the contact force in ``Memory.gap``, after those of ``Gaps.state``"""

_MOST = 20
"""Maximum number of repetitions of a step."""
_MOST_IDLE = 3
"""Consecutive events without effect after which a short step is made without locating events."""


@compiled
def _rest(m: Memory) -> float:
    """Time within which impacts must come to rest."""
    return float(m.clock[REST] * max(m.clock[NEXT_STEP], m.clock[PACE]))


@compiled
def _least(m: Memory, n: int) -> float:
    """Negligible distance of a gap at the end of the step."""
    return float(negligible_gap(m.scales, n, m.gap[n, RATE], m.clock[NOW]))


@compiled
def _starts(m: Memory, n: int, least: float) -> int:
    """State of an open gap at the start of a step: apart, parting or resting.

    A small gap that accelerates towards contact is apart, even at the top of a low flight, where its rate is zero.
    """
    distance, rate, second = m.gap_before[n, DISTANCE], m.gap_before[n, RATE], m.gap_before[n, SECOND]
    none = negligible_rate(m.scales, n, second, m.clock[NOW])
    if distance > 100.0 * least or rate < -none:
        return APART
    if rate > none:
        return APART if distance > 2.0 * least else PARTING
    falls = second < -negligible_second(m.scales, n)
    return APART if distance > located_gap(m.scales, n, 0.0, m.clock[NOW]) and falls else RESTING


@compiled
def _back(m: Memory, now: float, first: float, h: float) -> bool:
    """Repeat the step up to a fraction of it; false if that is negligible or was tried too often."""
    m.count[REDONE] += 1
    goal = now + max(first * h, negligible_time(m.scales, now))
    if m.count[REDONE] > _MOST or not goal < now + h:
        return False
    m.count[FOUND] = AGAIN
    m.clock[GOAL] = goal
    return True


@compiled
def _end_of_contact(m: Memory, n: int, h: float) -> float:
    """Fraction of the step where the force of a contact becomes tensile [Schwab2002 (5.29)]: 1 at its end."""
    force, gain = m.gap[n, FORCE], m.gap[n, FORCE] - m.gap_before[n, FORCE]
    least = negligible_force(m.scales, n)
    near = max(least, gain * negligible_time(m.scales, m.clock[NOW]) / h)
    m.leaving[n] = 1 if force >= -near and gain > 0.0 else 0
    if abs(force) <= near:
        return 1.0 if m.leaving[n] else NEVER
    place: float = rising(m.gap_before[n, FORCE], m.probe[n], force, m.neville)
    return place if place < NEVER else zero_beyond_step(m, m.gap_before[n, FORCE], force)


@compiled
def _closing(s: System, m: Memory, n: int, h: float) -> float:
    """Fraction of the step where a gap closes: 1 at its end, to the accuracy of location; 0.5 if it is not resolved."""
    if out_of_reach(m, n, h):
        return NEVER
    least, distance, rate = _least(m, n), m.gap[n, DISTANCE], m.gap[n, RATE]
    rough = fit_gap(m, n, h) and not follows_gap(m, n, least) and m.count[REDONE] < _MOST // 2
    start = _starts(m, n, least)
    if start == PARTING and rate > 0.0 and crossing(m.quintic, RESTING, 10.0 * least) == NEVER:
        # it has parted, even if its distances are still rounding
        return NEVER
    place: float = crossing(m.quintic, start, 10.0 * least)
    # a root just before the end counts as the end
    located = located_gap(m.scales, n, rate, m.clock[NOW])
    same = place == NEVER or (1.0 - place) * h * abs(rate) <= 4.0 * located
    if distance <= (-9.0 * least if start == RESTING else located) and not rate > 0.0 and same:
        return 1.0
    if rough and place > 0.5:
        m.clock[NEXT_STEP] = 0.5 * h
        return 0.5
    return min(place, 1.0 - 1e-15) if place < NEVER else NEVER


@compiled
def _end_of_rest(m: Memory, n: int, h: float, dependent: bool) -> float:
    """Fraction of the step where a force begins to act on a gap that is closed without one: 1 at its end.

    The distance is rounding and is not searched for roots. The force begins when the second derivative becomes
    negative; for a dependent row that is rounding too.
    """
    least = _least(m, n)
    before, now, none = m.gap_before[n, SECOND], m.gap[n, SECOND], negligible_second(m.scales, n)
    if not dependent and now < -none and before > -none:
        place: float = before / (before - now) if before > 0.0 else 0.0
        soon = (1.0 - place) * h <= negligible_time(m.scales, m.clock[NOW]) or now >= -10.0 * none
        return 1.0 if soon else place
    # a force that is rounding at first is located by the closing of the gap
    if m.gap[n, DISTANCE] < -10.0 * least:
        fit_gap(m, n, h)
        fell: float = crossing(m.quintic, RESTING, 10.0 * least)
        return fell if fell < 1.0 - 1e-9 and m.gap[n, DISTANCE] < -20.0 * least else 1.0
    return NEVER


@compiled
def _change(s: System, m: Memory, n: int, h: float, together: int) -> float:
    """Fraction of the step where the state of a gap changes: 1 at its end; never for contacts that stick together."""
    m.leaving[n] = 0
    if s.switches.on[n] == 0 and s.gaps.phase[n] == OPEN:
        return _closing(s, m, n, h)
    if together:
        return NEVER
    return _end_of_contact(m, n, h) if s.switches.on[n] else _end_of_rest(m, n, h, s.gaps.phase[n] == DEPENDENT)


@compiled
def _pass_idle_events(m: Memory, now: float, h: float) -> None:
    """Make a step of a few roundings of the time, without an event."""
    goal = now + 10.0 * negligible_time(m.scales, now)
    if now + h > goal + negligible_time(m.scales, now):
        m.count[FOUND], m.clock[GOAL] = AGAIN, goal
        return
    m.count[FOUND], m.count[REDONE], m.count[IDLE] = NOTHING, 0, 0


@compiled
def _signature(s: System, m: Memory) -> float:
    """Checksum of the active rows, the states of gaps and frictional contacts, and the number of impacts."""
    total, weight = float(m.count[IMPACTS]), 1.0
    for n in range(s.switches.on.size):
        weight *= 0.7
        total += weight * s.switches.on[n]
    for n in range(s.gaps.strain.size):
        weight *= 0.7
        total += weight * s.gaps.phase[n]
    for i in range(s.grips.sticks.size):
        weight *= 0.7
        total += weight * (s.grips.sticks[i] + 2.0 * s.grips.direction[i, 0])
    return total


@compiled
def _leave_at_once(s: System, m: Memory, h: float) -> None:
    """Let the contact go whose force vanishes within the resolution of the time.

    Its force is not zero yet. If it were kept, the same event would follow without end.
    """
    n = m.count[CULPRIT]
    if n < s.gaps.strain.size and s.switches.on[n] and h <= 2.0 * negligible_time(m.scales, m.clock[NOW]):
        m.leaving[n] = 1


@compiled
def inspect_step(s: System, m: Memory, h: float) -> None:
    """Inspect a step before it is accepted.

    ``count[FOUND]`` is set to the kind of event that ends it, or to AGAIN if it must end at ``clock[GOAL]``.
    """
    g, now = s.gaps, m.clock[NOW]
    together = check_shared_forces(s, m, h)
    measure_gaps(s, m.v, m.a, m.gap)
    m.count[DENSE] = HERMITE
    m.clock[LAST_STEP] = h
    for n in range(g.strain.size):
        m.gap[n, FORCE] = m.stress[g.strain[n]]
    note_sizes(s, m.scales, m.x, m.v, m.a, m.stress)
    measure_ends(s, m)
    if m.count[IDLE] >= _MOST_IDLE:
        _pass_idle_events(m, now, h)
        return
    probe_step(s, m, h)
    first, here, gripping = 0.5 if together == BROKEN else NEVER, False, False
    for n in range(g.strain.size):
        place = _change(s, m, n, h, together)
        here = here or place == 1.0
        if place < first:
            first, m.count[CULPRIT] = place, n
    for i in range(m.grip.shape[0]):
        place = NEVER if together else change(s, m, i)
        gripping = gripping or place == 1.0
        if place < first:
            first, m.count[CULPRIT] = place, s.grips.start[i]
    m.count[FOUND] = EVENT_HERE if here else GRIP_HERE if gripping else NOTHING
    if first < NEVER and first > 1.0 and m.count[FOUND] == NOTHING and m.count[REDONE] < _MOST:
        m.count[REDONE] += 1
        m.count[FOUND] = AGAIN
        m.clock[GOAL] = now + first * h
    elif first >= 1.0:
        m.count[REDONE] = 0
    elif not _back(m, now, first, h):
        m.count[FOUND] = EVENT_HERE
        m.count[REDONE] = 0
        _leave_at_once(s, m, h)


@compiled
def handle_event(s: System, m: Memory, near: float) -> None:
    """Update the contacts at the end of a step: impact, beginning and end of contact, stick and slip."""
    s.shares.together[0] = 0
    # the outputs of a run that ends here are not all written: the next row is free
    before = m.switch_out[min(m.count[WRITTEN], m.switch_out.shape[0] - 1)]
    if m.count[WRITTEN] < m.switch_out.shape[0]:
        save_switches(s, before)
    for i in range(m.grip.shape[0]):
        m.stuck_before[i] = s.grips.sticks[i]
    for n in range(s.gaps.strain.size):
        m.shut_before[n] = 1 if s.gaps.phase[n] != OPEN else 0
    struck = s.gaps.strain.size > 0 and m.count[FOUND] != GRIP_HERE
    if struck:
        _strike(s, m, near)
    if m.count[STATUS] == BLOCKED:
        return
    if m.grip.shape[0]:
        if not update_sticking(s, m, struck) and not (strike_closed_contact(s, m) and update_sticking(s, m, False)):
            m.count[STATUS] = JAMMED
            # the last forces are those before the event: there are none after it
            restore_switches(s, before)
            return
        for i in range(m.grip.shape[0]):
            if s.grips.sticks[i] != m.stuck_before[i] and pressing_force(s, i, m.stress) > 0.0:
                add_row(m, m.clock[NOW], s.grips.start[i], STICK if s.grips.sticks[i] else SLIP)
    record_contact_changes(s, m)
    for i in range(m.work.size):
        m.power[i] = s.power[i]
    measure_gaps(s, m.v, m.a, m.gap)
    for n in range(s.gaps.strain.size):
        m.gap[n, FORCE] = m.stress[s.gaps.strain[n]]
    if m.event.shape[0]:
        watch(s, m, m.clock[NOW], m.x, m.v, m.event_before)


@compiled
def _strike(s: System, m: Memory, near: float) -> None:
    """Impacts, beginning and end of contact."""
    g = s.gaps
    release_all(s)
    for n in range(g.strain.size):
        g.touching[n] = -1 if m.leaving[n] else m.shut_before[n]
        m.leaving[n] = 0
    if not strike(s, m.scales, m.clock[NOW], m.x, m.v, m.a, m.stress, _rest(m), near, m.struck):
        m.count[STATUS] = BLOCKED
        return
    for i in range(m.work.size):
        m.work[i] += m.struck[i]
    record_impacts(s, m)


@compiled
def _part(s: System, m: Memory, n: int) -> None:
    """Open a gap that was closed without a force and now has a distance or a rate.

    In contacts that stick together, dependent rows have distances and rates of rounding size.
    """
    if s.gaps.phase[n] != OPEN and s.switches.on[n] == 0 and s.shares.together[0] == 0:
        none = negligible_rate(m.scales, n, m.gap[n, SECOND], m.clock[NOW])
        if m.gap[n, RATE] > 10.0 * none or m.gap[n, DISTANCE] > 10.0 * _least(m, n):
            s.gaps.phase[n] = OPEN
            add_row(m, m.clock[NOW], n, RELEASE)


@compiled
def finish_step(s: System, m: Memory) -> None:
    """Handle the event of an accepted step, and predict the next one."""
    if m.clock[GOAL] - m.clock[NOW] > 1e-14 * abs(m.clock[GOAL]):
        # a step that was not cut short
        m.clock[PACE] = max(m.clock[LAST_STEP], 0.9 * m.clock[PACE])
    if m.count[FOUND] != NOTHING and m.count[STATUS] == RUNNING:
        before = _signature(s, m)
        handle_event(s, m, near_gap(m.scales))
        m.count[IDLE] = m.count[IDLE] + 1 if _signature(s, m) == before else 0
    elif m.count[FOUND] == NOTHING:
        m.count[IDLE] = 0
    update_directions(s, m)
    for n in range(s.gaps.strain.size):
        _part(s, m, n)
        for i in range(m.gap.shape[1]):
            m.gap_before[n, i] = m.gap[n, i]
    foresee_event(s, m)
    if m.count[IMPACTS] + 3 * s.switches.on.size > m.impact.shape[0] and m.count[STATUS] == RUNNING:
        m.count[STATUS] = FULL
