"""Contacts with force laws: steps end where a gap closes, and where the surfaces no longer press or separate.

A contact law has a kink there. During a step of an explicit method a contact is held on its initial branch, open
or pressed, so that the step is smooth and its dense output locates the kink. The step is repeated up to it, and
the next one begins on the other branch, with its accelerations. The approach velocity that an element
stores is taken at the touch. Implicit methods do not hold branches, and end their steps where gaps open and close.
"""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats
from flexura.integrators.dense_output import between
from flexura.integrators.run_memory import (
    AGAIN,
    ANEW,
    CULPRIT,
    DENSE,
    FIXED,
    FOUND,
    GOAL,
    HERMITE,
    LAST_STEP,
    NEXT_STEP,
    NOTHING,
    NOW,
    STIFF,
    Memory,
)
from flexura.mechanics.contact.contact_scales import LAW_TOUCH, LENGTH, negligible_time
from flexura.mechanics.contact.held_contacts import AS_IT_IS, OPEN, PRESSED, held_branch, hold_branch, release_holds
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, drive, stresses, track

_ROUNDS = 40
_NO_FORCE = 1e-8
"""Force of a contact, relative to its largest, below which it no longer presses."""
_MARGIN = 0.02
"""Gap, relative to the larger one at the ends of a step, within which a cubic may miss a touch inside."""

_FASTER = 1.5
"""Upper bound of the rate of a gap within a step, relative to the larger one at its ends."""
_OPENING = 0.8
"""Lower bound of the change of a gap that only opens, relative to that by its mean rate at both ends."""
_SHORTER, _CLEARLY = 0.1, 10.0
"""Factor of the repeated step if a step passes over a whole contact; overlap, relative to the distance from a
touch at which a step ends, that exceeds rounding."""
_HALVINGS = 10
"""Bisections of a step in the search for a gap that closes and opens again, as at a thin plate."""

BEFORE, AFTER, LARGEST, RATE_BEFORE, RATE = range(5)
"""columns of ``Memory.touch_push``: forces, and rates of open gaps"""


@compiled
def _gap(s: System, n: int) -> float:
    """Gap at the last call of the strain level."""
    return s.shape.out[s.shape_slopes.strain[s.touch.strain[n]]]


@compiled
def _near(m: Memory) -> float:
    """Distance from a touch at which a step ends."""
    return LAW_TOUCH * m.scales.run[LENGTH]


@compiled
def note_open_gaps(s: System, m: Memory) -> None:
    """Note which gaps are open at the start, and update the tracked numbers of elements."""
    release_holds(s)
    call_level(s, s.shape, m.x, m.v)
    for n in range(s.touch.strain.size):
        m.touch_side[n] = -1 if _gap(s, n) < 0.0 else 1
        m.touch_push[n, BEFORE] = m.touch_push[n, LARGEST] = max(-m.stress[s.touch.strain[n]], 0.0)
        m.touch_push[n, RATE_BEFORE] = _rate(s, n, m.v)
        if m.count[STIFF] == 0 and _gap(s, n) > _near(m):
            hold_branch(s, n, OPEN)
    track(s, m.x, m.v)


@compiled
def _rate(s: System, n: int, v: Floats) -> float:
    """Rate of a gap at the last call of the strain level."""
    slopes, k, rate = s.shape_slopes, s.touch.strain[n], 0.0
    for e in range(slopes.start[k], slopes.start[k + 1]):
        rate += s.shape.out[slopes.source[e]] * v[slopes.column[e]]
    return rate


@compiled
def _dip(h: float, g0: float, u0: float, g1: float, u1: float) -> float:
    """Fraction of a step at the minimum of the cubic through gaps and rates at both ends; zero if it is positive.

    A nearly vanishing minimum counts too: the state there decides.
    """
    b, c = 3.0 * (g1 - g0) - h * (2.0 * u0 + u1), h * (u0 + u1) - 2.0 * (g1 - g0)
    root = math.sqrt(max(b * b - 3.0 * c * h * u0, 0.0))
    theta = -h * u0 / (b + root) if b >= 0.0 else (root - b) / (3.0 * c)
    return theta if g0 + theta * (h * u0 + theta * (b + theta * c)) < _MARGIN * max(g0, g1) else 0.0


@compiled
def _pulls(s: System, m: Memory, n: int) -> bool:
    """True if surfaces that are held pressed would be in tension at the end of a step."""
    if s.touch.by_force[n] == 0 or held_branch(s, n) != PRESSED:
        return False
    return bool(m.touch_push[n, AFTER] < -_NO_FORCE * m.touch_push[n, LARGEST])


@compiled
def _passes(s: System, m: Memory, n: int) -> bool:
    """True if a gap changes its sign in a step; a gap that opens without a force has no kink."""
    if m.touch_gap[n] * m.touch_side[n] >= 0.0:
        return False
    loose = s.touch.by_force[n] == 1 and held_branch(s, n) == AS_IT_IS and m.count[STIFF] == 0
    return not (loose and m.touch_side[n] < 0 and m.touch_push[n, BEFORE] == m.touch_push[n, AFTER] == 0.0)


