"""Touches across which a contact law acts: steps end where a gap opens or closes.

A law of contact has a kink at the touch. A step that ends on it keeps its order on either side, and the velocity of
approach that an element remembers is taken at the touch.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
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
    Memory,
)
from flexura.mechanics.contact.contact_scales import LAW_TOUCH, LENGTH, negligible_time
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive, track

_ROUNDS = 40


@compiled
def _gap(s: System, n: int) -> float:
    """A gap at the last call of the strain level."""
    return s.shape.out[s.shape_slopes.strain[s.touch.strain[n]]]


@compiled
def take_sides(s: System, m: Memory) -> None:
    """Note which gaps are open at the start, and renew the numbers that elements remember."""
    call_level(s, s.shape, m.x, m.v)
    for n in range(s.touch.strain.size):
        m.touch_side[n] = -1 if _gap(s, n) < 0.0 else 1
    track(s, m.x, m.v)


@compiled
def find_touch(s: System, m: Memory, h: float) -> None:
    """Look into a step before it is accepted: ``count[FOUND]`` is AGAIN where it must end at ``clock[GOAL]``.

    A step ends just before the touch, as near to it as surfaces are when they touch.
    """
    m.count[FOUND] = NOTHING
    call_level(s, s.shape, m.x, m.v)
    crossed = False
    for n in range(s.touch.strain.size):
        m.touch_gap[n] = _gap(s, n)
        crossed = crossed or m.touch_gap[n] * m.touch_side[n] < 0.0
    part = _first(s, m, h) if crossed else 1.0
    if part < 1.0:
        m.count[FOUND] = AGAIN
        m.clock[GOAL] = m.clock[NOW] + part * h
        if m.clock[FIXED] == 0.0:
            m.clock[NEXT_STEP] = part * h


@compiled
def change_sides(s: System, m: Memory) -> None:
    """Decide after a step on which side a gap at the touch continues, by its rate."""
    slopes, called = s.shape_slopes, False
    for n in range(s.touch.strain.size):
        if m.touch_gap[n] * m.touch_side[n] <= LAW_TOUCH * m.scales.run[LENGTH]:
            if not called:
                call_level(s, s.shape, m.x, m.v)
            called = True
            k, rate = s.touch.strain[n], 0.0
            for e in range(slopes.start[k], slopes.start[k + 1]):
                rate += s.shape.out[slopes.source[e]] * m.v[slopes.column[e]]
            side = -1 if rate < 0.0 else 1
            if side != m.touch_side[n]:
                m.touch_side[n] = side
                m.count[ANEW] = 1


@compiled
def _first(s: System, m: Memory, h: float) -> float:
    """Fraction of the step at the first touch, by regula falsi of Illinois on the quintic through both ends."""
    m.count[DENSE] = HERMITE
    m.clock[LAST_STEP] = h
    x, v, near, part = m.xs[0], m.vs[0], LAW_TOUCH * m.scales.run[LENGTH], 1.0
    for n in range(s.touch.strain.size):
        if m.touch_gap[n] * m.touch_side[n] >= 0.0:
            continue
        call_level(s, s.shape, m.x0, m.v0)
        low, high, f_low = 0.0, 1.0, _gap(s, n) * m.touch_side[n] - 0.5 * near
        # what stood on the touch has gone the other way after all, and its step may stand
        if f_low <= 0.5 * near:
            continue
        f_high = m.touch_gap[n] * m.touch_side[n] - 0.5 * near
        theta = 1.0
        for _ in range(_ROUNDS):
            theta = (low * f_high - high * f_low) / (f_high - f_low)
            between(m, theta, x, v)
            drive(s, m.clock[NOW] + theta * h, x, v, m.as_[0])
            call_level(s, s.shape, x, v)
            f = _gap(s, n) * m.touch_side[n] - 0.5 * near
            if abs(f) <= 0.1 * near or high - low < 1e-14:
                break
            if f < 0.0:
                high, f_high, f_low = theta, f, 0.5 * f_low
            else:
                low, f_low, f_high = theta, f, 0.5 * f_high
        if theta < part:
            part, m.count[CULPRIT] = theta, -2 - n
    # a step that can hardly be told from none would never end
    return part if part * h > negligible_time(m.scales, m.clock[NOW]) else 1.0
