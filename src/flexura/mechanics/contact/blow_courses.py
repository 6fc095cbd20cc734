"""Courses of blows: the phases of all blows on each contact at one time, summed."""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled
from flexura.mechanics.contact.blow_phases import BLOW_SIZE, COMPRESSION, HALT, KIND, NORMAL
from flexura.mechanics.core.contact_tables import Gaps
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import SLIDING


@compiled
def begin_courses(g: Gaps) -> None:
    """Clear the courses: no contact has been struck yet."""
    for n in range(g.strain.size):
        clear(g.course[n])
        g.course[n, HALT] = math.inf


@compiled
def friction_of(s: System, n: int) -> float:
    """Coefficient of friction during a blow on a gap: that of sliding."""
    return float(s.grips.mu[s.gaps.grip[n], SLIDING]) if s.gaps.slips[n] else 0.0


@compiled
def add_course(g: Gaps, n: int) -> None:
    """Add the last blow on a contact to its course; the kind of the first blow is kept."""
    total, z = g.course[n], g.course[g.strain.size]
    kind, halt, compression = total[KIND], total[HALT], total[COMPRESSION]
    first = total[NORMAL] == 0.0
    for i in range(BLOW_SIZE):
        total[i] += z[i]
    total[KIND] = z[KIND] if first else kind
    total[HALT] = z[HALT] if first else halt
    total[COMPRESSION] = z[COMPRESSION] if first else compression