@compiled
def _inside(s: System, m: Memory, n: int, theta: float, h: float, by_force: bool) -> float:
    """Event function inside a step: distance from the ending distance of a touch, or pressing force."""
    x, v = m.xs[-1], m.vs[-1]
    between(m, theta, x, v)
    drive(s, m.clock[NOW] + theta * h, x, v, m.as_[-1])
    if by_force:
        call_level(s, s.motion, x, v)
        stresses(s, x, v, m.spare)
        return float(-m.spare[s.touch.strain[n]])
    call_level(s, s.shape, x, v)
    return float(_gap(s, n) * m.touch_side[n] - 0.5 * _near(m))


@compiled
def _closed_within(s: System, m: Memory, n: int, h: float, g0: float, g1: float, speed: float) -> float:
    """Fraction of a step at which a gap that is open at both ends is closed; zero if there is none.

    Parts of the step are bisected until the distance travelled at this speed is less than the gaps at their ends.
    """
    ends, gaps = np.empty(_HALVINGS + 2), np.empty(_HALVINGS + 2)
    low, ends[0], gaps[0], top = 0.0, 1.0, g1, 0
    while top >= 0:
        high = ends[top]
        if g0 + gaps[top] >= _FASTER * speed * h * (high - low) or top > _HALVINGS:
            low, g0, top = high, gaps[top], top - 1
            continue
        theta = 0.5 * (low + high)
        gap = _inside(s, m, n, theta, h, False) + 0.5 * _near(m)
        if gap < 0.0:
            return theta
        top += 1
        ends[top], gaps[top] = theta, gap
    return 0.0


@compiled
def _find_dips(s: System, m: Memory, h: float) -> bool:
    """True if a gap closes and opens again within a step, by its values at both ends and at states between them."""
    found = False
    m.count[DENSE] = HERMITE
    m.clock[LAST_STEP] = h
    for n in range(s.touch.strain.size):
        if m.touch_bound[n] < 0.0:
            call_level(s, s.shape, m.x0, m.v0)
            g0, u0, g1, u1 = _gap(s, n), _rate(s, n, m.v0), m.touch_gap[n], m.touch_push[n, RATE]
            theta = _dip(h, g0, u0, g1, u1) if u0 < 0.0 else 0.0
            confirmed = theta > 0.0 and _inside(s, m, n, theta, h, False) < -0.5 * _near(m)
            if not confirmed and (u0 < 0.0 or g1 - g0 < _OPENING * 0.5 * h * (u0 + u1)):
                theta = _closed_within(s, m, n, h, g0, g1, max(abs(u0), u1))
            elif not confirmed:
                theta = 0.0
            m.touch_bound[n] = theta
            found = found or m.touch_bound[n] > 0.0
    return found


@compiled
def _may_dip(s: System, m: Memory, n: int, h: float) -> bool:
    """True if an open gap, by its rates, may have closed and opened again within a step."""
    rate = _rate(s, n, m.v)
    m.touch_push[n, RATE] = rate
    return bool(rate > 0.0 and m.touch_gap[n] < _FASTER * h * max(rate, abs(m.touch_push[n, RATE_BEFORE])))


@compiled
def find_touch(s: System, m: Memory, h: float) -> None:
    """Inspect a step before it is accepted: ``count[FOUND]`` is AGAIN if it must end at ``clock[GOAL]``.

    A step ends just before the touch, at the distance at which surfaces count as touching.
    """
    m.count[FOUND] = NOTHING
    call_level(s, s.shape, m.x, m.v)
    crossed = grazes = False
    for n in range(s.touch.strain.size):
        m.touch_gap[n], m.touch_push[n, AFTER] = _gap(s, n), -m.stress[s.touch.strain[n]]
        m.touch_bound[n] = 1.0 if _passes(s, m, n) or _pulls(s, m, n) else 0.0
        if m.touch_bound[n] == 0.0 and held_branch(s, n) == OPEN:
            m.touch_bound[n] = -1.0 if _may_dip(s, m, n, h) else 0.0
        elif m.touch_bound[n] == 0.0 and held_branch(s, n) == PRESSED and s.touch.by_force[n]:
            before, after = m.touch_push[n, BEFORE], m.touch_push[n, AFTER]
            m.touch_bound[n] = 0.5 if min(before, after) < abs(after - before) else 0.0
        crossed, grazes = crossed or m.touch_bound[n] > 0.0, grazes or m.touch_bound[n] < 0.0
    crossed = (grazes and _find_dips(s, m, h)) or crossed
    if not (crossed or grazes):
        return
    part = _first(s, m, h) if crossed else 1.0
    if part < 1.0 or m.count[FOUND] == AGAIN:
        m.count[FOUND] = AGAIN
        m.clock[GOAL] = m.clock[NOW] + part * h
        if m.clock[FIXED] == 0.0 and m.count[STIFF]:
            m.clock[NEXT_STEP] = part * h
    elif m.count[STIFF] == 0:
        # the step is accepted: the system returns to its state at the end
        accelerate(s, m.clock[NOW] + h, m.x, m.v, m.a, m.stress)


