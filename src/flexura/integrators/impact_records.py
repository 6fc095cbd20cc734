"""Rows of the table of impacts: blows, contact that begins or ends, stick and slip."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.integrators.run_memory import IMPACTS, NOW, Memory
from flexura.mechanics.contact.gap_states import OPEN, RATE
from flexura.mechanics.contact.impact import estimated_force
from flexura.mechanics.core.system import System

IMPACT, CLOSING, RELEASE, STICK, SLIP = range(5)
"""kinds of the rows of ``Memory.impact``"""


@compiled
def tell(m: Memory, time: float, n: int, what: int) -> int:
    """A new row of the table of impacts."""
    row = m.count[IMPACTS]
    m.impact[row, 0], m.impact[row, 1], m.impact[row, 2] = time, n, what
    for i in range(3, m.impact.shape[1]):
        m.impact[row, i] = 0.0
    m.count[IMPACTS] = row + 1
    return int(row)


@compiled
def tell_impacts(s: System, m: Memory) -> None:
    """Record the impulses of a blow."""
    g, t = s.gaps, m.clock[NOW]
    for n in range(g.strain.size):
        if g.touching[n] and g.impulse[n] > 0.0:
            row = tell(m, t, n, IMPACT)
            m.impact[row, 3] = g.impulse[n]
            m.impact[row, 4] = -g.approach[n]
            m.impact[row, 5] = 1.0 / g.admittance[n, n]
            m.impact[row, 6] = estimated_force(s, n)
            m.impact[row, 7] = -0.5 * g.impulse[n] * (g.approach[n] + g.state[n, RATE])


@compiled
def tell_phases(s: System, m: Memory) -> None:
    """Record the contacts that began or ended since ``shut_before``."""
    g, t = s.gaps, m.clock[NOW]
    for n in range(g.strain.size):
        if g.phase[n] != OPEN and not m.shut_before[n]:
            tell(m, t + g.wait[n], n, CLOSING)
        elif m.shut_before[n] and g.phase[n] == OPEN:
            tell(m, t, n, RELEASE)
