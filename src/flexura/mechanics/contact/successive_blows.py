"""Successive blows at one position, and impacts that accumulate.

Contacts that approach strike together: normal impulses are non-negative, and the rate of every gap after the blow is at
least that of its law [Moreau1988]. A contact that recedes takes no part. A blow may turn it round; then it strikes
next. Two corners that strike in turn either separate or strike infinitely often, with rates that shrink by a constant
factor. All impulses of such a group act along its own rows, so that its rest follows from its rates alone: W p = -u,
whatever the order of the blows.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled, copy
from flexura.mechanics.contact.blow_courses import begin_courses
from flexura.mechanics.contact.complementarity import close_together
from flexura.mechanics.contact.contact_scales import (
    SPAN,
    ContactScales,
    keeps_energy,
    negligible_gap,
    negligible_time,
    rests_within_tolerance,
)
from flexura.mechanics.contact.gap_states import RATE, SECOND
from flexura.mechanics.contact.group_blow import strike_group
from flexura.mechanics.core.contact_tables import Gaps
from flexura.mechanics.core.system import System

_ACCUMULATED = 1e-7
"""Rates, relative to the first ones, at which successive blows count as an accumulation."""
_TOGETHER = 1e-10
"""Remaining distance, relative to the distance before, at which two contacts count as striking at the same time."""
_MOST = 100_000
_FLIGHT = 1e-6
"""Flight of impacts without end, relative to the length of the run, that is short."""


@compiled
def _advance_to_blow(g: Gaps) -> float:
    """Time until the next contact strikes at constant rates, at which the gaps are then; infinite if none approaches.

    Set the demands of the blow. Contacts that strike at the same time share one blow.
    """
    count, soonest = g.strain.size, math.inf
    for n in range(count):
        if g.touching[n] and g.rate[n] < -g.size[n]:
            soonest = min(soonest, -g.left[n] / g.rate[n])
    if soonest == math.inf:
        return soonest
    for n in range(count):
        if not g.touching[n]:
            continue
        rate, before = g.rate[n], g.left[n]
        g.left[n] = max(before + soonest * rate, 0.0)
        if rate < -g.size[n] and g.left[n] <= _TOGETHER * before:
            g.left[n] = 0.0
            g.demand[n] = (1.0 + g.restitution[n]) * rate
        else:
            g.demand[n] = math.inf if abs(rate) > g.size[n] else max(rate, 0.0)
    return soonest


@compiled
def _add_blow(g: Gaps) -> None:
    """Add the impulses in ``blow`` and the energy that they dissipate, and update the rates of the gaps."""
    count = g.row.size
    for i in range(count):
        if g.touching[g.owner[i]]:
            g.impulse[i] += g.blow[i]
            before = g.rate[i]
            for j in range(count):
                if g.touching[g.owner[j]]:
                    g.rate[i] += g.admittance[i, j] * g.blow[j]
            g.lost[g.owner[i]] -= 0.5 * g.blow[i] * (before + g.rate[i])


@compiled
def _rest_together(g: Gaps, time: float) -> None:
    """Bring the contacts that struck to rest, by the total impulses of all their further blows."""
    for n in range(g.strain.size):
        struck = g.touching[n] == 1 and g.impulse[n] > 0.0
        g.demand[n] = g.rate[n] if struck else math.inf
        if struck:
            g.wait[n] = max(g.wait[n], time)
    close_together(g, g.admittance, g.demand, g.least)
    clear(g.blow)
    for n in range(g.strain.size):
        g.blow[n] = g.trial[n] if g.chosen[n] == 1 else 0.0
    _add_blow(g)


@compiled
def strike_in_turn(s: System) -> bool:
    """Impulses that obey the laws of restitution [Schwab2002 (5.18)], until no contact approaches.

    False if a contact jams.
    """
    g = s.gaps
    clear(g.impulse)
    clear(g.lost)
    copy(g.rate, g.approach)
    copy(g.left, g.clearance)
    begin_courses(g)
    first = time = 0.0
    for _ in range(_MOST):
        flight = _advance_to_blow(g)
        if flight == math.inf:
            return True
        time += flight
        fastest = 0.0
        for n in range(g.strain.size):
            if g.touching[n]:
                fastest = max(fastest, abs(g.rate[n]))
        first = max(first, fastest)
        if fastest <= _ACCUMULATED * first:
            break
        if not strike_group(s):
            return False
        _add_blow(g)
    _rest_together(g, time)
    return True


@compiled
def _rubs(s: System, strain: int) -> bool:
    """True if the force on a gap is the normal force of a frictional contact."""
    for i in range(s.grips.by.size):  # noqa: SIM110 - compiled
        if s.grips.by[i] == strain:
            return True
    return False


@compiled
def come_to_rest(s: System, c: ContactScales, t: float, rest: float) -> bool:
    """True if the remaining impacts of some contact end within the tolerance; its restitution is then set to zero.

    With the flight time h = -2 ġ/g̈ the remaining impacts take h/(1 - e) [Schwab2002 (5.24)-(5.26)]. That is less than
    ``rest``, or changes rates and positions by less than the tolerance. If e = 1 the impacts never end: one flight must
    be short, and change the energy by less than the tolerance.
    """
    g, found = s.gaps, False
    for n in range(g.strain.size):
        if not g.touching[n] or g.restitution[n] == 0.0 or not g.impulse[n] > 0.0:
            continue
        rebound, second = g.state[n, RATE], g.state[n, SECOND]
        if rebound <= g.size[n] or not second < 0.0:
            continue
        flight = -2.0 * rebound / second
        endless = g.restitution[n] == 1.0
        wait = flight if endless else flight / (1.0 - g.restitution[n])
        if endless:
            known = wait < max(rest, _FLIGHT * c.run[SPAN]) and keeps_energy(c, n, rebound, wait)
        else:
            # friction begins with the contact: the time of its beginning matters to the first order
            short = wait < rest and not _rubs(s, g.strain[n])
            known = short or rests_within_tolerance(c, n, rebound, second, wait)
        # flight too short, or too low, to be distinguished from contact
        height = 0.25 * flight * rebound
        low = flight < negligible_time(c, t) or height < 2.0 * negligible_gap(c, n, rebound, t)
        if known or low:
            g.restitution[n] = 0.0
            g.wait[n] = 0.0 if endless else wait
            found = True
    return found
