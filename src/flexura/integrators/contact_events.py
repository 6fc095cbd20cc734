"""Contact along a run: steps that end where gaps close or contacts let go, and what happens there.

A step is looked into before it is accepted. Where a gap closes inside, or the force of a contact changes its sign, the
step is made again up to there, so that the state at an event has the accuracy of the method.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.integrators.dense_output import between, watch
from flexura.integrators.root_location import APART, NEVER, PARTING, RESTING, crossing, polynomial, quintic, rising
from flexura.integrators.run_memory import (
    AGAIN,
    BLOCKED,
    DENSE,
    END,
    EVENT_HERE,
    FOUND,
    FULL,
    GOAL,
    GRIP_HERE,
    HERMITE,
    IMPACTS,
    LAST_STEP,
    NEXT_STEP,
    NOTHING,
    NOW,
    PACE,
    REDONE,
    REST,
    RUNNING,
    STATUS,
    Memory,
)
from flexura.integrators.stick_slip_events import (
    change,
    follow,
    let_all_go,
    measure_ends,
    measure_grips,
    settle,
    time_to_rest,
)
from flexura.mechanics.contact.impact import (
    DISTANCE,
    INSTANT,
    RATE,
    SECOND,
    estimated_force,
    measure_gaps,
    nothing,
    strike,
)
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, drive
from flexura.mechanics.motion.sliding_friction import pressing_force

FORCE = 4
"""the column of the contact force in ``Memory.gap``, after those of ``Gaps.state``"""
IMPACT, CLOSING, RELEASE, STICK, SLIP = range(5)
"""kinds of the rows of ``Memory.impact``"""

NEAR = 1e-11
"""Distance, against the model's size, within which surfaces touch when others strike."""
_CLOSED = 1e-13
"""Relative gap at which the time of an impact counts as found."""
_LET_GO = 1e-12
"""Force, against the greatest of the contact, at which its end is found."""
_MOST = 20
"""Largest number of repetitions of a step."""


@compiled
def _shortest(m: Memory) -> float:
    """The shortest step that the time resolves."""
    return 1.5e-14 * (abs(m.clock[NOW]) + float(m.clock[LAST_STEP]))


@compiled
def _least(s: System, m: Memory, n: int) -> float:
    """The distance that is none: rounding of positions, and of the time."""
    rate = m.gap[n, RATE]
    rounding = 2.0 * _shortest(m) * abs(rate) if abs(rate) < math.inf else 0.0
    return float(_CLOSED * s.gaps.scale[n] + rounding)


@compiled
def _rest(m: Memory) -> float:
    """The time within which impacts come to rest."""
    return float(m.clock[REST] * max(m.clock[NEXT_STEP], m.clock[PACE]))


@compiled
def _starts(m: Memory, n: int, least: float) -> int:
    """Initial state of an open gap in a step."""
    distance, rate = m.gap_before[n, DISTANCE], m.gap_before[n, RATE]
    none = nothing(m.gap_before, n, INSTANT * _rest(m))
    if distance > 100.0 * least or rate < -none:
        return APART
    return PARTING if rate > none else RESTING


@compiled
def _fit(m: Memory, n: int, h: float) -> bool:
    """The polynomial of a gap over the last step; a line where it has no derivatives, in the middle of a bearing."""
    before, now, c = m.gap_before, m.gap, m.quintic
    quintic(
        h,
        before[n, DISTANCE],
        before[n, RATE],
        before[n, SECOND],
        now[n, DISTANCE],
        now[n, RATE],
        now[n, SECOND],
        c,
    )
    for i in range(c.size):
        if not abs(c[i]) < math.inf:
            c[0], c[1] = before[n, DISTANCE], now[n, DISTANCE] - before[n, DISTANCE]
            c[2] = c[3] = c[4] = c[5] = 0.0
            return False
    return True


@compiled
def _probe(s: System, m: Memory, h: float) -> None:
    """Gaps and forces inside the last step, from the interpolated state."""
    start, last = m.clock[NOW], m.probe.shape[1]
    shut = m.grip.shape[0]
    for n in range(s.gaps.strain.size):
        shut += s.switches.on[n]
    x, v, a = m.xs[-1], m.vs[-1], m.as_[-1]
    for k in range(last):
        theta = (k + 1.0) / (last + 1.0)
        between(m, theta, x, v)
        if shut:
            accelerate(s, start + theta * h, x, v, a, m.spare)
        else:
            drive(s, start + theta * h, x, v, a)
            call_level(s, s.shape, x, v)
        for n in range(s.gaps.strain.size):
            strain = s.gaps.strain[n]
            if s.switches.on[n]:
                m.probe[n, k] = m.spare[strain]
            elif shut:
                m.probe[n, k] = s.motion.out[s.slopes.strain[strain]]
            else:
                m.probe[n, k] = s.shape.out[s.shape_slopes.strain[strain]]
        if m.grip.shape[0]:
            measure_grips(s, v, m.spare, m.grip_probe, k)