@compiled
def update_branches(s: System, m: Memory) -> None:
    """Choose the branch of each contact after a step by the rate of its gap, and hold it."""
    near, changed, called = _near(m), False, False
    for n in range(s.touch.strain.size):
        before, push, hold = m.touch_push[n, BEFORE], m.touch_push[n, AFTER], held_branch(s, n)
        m.touch_push[n, BEFORE], m.touch_push[n, LARGEST] = push, max(m.touch_push[n, LARGEST], push)
        none = _NO_FORCE * m.touch_push[n, LARGEST]
        m.touch_push[n, RATE_BEFORE] = m.touch_push[n, RATE] if hold == OPEN else math.inf
        if m.touch_gap[n] * m.touch_side[n] <= near:
            if not called:
                call_level(s, s.shape, m.x, m.v)
            called = True
            side = -1 if _rate(s, n, m.v) < 0.0 else 1
            if side != m.touch_side[n]:
                m.touch_side[n] = side
                m.count[ANEW] = 1
                if m.count[STIFF] == 0:
                    hold_branch(s, n, PRESSED if side < 0 else OPEN)
                    changed = True
        elif m.count[STIFF]:
            continue
        elif hold == PRESSED and s.touch.by_force[n] and push <= none and push <= before:
            hold_branch(s, n, AS_IT_IS)
            m.count[ANEW] = 1
            changed = True
        elif hold == AS_IT_IS and m.touch_side[n] > 0:
            hold_branch(s, n, OPEN)
        elif hold == AS_IT_IS and (s.touch.by_force[n] == 0 or push > none):
            hold_branch(s, n, PRESSED)
    if changed:
        accelerate(s, m.clock[NOW], m.x, m.v, m.a, m.stress)
        copy(m.power, s.power)
        for n in range(s.touch.strain.size):
            m.touch_push[n, BEFORE] = -m.stress[s.touch.strain[n]]


@compiled
def _root(s: System, m: Memory, n: int, h: float, by_force: bool, f_low: float, f_high: float, none: float) -> float:
    """Fraction of the step at a kink, by the Illinois algorithm on the quintic through both ends."""
    low, high, theta = 0.0, m.touch_bound[n], 1.0
    for _ in range(_ROUNDS):
        theta = (low * f_high - high * f_low) / (f_high - f_low)
        f = _inside(s, m, n, theta, h, by_force)
        if abs(f) <= 0.2 * none or high - low < 1e-14:
            break
        if f < 0.0:
            high, f_high, f_low = theta, f, 0.5 * f_low
        else:
            low, f_low, f_high = theta, f, 0.5 * f_high
    return theta


@compiled
def _enters(s: System, m: Memory, n: int, h: float, by_force: bool) -> bool:
    """True if surfaces that touch at the start of a step, by the last call of the strain level, then press.

    A step after which they are apart again is longer than the whole contact.
    """
    return not by_force and m.touch_side[n] < 0 and _rate(s, n, m.v0) * h < -_CLEARLY * _near(m)


@compiled
def _first(s: System, m: Memory, h: float) -> float:
    """Fraction of the step at the first kink.

    A contact that is at its kink at the start is released, and the whole step is repeated.
    """
    m.count[DENSE] = HERMITE
    m.clock[LAST_STEP] = h
    part, again = 1.0, False
    for n in range(s.touch.strain.size):
        if m.touch_bound[n] <= 0.0:
            continue
        by_force = s.touch.by_force[n] == 1 and held_branch(s, n) == PRESSED
        by_force = by_force and not (m.touch_bound[n] == 1.0 and not _pulls(s, m, n))
        if by_force:
            none = _NO_FORCE * m.touch_push[n, LARGEST]
            f_low, f_high = m.touch_push[n, BEFORE], m.touch_push[n, AFTER]
        else:
            call_level(s, s.shape, m.x0, m.v0)
            none = 0.5 * _near(m)
            f_low, f_high = _gap(s, n) * m.touch_side[n] - none, m.touch_gap[n] * m.touch_side[n] - none
        if m.touch_bound[n] < 1.0:
            f_high = _inside(s, m, n, m.touch_bound[n], h, by_force)
            if f_high >= -none:
                continue
        if f_low <= none and _enters(s, m, n, h, by_force):
            theta = _SHORTER
        elif f_low <= none:
            # a touching contact has moved in the other direction
            again = again or held_branch(s, n) != AS_IT_IS
            hold_branch(s, n, AS_IT_IS)
            continue
        else:
            theta = _root(s, m, n, h, by_force, f_low, f_high, none)
        if theta < part:
            part, m.count[CULPRIT] = theta, -2 - n
    if again:
        accelerate(s, m.clock[NOW], m.x0, m.v0, m.a0, m.stress0)
        for n in range(s.touch.strain.size):
            m.touch_push[n, BEFORE] = -m.stress0[s.touch.strain[n]]
        m.count[FOUND] = AGAIN
        return 1.0
    # negligible steps would never end
    return part if part * h > negligible_time(m.scales, m.clock[NOW]) else 1.0
