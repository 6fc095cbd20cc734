"""Stick–slip transitions: the choice of sticking rows at a state where it may change."""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats, Ints
from flexura.mechanics.contact.contact_scales import (
    ContactScales,
    negligible_energy,
    negligible_force,
    negligible_mobility,
    rounded_slip,
    slip_at_rest,
)
from flexura.mechanics.contact.contact_sizes import note_mobilities, note_sizes
from flexura.mechanics.contact.row_mobility import felt_along, respond_along
from flexura.mechanics.contact.stick_slip_forces import friction_force, static_limit
from flexura.mechanics.core.strain_rates import second_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.projection import close_velocity
from flexura.mechanics.motion.sliding_friction import pressing_force, slip_rate

_OVER = 1e-12
"""Excess of friction over its limit that is rounding."""
_STEADY = 1e-9
"""Change of a slip, against its parts, that is none."""


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
def is_pressed(s: System, c: ContactScales, i: int, stress: Floats) -> bool:
    """True where a force presses the surfaces of a grip together: others have no friction, and cannot stick."""
    return bool(pressing_force(s, i, stress) > negligible_force(c, s.grips.start[i]))


@compiled
def let_go(s: System, i: int) -> None:
    """Let a grip slide from now on."""
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
def _give_way(s: System, i: int, v: Floats, stress: Floats) -> None:
    """Let a grip that holds no longer begin to slide against its force; without any, the way it slides."""
    total = friction_force(s, i, stress)
    if total > 0.0:
        for n in range(s.grips.start[i], s.grips.start[i + 1]):
            s.grips.direction[i, n - s.grips.start[i]] = stress[s.switches.strain[n]] / total
    else:
        head_for(s, i, v)
    let_go(s, i)


@compiled
def _compliance(s: System, i: int, n: int) -> float:
    """Mobility of a slip with the rows that are held now."""
    g, k = s.grips, s.switches.strain[n]
    respond_along(s, k, g.response[i])
    return float(felt_along(s, k, g.response[i]))


@compiled
def _turn(s: System, i: int, a: Floats) -> bool:
    """Let a grip slide the way that its slip is about to grow; false where it does not."""
    g = s.grips
    out, slopes = s.motion.out, s.slopes
    total = size = 0.0
    for n in range(g.start[i], g.start[i + 1]):
        k = s.switches.strain[n]
        total += second_of(s, k, a) ** 2
        size += abs(out[slopes.convection[k]])
        for e in range(slopes.start[k], slopes.start[k + 1]):
            size += abs(out[slopes.source[e]] * a[slopes.column[e]])
    total = math.sqrt(total)
    if total <= _STEADY * size:
        return False
    for n in range(g.start[i], g.start[i + 1]):
        g.direction[i, n - g.start[i]] = second_of(s, s.switches.strain[n], a) / total
    let_go(s, i)
    return True


@compiled
def _holds(s: System, c: ContactScales, i: int, n: int, v: Floats) -> bool:
    """True where a row can hold a slip: it moves, and stopping it takes next to no kinetic energy."""
    compliance, rate = _compliance(s, i, n), slip_rate(s, n, v)[0]
    if not compliance > negligible_mobility(c, n):
        return False
    return bool(abs(rate) <= rounded_slip(c) or 0.5 * rate * rate <= compliance * negligible_energy(c))


@compiled
def _take_hold(s: System, c: ContactScales, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Hold the slips of all that sticks, one after the other.

    A slip that others hold already is left out. One that nothing can hold, because the constraints leave no motion
    along it, goes on sliding the way that the machine takes it.
    """
    g = s.grips
    first = g.start[0]
    for n in range(first, s.switches.on.size):
        s.switches.on[n] = 0
    accelerate(s, t, x, v, a, stress)
    for i in range(g.sticks.size):
        free = False
        for n in range(g.start[i], g.start[i + 1]):
            free = free or (g.sticks[i] == 1 and _holds(s, c, i, n, v))
        if g.sticks[i] and not free:
            _turn(s, i, a)
    for i in range(g.sticks.size):
        for n in range(g.start[i], g.start[i + 1]):
            if g.sticks[i] and _holds(s, c, i, n, v):
                s.switches.on[n] = 1
                accelerate(s, t, x, v, a, stress)
    for _ in range(2):
        close_velocity(s, s.motion.out, s.slopes, v)
    accelerate(s, t, x, v, a, stress)


@compiled
def _overcome(s: System, stress: Floats) -> int:
    """The grip that is overcome most of those that stick; -1 where none is."""
    worst, which = 0.0, -1
    for i in range(s.grips.sticks.size):
        if s.grips.sticks[i]:
            needed, can = friction_force(s, i, stress), static_limit(s, i, stress)
            if needed - can > _OVER * (needed + can) and needed - can > worst:
                worst, which = needed - can, i
    return which


@compiled
def grip(
    s: System,
    c: ContactScales,
    t: float,
    x: Floats,
    v: Floats,
    a: Floats,
    stress: Floats,
    leaving: Ints,
    fastest: Floats,
    before: Floats,
) -> None:
    """Choose the grips that stick, at a state, which ends evaluated.

    Grips that stick go on doing so, unless they are ``leaving`` or nothing presses them; those that slide come to rest
    where their slip is none, against the ``fastest`` rate. Then those that are overcome give way, the worst first, with
    the rates ``before`` any was stopped.
    """
    g = s.grips
    count = g.sticks.size
    accelerate(s, t, x, v, a, stress)
    note_sizes(s, c, x, v, a, stress)
    note_mobilities(s, c)
    for i in range(count):
        if g.sticks[i] and leaving[i]:
            _give_way(s, i, v, stress)
        elif not is_pressed(s, c, i, stress):
            let_go(s, i)
            head_for(s, i, v)
        elif not g.sticks[i]:
            if g.creep[i, 0] == 0.0 and speed(s, i, v)[0] <= slip_at_rest(c, g.start[i], fastest[i], g.still[i]):
                g.sticks[i] = 1
            else:
                head_for(s, i, v)
    copy(before, v)
    _take_hold(s, c, t, x, v, a, stress)
    for _ in range(count):
        which = _overcome(s, stress)
        if which < 0:
            return
        _give_way(s, which, v, stress)
        copy(v, before)
        _take_hold(s, c, t, x, v, a, stress)
