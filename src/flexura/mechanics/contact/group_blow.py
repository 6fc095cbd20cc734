"""Blow on the contacts that strike at the same time: one contact with dry friction, or several together."""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.contact.blow_courses import add_course, friction_of
from flexura.mechanics.contact.blow_phases import (
    COMPRESSION,
    NORMAL,
    PRESSED,
    RATE,
    RETURNED,
    TAKEN,
    TANGENT,
    follow_line,
    start_blow,
)
from flexura.mechanics.contact.complementarity import press
from flexura.mechanics.contact.contact_scales import ContactScales, negligible_mobility, negligible_rate
from flexura.mechanics.contact.planar_blow import planar_blow
from flexura.mechanics.contact.simultaneous_blow import strike_together
from flexura.mechanics.contact.spatial_blow import spatial_blow
from flexura.mechanics.core.contact_tables import IN_TURN, LAW, Gaps
from flexura.mechanics.core.strain_rates import rate_of
from flexura.mechanics.core.system import System

_EQUAL = 1e-8
"""Relative difference of two speeds below which contacts count as equally fast."""


@compiled
def prepare_slips(s: System, c: ContactScales, t: float, v: Floats) -> None:
    """Evaluate the slips of the touching contacts; slips without mobility are left out.

    A negligible slip is set to zero.
    """
    g = s.gaps
    for n in range(g.strain.size):
        for r in range(g.slip[n], g.slip[n] + g.slips[n]):
            switch = s.grips.start[g.grip[n]] + r - g.slip[n]
            rate = rate_of(s, g.row[r], v)[0]
            g.approach[r] = rate if abs(rate) > negligible_rate(c, switch, 0.0, t) else 0.0
            if g.touching[n] and not g.admittance[r, r] > negligible_mobility(c, switch):
                for i in range(g.row.size):
                    g.admittance[r, i] = g.admittance[i, r] = 0.0


@compiled
def _strike_one(s: System, n: int) -> bool:
    """Blow on one contact, into ``Gaps.blow``; its course is in the last row of ``Gaps.course``."""
    g, r = s.gaps, s.gaps.slip[n]
    z, w = g.course[g.strain.size], g.admittance
    e, law, mu, u = g.restitution[n], int(g.law[n, LAW]), friction_of(s, n), g.rate[n]
    clear(g.blow)
    if g.slips[n] == 0:
        start_blow(z, u)
        follow_line(z, math.inf, w[n, n], 0.0, 0.0, e, law)
    elif g.slips[n] == 1:
        if not planar_blow(w[n, n], w[n, r], w[r, r], mu, e, law, u, g.rate[r], 0.0, z):
            return False
    else:
        for i in range(3):
            for j in range(3):
                row, column = n if i == 0 else r + i - 1, n if j == 0 else r + j - 1
                g.coupling[i, j] = w[row, column]
        if not spatial_blow(g.coupling, mu, e, law, u, g.rate[r], g.rate[r + 1], 0.0, z):
            return False
    g.blow[n] = z[NORMAL]
    for i in range(g.slips[n]):
        g.blow[r + i] = z[TANGENT + i]
    return True


@compiled
def _disturbs(g: Gaps) -> bool:
    """True if the blow makes a contact at rest approach."""
    for i in range(g.strain.size):
        if g.touching[i] and g.demand[i] < math.inf and g.blow[i] == 0.0:
            rate = g.rate[i]
            for j in range(g.row.size):
                if g.touching[g.owner[j]]:
                    rate += g.admittance[i, j] * g.blow[j]
            if rate < -g.size[i]:
                return True
    return False


@compiled
def _choose_one(g: Gaps) -> int:
    """Contact that strikes hardest among those that strike now: with the largest approach relative to its mobility.

    Among equals the first is chosen: rounding must not decide which of two symmetric contacts strikes.
    """
    which, worst = -1, 0.0
    for n in range(g.strain.size):
        if g.touching[n] and g.demand[n] < 0.0:
            speed = -g.rate[n] / math.sqrt(g.admittance[n, n])
            if speed > worst * (1.0 + _EQUAL):
                which, worst = n, speed
    return which


@compiled
def _rubs(g: Gaps) -> bool:
    """True if a contact that takes part in the blow has friction."""
    for n in range(g.strain.size):  # noqa: SIM110 - compiled
        if g.touching[n] and g.demand[n] < math.inf and g.slips[n]:
            return True
    return False


@compiled
def _press_together(g: Gaps) -> None:
    """Simultaneous impulses of frictionless contacts [Moreau1988]."""
    clear(g.blow)
    press(g, g.admittance, g.demand, g.least, g.blow)
    z = g.course[g.strain.size]
    for n in range(g.strain.size):
        if not g.touching[n] or not g.blow[n] > 0.0:
            continue
        after = g.rate[n]
        for j in range(g.strain.size):
            if g.touching[j]:
                after += g.admittance[n, j] * g.blow[j]
        start_blow(z, g.rate[n])
        z[NORMAL], z[RATE] = g.blow[n], after
        z[COMPRESSION] = z[PRESSED] = g.blow[n] / (1.0 + g.restitution[n])
        z[TAKEN] = max(-0.5 * z[PRESSED] * g.rate[n], 0.0)
        z[RETURNED] = z[TAKEN] + 0.5 * g.blow[n] * (g.rate[n] + after)
        add_course(g, n)


@compiled
def strike_group(s: System) -> bool:
    """Impulses, into ``Gaps.blow``, of the contacts that strike now: those with a negative demand.

    Contacts with a finite demand are at rest; they take part if the blow would make them approach. False if a contact
    jams.
    """
    g = s.gaps
    striking = 0
    for n in range(g.strain.size):
        if g.touching[n] and g.demand[n] < 0.0:
            striking += 1
    which, in_turn, rubs = _choose_one(g), g.law[0, IN_TURN] > 0.0, _rubs(g)
    if (striking == 1 and rubs) or in_turn:
        if not _strike_one(s, which):
            return False
        if in_turn or not _disturbs(g):
            add_course(g, which)
            return True
    if not rubs:
        _press_together(g)
        return True
    if strike_together(s):
        return True
    # without a simultaneous solution the hardest contact strikes first, the others after it
    if not _strike_one(s, which):
        return False
    add_course(g, which)
    return True
