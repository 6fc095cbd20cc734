"""Stick–slip transitions: choice of the sticking contacts at a state where it may change."""

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
from flexura.mechanics.contact.row_mobility import rate_along_row, solve_row_response
from flexura.mechanics.contact.stick_slip_forces import friction_force, static_limit
from flexura.mechanics.core.strain_rates import second_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.projection import close_velocity
from flexura.mechanics.motion.sliding_friction import pressing_force, slip_rate

_OVER = 1e-12
"""Relative excess of friction over its limit that is rounding."""
_STEADY = 1e-9
"""Change of a slip, relative to its terms, that counts as zero."""


@compiled
def speed(s: System, i: int, v: Floats) -> tuple[float, float]:
    """Slip of a frictional contact, and the sum of its absolute terms."""
    total = size = 0.0
    for n in range(s.grips.start[i], s.grips.start[i + 1]):
        rate, parts = slip_rate(s, n, v)
        total += rate * rate
        size += parts
    return math.sqrt(total), size


@compiled
def is_pressed(s: System, c: ContactScales, i: int, stress: Floats) -> bool:
    """True if a normal force acts on a frictional contact; without one it has no friction and cannot stick."""
    return bool(pressing_force(s, i, stress) > negligible_force(c, s.grips.start[i]))


@compiled
def release(s: System, i: int) -> None:
    """Release a sticking contact, and deactivate its rows."""
    s.grips.sticks[i] = 0
    for n in range(s.grips.start[i], s.grips.start[i + 1]):
        s.switches.on[n] = 0


@compiled
def set_direction(s: System, i: int, v: Floats) -> None:
    """Set the sliding direction to that of the slip; keep the last one if the slip is zero."""
    total = speed(s, i, v)[0]
    if total > 0.0:
        for n in range(s.grips.start[i], s.grips.start[i + 1]):
            s.grips.direction[i, n - s.grips.start[i]] = slip_rate(s, n, v)[0] / total


@compiled
def _release_at_limit(s: System, i: int, v: Floats, stress: Floats) -> None:
    """Release a contact beyond its limit; it slides against its friction force, or along its slip if that is zero."""
    total = friction_force(s, i, stress)
    if total > 0.0:
        for n in range(s.grips.start[i], s.grips.start[i + 1]):
            s.grips.direction[i, n - s.grips.start[i]] = stress[s.switches.strain[n]] / total
    else:
        set_direction(s, i, v)
    release(s, i)


@compiled
def _compliance(s: System, i: int, n: int) -> float:
    """Mobility of a slip with the rows that are active now."""
    g, k = s.grips, s.switches.strain[n]
    solve_row_response(s, k, g.response[i])
    return float(rate_along_row(s, k, g.response[i]))


@compiled
def _turn(s: System, i: int, a: Floats) -> bool:
    """Release a contact and let it slide in the direction of its slip acceleration; false if that is zero."""
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
    release(s, i)
    return True


@compiled
def _holds(s: System, c: ContactScales, i: int, n: int, v: Floats) -> bool:
    """True if a row can hold a slip at zero: it has mobility, and stopping it takes negligible kinetic energy."""
    compliance, rate = _compliance(s, i, n), slip_rate(s, n, v)[0]
    if not compliance > negligible_mobility(c, n):
        return False
    return bool(abs(rate) <= rounded_slip(c) or 0.5 * rate * rate <= compliance * negligible_energy(c))


@compiled
def _activate_rows(s: System, c: ContactScales, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Activate the slip rows of all sticking contacts, one after the other.

    A slip that is zero by other active rows is left out. A contact none of whose slips can be held, because their
    mobilities vanish, slides in the direction of its slip acceleration.
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
def _beyond_limit(s: System, stress: Floats) -> int:
    """Sticking contact with the largest excess of friction over its limit; -1 if there is none."""
    worst, which = 0.0, -1
    for i in range(s.grips.sticks.size):
        if s.grips.sticks[i]:
            needed, can = friction_force(s, i, stress), static_limit(s, i, stress)
            if needed - can > _OVER * (needed + can) and needed - can > worst:
                worst, which = needed - can, i
    return which


@compiled
def choose_sticking(
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
    """Choose the sticking contacts at a state, which is evaluated at the end.

    Sticking contacts remain so unless they are ``leaving`` or have no normal force. Sliding contacts come to rest if
    their slip is negligible relative to ``fastest``. Then contacts beyond their limit are released, the worst first,
    with the rates ``before`` any slip was stopped.
    """
    g = s.grips
    count = g.sticks.size
    accelerate(s, t, x, v, a, stress)
    note_sizes(s, c, x, v, a, stress)
    note_mobilities(s, c)
    for i in range(count):
        if g.sticks[i] and leaving[i]:
            _release_at_limit(s, i, v, stress)
        elif not is_pressed(s, c, i, stress):
            release(s, i)
            set_direction(s, i, v)
        elif not g.sticks[i]:
            if g.creep[i, 0] == 0.0 and speed(s, i, v)[0] <= slip_at_rest(c, g.start[i], fastest[i], g.still[i]):
                g.sticks[i] = 1
            else:
                set_direction(s, i, v)
    copy(before, v)
    _activate_rows(s, c, t, x, v, a, stress)
    for _ in range(count):
        which = _beyond_limit(s, stress)
        if which < 0:
            return
        _release_at_limit(s, which, v, stress)
        copy(v, before)
        _activate_rows(s, c, t, x, v, a, stress)
