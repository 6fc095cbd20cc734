"""Dry friction along a run: where what sticks is overcome, and what slides comes to rest."""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable
from flexura.integrators.root_location import NEVER, rising
from flexura.integrators.run_memory import NOW, Memory
from flexura.mechanics.contact.stick_slip import grip, held_by, let_go, most, no_slip, speed
from flexura.mechanics.core.strain_rates import second_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import slip_rate

# columns of ``Memory.grip``: what changes the state of a grip where it becomes positive, at both ends of a step; the
# size of what it is made of; the slips and their accelerations
VALUE, BEFORE, SIZE, SLIP, GAIN = 0, 1, 2, 3, 5

_FOUND = 1e-12
"""The value, against its size, at which a change is found."""


@compiled
def measure_grips(s: System, v: Floats, stress: Floats, values: FloatTable, column: int) -> None:
    """The force that is missing to hold what sticks, and how far what slides has gone past rest."""
    g = s.grips
    for i in range(g.sticks.size):
        if g.sticks[i]:
            values[i, column] = held_by(s, i, stress) - most(s, i, stress)
        else:
            values[i, column] = 0.0
            for n in range(g.start[i], g.start[i + 1]):
                values[i, column] -= slip_rate(s, n, v)[0] * g.direction[i, n - g.start[i]]


@compiled
def measure_ends(s: System, m: Memory) -> None:
    """Evaluate at the end of a step, with the sizes of these values, the largest since the last change, and slips."""
    g = s.grips
    measure_grips(s, m.v, m.stress, m.grip, VALUE)
    for i in range(g.sticks.size):
        rate, parts = speed(s, i, m.v)
        size = held_by(s, i, m.stress) + most(s, i, m.stress) if g.sticks[i] else max(rate, parts)
        m.grip[i, SIZE] = max(m.grip[i, SIZE], size)
        for n in range(g.start[i], g.start[i + 1]):
            place = n - g.start[i]
            m.grip[i, SLIP + place] = slip_rate(s, n, m.v)[0]
            m.grip[i, GAIN + place] = second_of(s, s.switches.strain[n], m.a)


@compiled
def change(s: System, m: Memory, i: int) -> float:
    """Fraction of the step at which a contact begins to slip or comes to rest: 1 at its end, to tolerance."""
    value, before, least = m.grip[i, VALUE], m.grip[i, BEFORE], _FOUND * m.grip[i, SIZE]
    m.letting_go[i] = 1 if s.grips.sticks[i] and value >= -least else 0
    if s.grips.sticks[i] == 0 and before >= -least:
        # it has hardly begun to slide: unless it is pushed back, that is no rest
        if value <= least:
            return NEVER
        return 1.0 if value <= no_slip(s, i, m.grip[i, SIZE]) else 0.1
    return 1.0 if abs(value) <= least else rising(before, m.grip_probe[i], value, m.neville)


@compiled
def settle(s: System, m: Memory) -> None:
    """Decide who sticks, at the end of a step; ``stuck_before`` tells who did."""
    g, fastest = s.grips, 0.0
    for k in range(m.v.size):
        fastest = max(fastest, abs(m.v[k]))
    for i in range(g.sticks.size):
        # what stuck has no slip to be compared with: an impact elsewhere leaves the rounding of its rates
        m.largest_slip[i] = fastest if m.stuck_before[i] else m.grip[i, SIZE]
    grip(s, m.clock[NOW], m.x, m.v, m.a, m.stress, m.letting_go, m.largest_slip)
    for i in range(g.sticks.size):
        m.letting_go[i] = 0
        if g.sticks[i] != m.stuck_before[i]:
            m.grip[i, SIZE] = 0.0
    measure_ends(s, m)


@compiled
def let_all_go(s: System) -> None:
    """Before an impact, which knows no friction."""
    for i in range(s.grips.sticks.size):
        let_go(s, i)


@compiled
def follow(s: System, m: Memory) -> None:
    """After a step: two slips turn as they go."""
    g = s.grips
    for i in range(g.sticks.size):
        pace = math.hypot(m.grip[i, SLIP], m.grip[i, SLIP + 1])
        if g.sticks[i] == 0 and g.start[i + 1] - g.start[i] > 1 and pace > g.still[i]:
            g.direction[i, 0], g.direction[i, 1] = m.grip[i, SLIP] / pace, m.grip[i, SLIP + 1] / pace
            m.grip[i, VALUE] = -pace
        m.grip[i, BEFORE] = m.grip[i, VALUE]


@compiled
def time_to_rest(s: System, m: Memory) -> float:
    """When the first of those that slide will be at rest, as far as the accelerations tell."""
    g, soonest = s.grips, math.inf
    for i in range(g.sticks.size):
        slowing = -m.grip[i, GAIN] * g.direction[i, 0] - m.grip[i, GAIN + 1] * g.direction[i, 1]
        if g.sticks[i] == 0 and m.grip[i, BEFORE] < 0.0 and slowing > 0.0:
            soonest = min(soonest, -m.grip[i, BEFORE] / slowing)
    return soonest
