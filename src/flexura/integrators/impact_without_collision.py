"""Impact without collision: friction that admits no accelerations, because sliding increases the normal force.

Forces grow without bound there. In the limit of stiff surfaces they act as a blow without an approach, which
stops the slip [GenotBrogliato1999].
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.integrators.impact_records import IMPACT, IMPULSE, MASS, add_row, record_blow_phases, record_mobilities
from flexura.integrators.impact_records import SLIDING as SLIDE
from flexura.integrators.run_memory import NOW, Memory
from flexura.mechanics.contact.blow_phases import (
    COMPRESSION,
    COMPRESSION_STICK,
    FRICTIONLESS,
    KIND,
    NORMAL,
    SLIPS,
    TANGENT,
    start_blow,
)
from flexura.mechanics.contact.contact_modes import choose_impulses, slip_of
from flexura.mechanics.contact.contact_scales import negligible_rate
from flexura.mechanics.contact.gap_states import CLOSED, OPEN
from flexura.mechanics.contact.mode_equations import STUCK
from flexura.mechanics.contact.planar_blow import planar_blow
from flexura.mechanics.core.contact_tables import LAW, RESTITUTION
from flexura.mechanics.core.strain_rates import rate_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import SLIDING


@compiled
def strike_closed_contact(s: System, m: Memory) -> bool:
    """Apply the blow to one closed contact by its law, or to several without a rebound; false if they jam."""
    q, z = s.modes, s.gaps.course[s.gaps.strain.size]
    if q.count[0] > 1:
        if not choose_impulses(s, m.scales, m.v):
            return False
    elif q.count[0] == 0 or q.grip[0] < 0:
        return False
    else:
        n, w = q.gap[0], q.coupling
        mu, e, law = s.grips.mu[q.grip[0], SLIDING], s.gaps.law[n, RESTITUTION], int(s.gaps.law[n, LAW])
        if not planar_blow(w[0, 0], w[0, 1], w[1, 1], mu, e, law, 0.0, slip_of(s, 0, m.v), 0.0, z):
            return False
        q.force[0], q.force[1], q.mode[0] = z[NORMAL], z[TANGENT], STUCK
    return _apply_impulses(s, m)


@compiled
def _apply_impulses(s: System, m: Memory) -> bool:
    """Change the rates by the impulses in ``Modes.force`` and record them; false where none presses."""
    q, v, pressed = s.modes, m.v, False
    count = q.count[0]
    for j in range(count):
        q.free[j], q.free[count + j] = 0.0, slip_of(s, j, v)
    for r in range(2 * count):
        for k in range(s.free.size):
            v[s.free[k]] += q.force[r] * q.response[r, s.place[k]]
    for j in range(count):
        n, i = q.gap[j], q.grip[j]
        rate = rate_of(s, s.gaps.strain[n], v)[0]
        s.gaps.phase[n] = OPEN if rate > negligible_rate(m.scales, n, 0.0, m.clock[NOW]) else CLOSED
        if i >= 0 and q.mode[j] == STUCK:
            m.stuck_before[i] = 1
        if q.force[j] > 0.0:
            _record(s, m, j, rate)
            pressed = True
    return pressed


@compiled
def _record(s: System, m: Memory, j: int, rate: float) -> None:
    """Record the blow on a listed contact, whose gap has this rate after it."""
    q, z = s.modes, s.gaps.course[s.gaps.strain.size]
    count, n, i = q.count[0], q.gap[j], q.grip[j]
    normal, tangent, slip, after = q.force[j], q.force[count + j], q.free[count + j], slip_of(s, j, m.v)
    lost = -0.5 * (normal * rate + tangent * (slip + after))
    if count > 1:
        start_blow(z, 0.0)
        z[NORMAL], z[TANGENT], z[COMPRESSION] = normal, tangent, normal
        z[KIND] = FRICTIONLESS if i < 0 else COMPRESSION_STICK if q.mode[j] == STUCK else SLIPS
    m.work[1] += lost
    row = add_row(m, m.clock[NOW], n, IMPACT)
    m.impact[row, IMPULSE], m.impact[row, MASS], m.impact[row, SLIDE] = normal, 1.0 / q.coupling[j, j], slip
    record_blow_phases(m, row, z, lost, rate, s.grips.mu[i, SLIDING] if i >= 0 else 0.0)
    record_mobilities(m, row, q.coupling, j, count + j, 1 if i >= 0 else 0)
