"""Rates after an impact on one frictionless gap, by its law of restitution."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.contact_tables import RESTITUTION
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.row_switches import restore_switches
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate


@compiled
def struck_rates(s: System, gap: int, t: float, x: Floats, v: Floats, switches: Floats) -> None:
    """Change the rates by an impact: the gap opens with e times its approach velocity [Schwab2002 (5.17)]."""
    restore_switches(s, switches)
    s.switches.on[gap] = 1
    accelerate(s, t, x, v, np.zeros_like(x), np.zeros(max(s.strain.size, 1)))
    out, slopes, z = s.motion.out, s.slopes, s.z
    r = s.rows.place.size - s.switches.on.size + gap
    k, rate = s.rows.strain[r], 0.0
    for e in range(slopes.start[k], slopes.start[k + 1]):
        rate += out[slopes.source[e]] * v[slopes.column[e]]
    clear(z)
    z[s.rows.place[r]] = -(1.0 + s.gaps.law[gap, RESTITUTION]) * rate
    solve(s.factors, z)
    for i in range(s.free.size):
        v[s.free[i]] += z[s.place[i]]
    s.switches.on[gap] = 0
