"""Rows of the table of impacts: impulses, beginning and end of contact, stick and slip."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable
from flexura.integrators.run_memory import IMPACTS, NOW, Memory
from flexura.mechanics.contact.blow_courses import friction_of
from flexura.mechanics.contact.blow_phases import COMPRESSION as END_OF_COMPRESSION
from flexura.mechanics.contact.blow_phases import HALT as END_OF_SLIP
from flexura.mechanics.contact.blow_phases import KIND, TANGENT, lost_in_restitution
from flexura.mechanics.contact.gap_states import OPEN, RATE
from flexura.mechanics.contact.impact import estimated_force
from flexura.mechanics.core.system import System

IMPACT, CLOSING, RELEASE, STICK, SLIP = range(5)
"""kinds of the rows of ``Memory.impact``"""

# columns of ``Memory.impact``
TIME, SWITCH, WHAT, IMPULSE, APPROACH, MASS, FORCE, LOST, TYPE = range(9)
TANGENTIAL, SLIDING, COMPRESSION, HALT, BY_RESTITUTION, BY_FRICTION, SEPARATION, FRICTION, MOBILITY = (
    9, 11, 13, 14, 15, 16, 17, 18, 19,
)  # fmt: skip
"""tangential impulses and initial slips, two each; the six mobilities of normal and slips come last"""


@compiled
def add_row(m: Memory, time: float, n: int, what: int) -> int:
    """Add a row to the table of impacts; returns its number."""
    row = m.count[IMPACTS]
    m.impact[row, TIME], m.impact[row, SWITCH], m.impact[row, WHAT] = time, n, what
    for i in range(IMPULSE, m.impact.shape[1]):
        m.impact[row, i] = 0.0
    m.count[IMPACTS] = row + 1
    return int(row)


@compiled
def record_blow_phases(m: Memory, row: int, course: Floats, lost: float, separation: float, mu: float) -> None:
    """Record the phases of a blow, and the energy lost by friction and by restitution."""
    told = m.impact[row]
    told[LOST], told[SEPARATION], told[FRICTION] = lost, separation, mu
    told[TYPE], told[COMPRESSION], told[HALT] = course[KIND], course[END_OF_COMPRESSION], course[END_OF_SLIP]
    told[TANGENTIAL], told[TANGENTIAL + 1] = course[TANGENT], course[TANGENT + 1]
    # without friction all energy is lost in restitution
    told[BY_RESTITUTION] = lost_in_restitution(course) if mu > 0.0 else lost
    told[BY_FRICTION] = lost - told[BY_RESTITUTION]


@compiled
def record_mobilities(m: Memory, row: int, mobility: FloatTable, n: int, first: int, slips: int) -> None:
    """Record the mobilities of the normal, in row n, and of the slips: W₀₀, W₀₁, W₀₂, W₁₁, W₁₂, W₂₂."""
    told, place = m.impact[row], MOBILITY
    for i in range(3):
        for j in range(i, 3):
            if max(i, j) <= slips:
                one, other = n if i == 0 else first + i - 1, n if j == 0 else first + j - 1
                told[place] = mobility[one, other]
            place += 1


@compiled
def record_impacts(s: System, m: Memory) -> None:
    """Record the impulses of an impact."""
    g, t = s.gaps, m.clock[NOW]
    for n in range(g.strain.size):
        if g.touching[n] and g.impulse[n] > 0.0:
            row = add_row(m, t, n, IMPACT)
            told = m.impact[row]
            for i in range(g.slips[n]):
                told[SLIDING + i] = g.approach[g.slip[n] + i]
            told[IMPULSE], told[APPROACH] = g.impulse[n], -g.approach[n]
            told[MASS], told[FORCE] = 1.0 / g.admittance[n, n], estimated_force(s, n)
            record_blow_phases(m, row, g.course[n], g.lost[n], g.state[n, RATE], friction_of(s, n))
            record_mobilities(m, row, g.admittance, n, g.slip[n], g.slips[n])


@compiled
def record_contact_changes(s: System, m: Memory) -> None:
    """Record the contacts that began or ended, compared with ``shut_before``."""
    g, t = s.gaps, m.clock[NOW]
    for n in range(g.strain.size):
        if g.phase[n] != OPEN and not m.shut_before[n]:
            add_row(m, t + g.wait[n], n, CLOSING)
        elif m.shut_before[n] and g.phase[n] == OPEN:
            add_row(m, t, n, RELEASE)