@compiled
def _smooth(m: Memory, n: int) -> bool:
    """True if the polynomial of a gap represents it; otherwise the step is too long to be inspected."""
    last = m.probe.shape[1]
    largest = max(abs(m.gap_before[n, DISTANCE]), abs(m.gap[n, DISTANCE]))
    for k in range(last):
        largest = max(largest, abs(m.probe[n, k]))
    for k in range(last):
        value = m.probe[n, k]
        error = abs(polynomial(m.quintic, 0, (k + 1.0) / (last + 1.0)) - value)
        if error > 0.25 * abs(value) + 0.01 * largest:
            return False
    return True


@compiled
def _back(m: Memory, now: float, first: float, h: float) -> bool:
    """Make the step again up to a fraction of it, unless that is no step, or was tried too often."""
    m.count[REDONE] += 1
    goal = now + max(first * h, _shortest(m))
    if m.count[REDONE] > _MOST or not goal < now + h:
        return False
    m.count[FOUND] = AGAIN
    m.clock[GOAL] = goal
    return True


@compiled
def _end_of_contact(m: Memory, n: int) -> float:
    """Fraction of the step at which a contact force becomes tensile [Schwab2002 (5.29)]; 1 at its end."""
    m.leaving[n] = 1 if m.gap[n, FORCE] >= -_LET_GO * m.peak[n] else 0
    if abs(m.gap[n, FORCE]) <= _LET_GO * m.peak[n]:
        return 1.0
    return rising(m.gap_before[n, FORCE], m.probe[n], m.gap[n, FORCE], m.neville)


@compiled
def _closing(s: System, m: Memory, n: int, h: float) -> float:
    """Fraction of the step at which a gap closes: 1 at its end, to tolerance; one half if it cannot be determined."""
    m.leaving[n] = 0
    least, distance, rate = _least(s, m, n), m.gap[n, DISTANCE], m.gap[n, RATE]
    rough = _fit(m, n, h) and not _smooth(m, n) and m.count[REDONE] < _MOST // 2
    start = _starts(m, n, least)
    place: float = crossing(m.quintic, start, 10.0 * least)
    # a root just before the end is the same
    same = place == NEVER or (1.0 - place) * h * abs(rate) <= 4.0 * least
    if distance <= (-9.0 * least if start == RESTING else least) and not rate > 0.0 and same:
        return 1.0
    if rough and place > 0.5:
        m.clock[NEXT_STEP] = 0.5 * h
        return 0.5
    return min(place, 1.0 - 1e-15) if place < NEVER else NEVER


@compiled
def inspect_step(s: System, m: Memory, h: float) -> None:
    """Look into a step before it is accepted.

    ``count[FOUND]`` says whether an event ends it, or it is to be made again up to ``clock[GOAL]``.
    """
    g, now = s.gaps, m.clock[NOW]
    measure_gaps(s, m.v, m.a, m.gap)
    m.count[DENSE] = HERMITE
    m.clock[LAST_STEP] = h
    for n in range(g.strain.size):
        m.gap[n, FORCE] = m.stress[g.strain[n]]
        if s.switches.on[n]:
            m.peak[n] = max(m.peak[n], abs(m.gap[n, FORCE]))
    measure_ends(s, m)
    _probe(s, m, h)
    first, here, gripping = NEVER, False, False
    for n in range(g.strain.size):
        place = _end_of_contact(m, n) if s.switches.on[n] else _closing(s, m, n, h)
        here = here or place == 1.0
        first = min(first, place)
    for i in range(m.grip.shape[0]):
        place = change(s, m, i)
        gripping = gripping or place == 1.0
        first = min(first, place)
    m.count[FOUND] = EVENT_HERE if here else GRIP_HERE if gripping else NOTHING
    if first >= 1.0:
        m.count[REDONE] = 0
    elif not _back(m, now, first, h):
        m.count[FOUND] = EVENT_HERE
        m.count[REDONE] = 0


@compiled
def _foresee(s: System, m: Memory) -> None:
    """End the next step where the nearest gap will be closed, as far as the accelerations tell [Schwab2002 (5.25)]."""
    m.clock[GOAL] = m.clock[END]
    for n in range(s.gaps.strain.size):
        if s.switches.on[n]:
            continue
        distance, rate, second = m.gap_before[n, DISTANCE], m.gap_before[n, RATE], m.gap_before[n, SECOND]
        least = _least(s, m, n)
        left = math.inf
        if abs(distance) <= 100.0 * least:
            if rate > nothing(m.gap_before, n, INSTANT * _rest(m)) and second < 0.0:
                left = -2.0 * rate / second
        else:
            under = rate * rate - 2.0 * second * distance
            if under >= 0.0 and math.sqrt(under) - rate > 0.0:
                left = 2.0 * distance / (math.sqrt(under) - rate)
        _end_by(m, left)
    _end_by(m, time_to_rest(s, m))


