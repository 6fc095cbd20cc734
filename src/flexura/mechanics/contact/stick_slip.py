"""Stick–slip transitions."""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, close_velocity
from flexura.mechanics.motion.sliding_friction import STICKING, pressing_force, slip_rate

_DEPENDENT = 1e-9
"""Relative compliance of a slip that others already hold."""
_OVER = 1e-12
"""Relative excess of friction over its limit that counts as rounding."""
_REST = 1e-9
"""The slip, against its size, that is none."""


@compiled
def held_by(s: System, i: int, stress: Floats) -> float:
    """The force with which a grip holds."""
    total = 0.0
    for n in range(s.grips.start[i], s.grips.start[i + 1]):
        total += stress[s.switches.strain[n]] ** 2
    return math.sqrt(total)


@compiled
def most(s: System, i: int, stress: Floats) -> float:
    """The force with which it can hold."""
    return float(s.grips.mu[i, STICKING] * pressing_force(s, i, stress))


@compiled
def speed(s: System, i: int, v: Floats) -> tuple[float, float]:
    """The slip of a grip, and the size of what it is made of."""
    total = size = 0.0
    for n in range(s.grips.start[i], s.grips.start[i + 1]):
        rate, parts = slip_rate(s, n, v)
        total += rate * rate
        size += parts
    return math.sqrt(total), size


@compiled
def no_slip(s: System, i: int, size: float) -> float:
    """The slip of a grip that is none, against this size."""
    return float(s.grips.still[i] + _REST * size)


@compiled
def let_go(s: System, i: int) -> None:
    """From now on a grip slides."""
    s.grips.sticks[i] = 0
    for n in range(s.grips.start[i], s.grips.start[i + 1]):
        s.switches.on[n] = 0


@compiled
def head_for(s: System, i: int, v: Floats) -> None:
    """Slide the way that the slip has; without any, as before."""
    total = speed(s, i, v)[0]
    if total > 0.0:
        for n in range(s.grips.start[i], s.grips.start[i + 1]):
            s.grips.direction[i, n - s.grips.start[i]] = slip_rate(s, n, v)[0] / total


@compiled
def _give_way(s: System, i: int, stress: Floats) -> None:
    """Release a contact, which begins to slide against its force."""
    total = held_by(s, i, stress)
    for n in range(s.grips.start[i], s.grips.start[i + 1]):
        s.grips.direction[i, n - s.grips.start[i]] = stress[s.switches.strain[n]] / total if total > 0.0 else 0.0
    let_go(s, i)


@compiled
def _ease(s: System, i: int, n: int) -> float:
    """Compliance of a slip under a unit force, with the current constraints."""
    g, out, slopes, k = s.grips, s.motion.out, s.slopes, s.switches.strain[n]
    clear(g.response[i])
    for e in range(slopes.start[k], slopes.start[k + 1]):
        if slopes.target[e] >= 0:
            g.response[i, slopes.target[e]] += out[slopes.source[e]]
    solve(s.factors, g.response[i])
    total = 0.0
    for e in range(slopes.start[k], slopes.start[k + 1]):
        if slopes.target[e] >= 0:
            total += out[slopes.source[e]] * g.response[i, slopes.target[e]]
    return total


@compiled
def _take_hold(s: System, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Hold the slips of all that sticks, one after the other; those that others hold already are left out."""
    g = s.grips
    first = g.start[0]
    for n in range(first, s.switches.on.size):
        s.switches.on[n] = 0
    accelerate(s, t, x, v, a, stress)
    for i in range(g.sticks.size):
        for n in range(g.start[i], g.start[i + 1]):
            g.ease[n - first] = _ease(s, i, n) if g.sticks[i] else 0.0
    for i in range(g.sticks.size):
        for n in range(g.start[i], g.start[i + 1]):
            if g.sticks[i] and _ease(s, i, n) > _DEPENDENT * g.ease[n - first]:
                s.switches.on[n] = 1
                accelerate(s, t, x, v, a, stress)


@compiled
def _overcome(s: System, stress: Floats) -> int:
    """The one that sticks and is overcome most; -1 where none is."""
    worst, which = 0.0, -1
    for i in range(s.grips.sticks.size):
        if s.grips.sticks[i]:
            needed, can = held_by(s, i, stress), most(s, i, stress)
            if needed - can > _OVER * (needed + can) and needed - can > worst:
                worst, which = needed - can, i
    return which


@compiled
def grip(s: System, t: float, x: Floats, v: Floats, a: Floats, stress: Floats, leaving: Ints, largest: Floats) -> None:
    """Decide anew at a state, which ends evaluated.

    What sticks goes on doing so, unless it is ``leaving``; what slides comes to rest where its slip is none, against
    the ``largest`` that it had. Then those that are overcome give way, the worst first.
    """
    g = s.grips
    count = g.sticks.size
    accelerate(s, t, x, v, a, stress)
    for i in range(count):
        if g.sticks[i] and leaving[i]:
            _give_way(s, i, stress)
        elif not g.sticks[i]:
            pace, parts = speed(s, i, v)
            if pace <= no_slip(s, i, max(parts, largest[i])):
                g.sticks[i] = 1
            else:
                head_for(s, i, v)
    _take_hold(s, t, x, v, a, stress)
    for _ in range(2):
        close_velocity(s, s.motion.out, s.slopes, v)
    accelerate(s, t, x, v, a, stress)
    for _ in range(count):
        which = _overcome(s, stress)
        if which < 0:
            return
        _give_way(s, which, stress)
        _take_hold(s, t, x, v, a, stress)
