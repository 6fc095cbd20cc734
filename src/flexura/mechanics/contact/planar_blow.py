"""Blow on one contact in the plane with dry friction, in closed form.

Along the normal impulse p the rates of gap and slip change by du/dp = a - μσb and ds/dp = b - μσc while the contact
slides in the direction σ, with a, b, c the mobilities of normal, coupling and slip. A slip that halts sticks if
|b| ≤ μc, with du/dp = a - b²/c, and slides on along the sign of b otherwise [Elkaranshawy1995 (3.25)-(3.38)].
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.contact.blow_phases import (
    COMPRESSION_REVERSE,
    COMPRESSION_STICK,
    HALT,
    KIND,
    NORMAL,
    RATE,
    RESTITUTION_REVERSE,
    RESTITUTION_STICK,
    SLIPS,
    STICKS,
    follow_last_line,
    follow_line,
    start_blow,
)


@compiled
def note_halt(z: Floats, sticks: bool) -> None:
    """Note that the slip has halted, and then sticks or continues in another direction."""
    z[HALT] = z[NORMAL]
    if z[RATE] < 0.0:
        z[KIND] = COMPRESSION_STICK if sticks else COMPRESSION_REVERSE
    else:
        z[KIND] = RESTITUTION_STICK if sticks else RESTITUTION_REVERSE


@compiled
def planar_blow(
    a: float, b: float, c: float, mu: float, e: float, law: int, u: float, slip: float, still: float, z: Floats
) -> bool:
    """Follow a blow from the approach ``u`` ≤ 0 and the slip before it; the result is ``z``.

    A slip of at most ``still`` counts as zero. False if the contact jams.
    """
    start_blow(z, u)
    sticks = abs(b) <= mu * c and c > 0.0
    z[KIND] = STICKS if sticks else SLIPS
    if abs(slip) > still:
        way = math.copysign(1.0, slip)
        rate, slows = a - mu * way * b, b - mu * way * c
        halt = -slip / slows if way * slows < 0.0 else math.inf
        z[KIND], z[HALT] = SLIPS, halt
        if halt == math.inf and not rate > 0.0:
            return False
        if follow_line(z, halt, rate, -mu * way, 0.0, e, law):
            return True
        note_halt(z, sticks)
    elif sticks:
        z[HALT] = 0.0
    if sticks:
        return follow_last_line(z, a, a - b * b / c, -b / c, 0.0, e, law)
    drag = -math.copysign(mu, b) if b != 0.0 else 0.0
    return follow_last_line(z, a, a + drag * b, drag, 0.0, e, law)
