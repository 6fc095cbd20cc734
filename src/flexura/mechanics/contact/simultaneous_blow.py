"""Simultaneous blows with dry friction on several contacts: Poisson's law in two complementarity problems.

Compression ends when no contact approaches: u ≥ 0, p ≥ 0, u p = 0. Restitution adds at least e times the impulse of
compression: u ≥ 0, p ≥ e p_C, u (p - e p_C) = 0. In both, the tangential impulse lies in the cone of friction and acts
against the slip at the end of the phase [GlockerPfeiffer1995]. Contacts that all have Newton's law need one problem,
u⁺ + e u⁻ ≥ 0 [Moreau1988]. Both are solved by projected Gauss–Seidel iteration. The energetic law must not gain
energy: if the impulses would, all coefficients of restitution are reduced by one factor.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled, copy
from flexura.mechanics.contact.blow_courses import add_course, friction_of
from flexura.mechanics.contact.blow_phases import (
    COMPRESSION,
    COMPRESSION_REVERSE,
    COMPRESSION_STICK,
    ENERGETIC,
    FRICTIONLESS,
    KIND,
    NEWTON,
    NORMAL,
    PRESSED,
    RATE,
    RELEASED,
    RESTITUTION_REVERSE,
    RESTITUTION_STICK,
    RETURNED,
    SLIPS,
    STICKS,
    TAKEN,
    TANGENT,
    start_blow,
)
from flexura.mechanics.core.contact_tables import LAW, Gaps
from flexura.mechanics.core.system import System

_MOST = 20_000
_CONVERGED = 1e-14
_ACCEPTED = 1e-10
_HALVINGS = 40


@compiled
def _takes_part(g: Gaps, n: int) -> bool:
    """True if a contact strikes or rests."""
    return bool(g.touching[n] == 1 and g.demand[n] < math.inf)


@compiled
def _change(g: Gaps, r: int, impulse: float) -> float:
    """Change the impulse of a row in this phase; returns the change of its rate by its own mobility."""
    more = impulse - g.phase_blow[r]
    if more != 0.0:
        g.phase_blow[r] = impulse
        for i in range(g.row.size):
            if g.touching[g.owner[i]]:
                g.phase_rate[i] += g.admittance[i, r] * more
    return abs(more) * g.admittance[r, r]


@compiled
def _rub(g: Gaps, n: int, mu: float) -> float:
    """Project the tangential impulse of a contact into its friction cone; returns the change of its slip."""
    r, most = g.slip[n], mu * g.phase_blow[n]
    if g.slips[n] == 1:
        if not g.admittance[r, r] > 0.0:
            return 0.0
        wanted = g.phase_blow[r] - g.phase_rate[r] / g.admittance[r, r]
        return float(_change(g, r, min(max(wanted, -most), most)))
    mobile = g.admittance[r, r] + g.admittance[r + 1, r + 1]
    if not mobile > 0.0:
        return 0.0
    first = g.phase_blow[r] - g.phase_rate[r] / mobile
    second = g.phase_blow[r + 1] - g.phase_rate[r + 1] / mobile
    size = math.hypot(first, second)
    part = most / size if size > most else 1.0
    return float(_change(g, r, part * first) + _change(g, r + 1, part * second))


@compiled
def _solve_phase(s: System, part: float, moreau: bool) -> bool:
    """Solve for the impulses of a phase, into ``phase_blow``; false if the iteration does not converge.

    The fraction ``part`` of ``trial`` is the least normal impulse, or for Moreau's law the least rate after the blow.
    """
    g = s.gaps
    for _ in range(_MOST):
        change = size = 0.0
        for n in range(g.strain.size):
            if not _takes_part(g, n):
                continue
            least = 0.0 if moreau else part * g.trial[n]
            wanted = part * g.trial[n] if moreau else 0.0
            impulse = g.phase_blow[n] - (g.phase_rate[n] - wanted) / g.admittance[n, n]
            change = max(change, _change(g, n, max(impulse, least)))
            size = max(size, g.phase_blow[n] * g.admittance[n, n])
            if g.slips[n]:
                change = max(change, _rub(g, n, friction_of(s, n)))
        if change <= _CONVERGED * size:
            return True
    return bool(change <= _ACCEPTED * size)


@compiled
def _kind(g: Gaps, n: int) -> int:
    """Kind of a blow by the slip before, after compression and at the end."""
    if g.slips[n] == 0:
        return FRICTIONLESS
    r = g.slip[n]
    before = middle = after = size = along = 0.0
    for i in range(r, r + g.slips[n]):
        before += g.rate[i] ** 2
        middle += g.press[i] ** 2
        after += g.phase_rate[i] ** 2
        along += g.rate[i] * g.phase_rate[i]
        size += (g.admittance[i, i] * g.blow[n]) ** 2
    none = 1e-18 * (before + size)
    if before <= none:
        return STICKS if after <= none else SLIPS
    if after <= none:
        return COMPRESSION_STICK if middle <= none else RESTITUTION_STICK
    if along > 0.0:
        return SLIPS
    turned = 0.0
    for i in range(r, r + g.slips[n]):
        turned += g.rate[i] * g.press[i]
    return RESTITUTION_REVERSE if turned > 0.0 else COMPRESSION_REVERSE


@compiled
def _try(s: System, part: float, moreau: bool) -> bool:
    """Both phases with the fraction ``part`` of the coefficients; impulses in ``blow``, final rates in ``phase_rate``.

    ``press`` has the rates after compression, ``trial`` the least impulses or rates of restitution.
    """
    g = s.gaps
    copy(g.phase_rate, g.rate)
    clear(g.phase_blow)
    clear(g.blow)
    if not moreau:
        clear(g.trial)
        if not _solve_phase(s, 0.0, False):
            return False
        copy(g.blow, g.phase_blow)
        clear(g.phase_blow)
    copy(g.press, g.phase_rate)
    for n in range(g.strain.size):
        g.trial[n] = -g.restitution[n] * g.rate[n] if moreau else g.restitution[n] * g.blow[n]
        if not moreau:
            _change(g, n, part * g.trial[n] if _takes_part(g, n) else 0.0)
    if not _solve_phase(s, part, moreau):
        return False
    for r in range(g.row.size):
        g.blow[r] += g.phase_blow[r]
    return True


@compiled
def _gain(g: Gaps) -> float:
    """Energy gained by the blow, beyond rounding."""
    total = size = 0.0
    for r in range(g.row.size):
        if g.touching[g.owner[r]]:
            total += 0.5 * g.blow[r] * (g.rate[r] + g.phase_rate[r])
            size += abs(g.blow[r]) * (abs(g.rate[r]) + abs(g.phase_rate[r]))
    return total - _CONVERGED * size * 100.0


@compiled
def _note_courses(g: Gaps, moreau: bool) -> None:
    """Add the phases of all contacts to their courses."""
    z = g.course[g.strain.size]
    for n in range(g.strain.size):
        if not _takes_part(g, n) or not g.blow[n] > 0.0:
            continue
        start_blow(z, g.rate[n])
        released = g.phase_blow[n] if not moreau else g.blow[n] * g.restitution[n] / (1.0 + g.restitution[n])
        z[NORMAL], z[RATE], z[RELEASED], z[PRESSED] = g.blow[n], g.phase_rate[n], released, g.blow[n] - released
        z[COMPRESSION] = z[PRESSED]
        middle = 0.0 if moreau else g.press[n]
        z[TAKEN] = -0.5 * z[PRESSED] * (g.rate[n] + middle)
        z[RETURNED] = 0.5 * released * (middle + g.phase_rate[n])
        for i in range(g.slips[n]):
            z[TANGENT + i] = g.blow[g.slip[n] + i]
        z[KIND] = _kind(g, n)
        add_course(g, n)


@compiled
def strike_together(s: System) -> bool:
    """Impulses of all contacts that strike or rest, into ``Gaps.blow``; false if none are found."""
    g = s.gaps
    moreau, energetic = True, True
    for n in range(g.strain.size):
        if _takes_part(g, n):
            moreau = moreau and g.law[n, LAW] == NEWTON
            energetic = energetic and g.law[n, LAW] == ENERGETIC
    if not _try(s, 1.0, moreau):
        return False
    if energetic and _gain(g) > 0.0:
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            if not _try(s, middle, moreau):
                return False
            if _gain(g) > 0.0:
                high = middle
            else:
                low = middle
        if not _try(s, low, moreau):
            return False
    _note_courses(g, moreau)
    return True
