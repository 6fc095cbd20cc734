"""Bodies at rest on each other: all closed contacts stick together if their forces can lie in the cones of friction.

Linearly independent rows are active. Their forces alone may be tensile or exceed friction although other solutions do
not: the forces shared by all contacts decide.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats
from flexura.mechanics.contact.contact_scales import ContactScales, negligible_mobility, slip_at_rest
from flexura.mechanics.contact.gap_states import DEPENDENT, PRESSED
from flexura.mechanics.contact.shared_forces import (
    apply_shared_forces,
    list_generators,
    measure_mobilities,
    read_row_forces,
    release_rows,
    restore_rows,
    rows_at_rest,
    share_forces,
)
from flexura.mechanics.contact.stick_slip import speed
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.projection import close_velocity


@compiled
def _rests(s: System, c: ContactScales, v: Floats, fastest: Floats) -> bool:
    """Note the closed contacts of ``Modes.closed``; false if one slides, or if there is other friction than theirs."""
    q, g, owned, closed = s.shares, s.gaps, 0, 0
    for n in range(g.strain.size):
        i = g.grip[n]
        q.closed[n] = s.modes.closed[n]
        owned += 1 if i >= 0 else 0
        closed += q.closed[n]
        if q.closed[n] and i >= 0:
            still = slip_at_rest(c, s.grips.start[i], fastest[i], s.grips.still[i])
            if s.grips.creep[i, 0] > 0.0 or speed(s, i, v)[0] > still:
                return False
    return bool(closed > 1 and owned == s.grips.sticks.size)


@compiled
def switch_of(s: System, r: int) -> int:
    """Switch of a row of ``Gaps``."""
    n = s.gaps.owner[r]
    return int(r if r < s.gaps.strain.size else s.grips.start[s.gaps.grip[n]] + r - s.gaps.slip[n])


@compiled
def _hold_independent(s: System, c: ContactScales) -> None:
    """Activate the rows of closed contacts that do not depend on earlier ones, by Cholesky's factors."""
    q, g, kept = s.shares, s.gaps, 0
    w, places = q.work, q.chosen
    for r in range(g.row.size):
        if not q.closed[g.owner[r]]:
            continue
        left = g.admittance[r, r]
        for j in range(kept):
            entry = g.admittance[r, places[j]]
            for i in range(j):
                entry -= w[kept, i] * w[j, i]
            w[kept, j] = entry / w[j, j]
            left -= w[kept, j] ** 2
        if left > negligible_mobility(c, switch_of(s, r)):
            w[kept, kept], places[kept] = math.sqrt(left), r
            s.switches.on[switch_of(s, r)] = 1
            kept += 1


@compiled
def stick_all(
    s: System,
    c: ContactScales,
    t: float,
    x: Floats,
    v: Floats,
    a: Floats,
    stress: Floats,
    fastest: Floats,
    before: Floats,
) -> bool:
    """Let all closed contacts stick, with shared forces; the state is evaluated at the end.

    False, with the state unchanged, if one slides or no shared forces lie in the cones.
    """
    q, g = s.shares, s.gaps
    q.together[0] = 0
    if q.part.size == 0 or not _rests(s, c, v, fastest) or not list_generators(s, v, math.inf):
        return False
    copy(before, v)
    release_rows(s)
    accelerate(s, t, x, v, a, stress)
    measure_mobilities(s)
    _hold_independent(s, c)
    for n in range(g.strain.size):
        if g.grip[n] >= 0:
            s.grips.sticks[g.grip[n]] = q.closed[n]
    accelerate(s, t, x, v, a, stress)
    for _ in range(2):
        close_velocity(s, s.motion.out, s.slopes, v)
    accelerate(s, t, x, v, a, stress)
    read_row_forces(s, stress)
    if not (rows_at_rest(s, a) and share_forces(s)):
        restore_rows(s)
        copy(v, before)
        accelerate(s, t, x, v, a, stress)
        return False
    for n in range(g.strain.size):
        if q.closed[n]:
            g.phase[n] = PRESSED if s.switches.on[n] else DEPENDENT
    apply_shared_forces(s, stress)
    q.together[0] = 1
    return True


@compiled
def update_shared_forces(s: System, t: float, x: Floats, v: Floats, a: Floats, stress: Floats, spare: Floats) -> bool:
    """Share the forces again at an evaluated state; false if no forces lie in the cones.

    The forces are then the nearest ones in the cones, or the previous ones. ``spare`` is scratch of the length of
    ``stress``.
    """
    read_row_forces(s, stress)
    release_rows(s)
    accelerate(s, t, x, v, a, spare)
    measure_mobilities(s)
    restore_rows(s)
    accelerate(s, t, x, v, a, stress)
    shared = rows_at_rest(s, a) and list_generators(s, v, math.inf) and share_forces(s)
    apply_shared_forces(s, stress)
    return bool(shared)
