"""Blow without collision: friction that admits no accelerations, where a contact presses the harder the more it slides.

Forces grow beyond bounds there. In the limit of stiff surfaces they act as a blow with no approach before it, which
stops the slip [GenotBrogliato1999].
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.integrators.impact_records import IMPACT, tell
from flexura.integrators.run_memory import NOW, Memory
from flexura.mechanics.contact.contact_modes import slip_of
from flexura.mechanics.contact.contact_scales import negligible_rate
from flexura.mechanics.contact.frictional_blow import frictional_blow
from flexura.mechanics.contact.gap_states import CLOSED, OPEN
from flexura.mechanics.core.strain_rates import rate_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import SLIDING


@compiled
def press_together(s: System, m: Memory) -> bool:
    """Strike the one contact that is closed; false where there are more, or where nothing gives way."""
    q, v = s.modes, m.v
    if q.count[0] != 1 or q.grip[0] < 0:
        return False
    n, i, slip = q.gap[0], q.grip[0], slip_of(s, 0, v)
    mu, e = s.grips.mu[i, SLIDING], s.gaps.law[n, 0]
    normal, tangent = frictional_blow(q.coupling[0, 0], q.coupling[0, 1], q.coupling[1, 1], mu, e, 0.0, slip, 0.0)
    if not 0.0 < normal < math.inf:
        return False
    for k in range(s.free.size):
        v[s.free[k]] += normal * q.response[0, s.place[k]] + tangent * q.response[1, s.place[k]]
    rate = rate_of(s, s.gaps.strain[n], v)[0]
    lost = -0.5 * (normal * rate + tangent * (slip + slip_of(s, 0, v)))
    m.work[1] += lost
    row = tell(m, m.clock[NOW], n, IMPACT)
    m.impact[row, 3], m.impact[row, 5], m.impact[row, 7] = normal, 1.0 / q.coupling[0, 0], lost
    s.gaps.phase[n] = OPEN if rate > negligible_rate(m.scales, n, 0.0, m.clock[NOW]) else CLOSED
    m.stuck_before[i] = 1
    return True
