"""Impact without collision: friction that admits no accelerations, because sliding increases the normal force.

Forces grow without bound there. In the limit of stiff surfaces they act as a blow without an approach, which
stops the slip [GenotBrogliato1999].
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.integrators.impact_records import IMPACT, IMPULSE, MASS, tell, tell_course, tell_mobilities
from flexura.integrators.impact_records import SLIDING as SLIDE
from flexura.integrators.run_memory import NOW, Memory
from flexura.mechanics.contact.blow_phases import NORMAL, TANGENT
from flexura.mechanics.contact.contact_modes import slip_of
from flexura.mechanics.contact.contact_scales import negligible_rate
from flexura.mechanics.contact.gap_states import CLOSED, OPEN
from flexura.mechanics.contact.planar_blow import planar_blow
from flexura.mechanics.core.contact_tables import LAW, RESTITUTION
from flexura.mechanics.core.strain_rates import rate_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import SLIDING


@compiled
def press_together(s: System, m: Memory) -> bool:
    """Apply the blow to the only closed contact; false if there are more, or if the contact jams."""
    q, v = s.modes, m.v
    if q.count[0] != 1 or q.grip[0] < 0:
        return False
    n, i, slip = q.gap[0], q.grip[0], slip_of(s, 0, v)
    mu, e, law, z = s.grips.mu[i, SLIDING], s.gaps.law[n, RESTITUTION], int(s.gaps.law[n, LAW]), s.gaps.course[n]
    w = q.coupling
    if not planar_blow(w[0, 0], w[0, 1], w[1, 1], mu, e, law, 0.0, slip, 0.0, z) or not z[NORMAL] > 0.0:
        return False
    normal, tangent = z[NORMAL], z[TANGENT]
    for k in range(s.free.size):
        v[s.free[k]] += normal * q.response[0, s.place[k]] + tangent * q.response[1, s.place[k]]
    rate = rate_of(s, s.gaps.strain[n], v)[0]
    lost = -0.5 * (normal * rate + tangent * (slip + slip_of(s, 0, v)))
    m.work[1] += lost
    row = tell(m, m.clock[NOW], n, IMPACT)
    m.impact[row, IMPULSE], m.impact[row, MASS], m.impact[row, SLIDE] = normal, 1.0 / w[0, 0], slip
    tell_course(m, row, z, lost, rate, mu)
    tell_mobilities(m, row, w, 0, 1, 1)
    s.gaps.phase[n] = OPEN if rate > negligible_rate(m.scales, n, 0.0, m.clock[NOW]) else CLOSED
    m.stuck_before[i] = 1
    return True