@compiled
def _end_by(m: Memory, left: float) -> None:
    """End the next step in this time, if that is a step."""
    goal = m.clock[NOW] + left
    if _shortest(m) < left < m.clock[NEXT_STEP] and goal < m.clock[GOAL]:
        m.clock[GOAL] = goal


@compiled
def _tell(m: Memory, time: float, n: int, what: int) -> int:
    """A new row of the table of impacts."""
    row = m.count[IMPACTS]
    m.impact[row, 0], m.impact[row, 1], m.impact[row, 2] = time, n, what
    for i in range(3, m.impact.shape[1]):
        m.impact[row, i] = 0.0
    m.count[IMPACTS] = row + 1
    return int(row)


@compiled
def _record(s: System, m: Memory) -> None:
    """Record an impact, and the contacts that it began or ended."""
    g, t = s.gaps, m.clock[NOW]
    for n in range(g.strain.size):
        if g.touching[n] and g.impulse[n] > 0.0:
            row = _tell(m, t, n, IMPACT)
            m.impact[row, 3] = g.impulse[n]
            m.impact[row, 4] = -g.approach[n]
            m.impact[row, 5] = 1.0 / g.admittance[n, n]
            m.impact[row, 6] = estimated_force(s, n)
            m.impact[row, 7] = -0.5 * g.impulse[n] * (g.approach[n] + g.state[n, RATE])
        if s.switches.on[n] and not m.shut_before[n]:
            _tell(m, t + g.wait[n], n, CLOSING)
            m.peak[n] = 0.0
        elif m.shut_before[n] and not s.switches.on[n]:
            _tell(m, t, n, RELEASE)


@compiled
def handle_event(s: System, m: Memory, near: float) -> None:
    """Handle the events at the end of a step: impacts, beginning and end of contact."""
    for i in range(m.grip.shape[0]):
        m.stuck_before[i] = s.grips.sticks[i]
    if s.gaps.strain.size and m.count[FOUND] != GRIP_HERE:
        _strike(s, m, near)
    if m.count[STATUS] == BLOCKED:
        return
    if m.grip.shape[0]:
        settle(s, m)
        for i in range(m.grip.shape[0]):
            if s.grips.sticks[i] != m.stuck_before[i] and pressing_force(s, i, m.stress) > 0.0:
                _tell(m, m.clock[NOW], s.grips.start[i], STICK if s.grips.sticks[i] else SLIP)
    for i in range(m.work.size):
        m.power[i] = s.power[i]
    measure_gaps(s, m.v, m.a, m.gap)
    for n in range(s.gaps.strain.size):
        m.gap[n, FORCE] = m.stress[s.gaps.strain[n]]
    if m.event.shape[0]:
        watch(s, m, m.clock[NOW], m.x, m.v, m.event_before)
    if m.count[IMPACTS] + 2 * s.switches.on.size > m.impact.shape[0] and m.count[STATUS] == RUNNING:
        m.count[STATUS] = FULL


@compiled
def _strike(s: System, m: Memory, near: float) -> None:
    """Impact, contact that begins, contact that ends."""
    g = s.gaps
    let_all_go(s)
    for n in range(g.strain.size):
        m.shut_before[n] = s.switches.on[n]
        g.touching[n] = -1 if m.leaving[n] else s.switches.on[n]
        m.leaving[n] = 0
    if not strike(s, m.clock[NOW], m.x, m.v, m.a, m.stress, _rest(m), near, m.struck):
        m.count[STATUS] = BLOCKED
        return
    for i in range(m.work.size):
        m.work[i] += m.struck[i]
    _record(s, m)


@compiled
def finish_step(s: System, m: Memory) -> None:
    """After an accepted step: what its event brings, and where the next may end."""
    if m.clock[GOAL] - m.clock[NOW] > 1e-14 * abs(m.clock[GOAL]):
        # a step that nothing cut short
        m.clock[PACE] = max(m.clock[LAST_STEP], 0.9 * m.clock[PACE])
    if m.count[FOUND] != NOTHING and m.count[STATUS] == RUNNING:
        handle_event(s, m, NEAR)
    follow(s, m)
    for n in range(s.gaps.strain.size):
        for i in range(m.gap.shape[1]):
            m.gap_before[n, i] = m.gap[n, i]
    _foresee(s, m)
