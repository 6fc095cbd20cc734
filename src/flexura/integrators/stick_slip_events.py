"""Stick–slip events along a run: end of sticking at the limit of friction, and end of sliding."""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable
from flexura.integrators.root_location import NEVER, rising
from flexura.integrators.run_memory import LAST_STEP, NOW, REDONE, STIFF, Memory
from flexura.mechanics.contact.contact_modes import (
    apply_modes,
    choose_modes,
    expect_modes,
    gather,
    measure_modes,
)
from flexura.mechanics.contact.contact_scales import LENGTH, located_rate, negligible_force, slip_at_rest
from flexura.mechanics.contact.contact_sizes import note_mobilities, note_sizes
from flexura.mechanics.contact.gap_states import OPEN, RATE
from flexura.mechanics.contact.mode_equations import BACKWARD, FORWARD, STUCK
from flexura.mechanics.contact.resting_contacts import stick_all
from flexura.mechanics.contact.stick_slip import choose_sticking, is_pressed, release, set_direction, speed
from flexura.mechanics.contact.stick_slip_forces import friction_force, static_limit
from flexura.mechanics.core.strain_rates import second_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import slip_rate

# columns of ``Memory.grip``: the event function of a frictional contact, positive after a change of state, at both ends
# of a step; the slips and their accelerations
VALUE, BEFORE, SLIP, GAIN = 0, 1, 2, 4

_ROUNDING = 8.0 * 2.3e-16
"""Rounding of positions, relative to the size of the model."""
_FURTHER = 0.1
"""Fraction of a step by which it is lengthened to reach an event."""


@compiled
def measure_grips(s: System, v: Floats, stress: Floats, values: FloatTable, column: int) -> None:
    """Event functions: excess of friction over its limit for sticking contacts, reversed slip for sliding contacts."""
    g = s.grips
    for i in range(g.sticks.size):
        if g.sticks[i]:
            values[i, column] = friction_force(s, i, stress) - static_limit(s, i, stress)
        else:
            values[i, column] = 0.0
            for n in range(g.start[i], g.start[i + 1]):
                values[i, column] -= slip_rate(s, n, v)[0] * g.direction[i, n - g.start[i]]


@compiled
def measure_ends(s: System, m: Memory) -> None:
    """Evaluate the event functions at the end of a step, with the slips and their accelerations."""
    g = s.grips
    measure_grips(s, m.v, m.stress, m.grip, VALUE)
    for i in range(g.sticks.size):
        for n in range(g.start[i], g.start[i + 1]):
            place = n - g.start[i]
            m.grip[i, SLIP + place] = slip_rate(s, n, m.v)[0]
            m.grip[i, GAIN + place] = second_of(s, s.switches.strain[n], m.a)


@compiled
def _held(s: System, i: int) -> bool:
    """True if the rows of all slips of a contact are active."""
    for n in range(s.grips.start[i], s.grips.start[i + 1]):  # noqa: SIM110 - compiled
        if s.switches.on[n] == 0:
            return False
    return True


@compiled
def zero_beyond_step(m: Memory, before: float, value: float) -> float:
    """Fraction, beyond the end of the step, at which a rising force becomes zero by extrapolation; NEVER if it is far.

    Forces of implicit methods are interpolated. In a separate short step for the rest they would be lost in the
    rounding of rates.
    """
    if m.count[STIFF] and m.count[REDONE] > 0 and before < value < 0.0:
        more = value / (before - value)
        if more < _FURTHER:
            return 1.0 + more
    return NEVER


@compiled
def _end_of_stick(s: System, m: Memory, i: int) -> float:
    """Fraction of the step where a sticking contact is released: 1 at its end, to the accuracy of location."""
    g, c = s.grips, m.scales
    first, value, before = g.start[i], m.grip[i, VALUE], m.grip[i, BEFORE]
    least = negligible_force(c, first)
    # a contact held by other rows slides when these are released
    freed = not _held(s, i) and speed(s, i, m.v)[0] > 10.0 * slip_at_rest(c, first, 0.0, g.still[i])
    m.letting_go[i] = 1 if freed or value >= -least else 0
    if freed or abs(value) <= least:
        return 1.0
    place: float = rising(before, m.grip_probe[i], value, m.neville)
    return place if place < NEVER else zero_beyond_step(m, before, value)


@compiled
def _end_of_slip(s: System, m: Memory, i: int) -> float:
    """Fraction of the step where a sliding contact comes to rest: 1 at its end, to the accuracy of location."""
    g, c = s.grips, m.scales
    first, value, before = g.start[i], m.grip[i, VALUE], m.grip[i, BEFORE]
    least = located_rate(c, first)
    m.letting_go[i] = 0
    if g.creep[i, 0] > 0.0 or not is_pressed(s, c, i, m.stress):
        return NEVER
    if before >= -least:
        # it has hardly begun to slide: without a reversal of slip it has not come to rest
        if value <= least:
            return NEVER
        return 1.0 if value <= max(slip_at_rest(c, first, 0.0, g.still[i]), 10.0 * least) else 0.1
    if abs(value) <= least:
        return 1.0
    return NEVER if _grows(m, i) else rising(before, m.grip_probe[i], value, m.neville)


@compiled
def _grows(m: Memory, i: int) -> bool:
    """True if a slip grows over the step, and its values inside are smaller only by the rounding of positions.

    Rates inside a short step are differences of positions over it, in which a slip that has just begun would be lost.
    """
    rounding, fallen = _ROUNDING * m.scales.run[LENGTH] / m.clock[LAST_STEP], False
    for k in range(m.grip_probe.shape[1]):
        fallen = fallen or m.grip_probe[i, k] > rounding
    return bool(m.grip[i, VALUE] < m.grip[i, BEFORE] and not fallen)


@compiled
def change(s: System, m: Memory, i: int) -> float:
    """Fraction of the step where a frictional contact changes its state."""
    return _end_of_stick(s, m, i) if s.grips.sticks[i] else _end_of_slip(s, m, i)


@compiled
def _close(s: System, struck: bool) -> None:
    """Note the gaps that are closed, and neither open nor approach."""
    g = s.gaps
    for n in range(g.strain.size):
        rests = struck and g.touching[n] == 1 and g.state[n, RATE] <= g.size[n]
        s.modes.closed[n] = 1 if g.phase[n] != OPEN or rests else 0


@compiled
def _expect(s: System, m: Memory) -> None:
    """Modes to try first: a released contact slides in the direction of its friction force, one without slip sticks."""
    q = s.modes
    for j in range(q.count[0]):
        i = q.grip[j]
        q.expected[j] = STUCK
        if i >= 0 and m.letting_go[i] and m.stuck_before[i]:
            q.expected[j] = FORWARD if m.stress[s.switches.strain[s.grips.start[i]]] > 0.0 else BACKWARD


@compiled
def _choose(s: System, m: Memory) -> bool:
    """Choose between open, sliding and sticking for a few planar contacts; false if no combination is consistent."""
    q, t = s.modes, m.clock[NOW]
    _expect(s, m)
    release_all(s)
    for i in range(s.grips.sticks.size):
        s.grips.sticks[i] = 1
    measure_modes(s, m.scales, t, m.x, m.v, m.a, m.stress)
    expect_modes(s, m.scales, m.v, m.fastest)
    for j in range(q.count[0]):
        if q.way[j] != 0:
            q.expected[j] = q.way[j]
    for i in range(s.grips.sticks.size):
        release(s, i)
        set_direction(s, i, m.v)
    if not choose_modes(s, m.scales):
        return False
    apply_modes(s, m.scales, t, m.x, m.v, m.a, m.stress)
    # sliding friction of contacts that jam together has no forces, although this combination satisfies the conditions
    return bool(np.all(np.isfinite(m.a)))


@compiled
def update_sticking(s: System, m: Memory, struck: bool) -> bool:
    """Choose the sticking contacts at the end of a step; ``stuck_before`` has the previous ones.

    False if friction admits no accelerations.
    """
    g, fastest = s.grips, 0.0
    for k in range(m.v.size):
        fastest = max(fastest, abs(m.v[k]))
    for i in range(g.sticks.size):
        # a contact that was sticking has no slip scale of its own: an impact elsewhere leaves the rounding of its rates
        m.fastest[i] = fastest if m.stuck_before[i] else 0.0
    note_sizes(s, m.scales, m.x, m.v, m.a, m.stress)
    note_mobilities(s, m.scales)
    _close(s, struck)
    scratch = m.xs[0]
    few, now = gather(s), m.clock[NOW]
    if m.count[STIFF] or not stick_all(s, m.scales, now, m.x, m.v, m.a, m.stress, m.fastest, scratch):
        if few and not _choose(s, m):
            return False
        if not few:
            choose_sticking(s, m.scales, now, m.x, m.v, m.a, m.stress, m.letting_go, m.fastest, scratch)
    for i in range(g.sticks.size):
        m.letting_go[i] = 0
    measure_ends(s, m)
    return True


@compiled
def release_all(s: System) -> None:
    """Release all frictional contacts before an impact."""
    for i in range(s.grips.sticks.size):
        release(s, i)


@compiled
def update_directions(s: System, m: Memory) -> None:
    """Update the sliding directions after a step: two-component slips turn, and frictionless slips may reverse."""
    g = s.grips
    for i in range(m.grip.shape[0]):
        single = g.start[i + 1] - g.start[i] == 1
        pace = abs(m.grip[i, SLIP]) if single else math.hypot(m.grip[i, SLIP], m.grip[i, SLIP + 1])
        turns = not single or not is_pressed(s, m.scales, i, m.stress)
        if g.sticks[i] == 0 and turns and pace > g.still[i]:
            g.direction[i, 0] = m.grip[i, SLIP] / pace
            g.direction[i, 1] = 0.0 if single else m.grip[i, SLIP + 1] / pace
            m.grip[i, VALUE] = -pace
        m.grip[i, BEFORE] = m.grip[i, VALUE]


@compiled
def time_to_rest(s: System, m: Memory) -> float:
    """Time until the first sliding contact comes to rest at constant accelerations."""
    g, soonest = s.grips, math.inf
    for i in range(m.grip.shape[0]):
        slowing = -m.grip[i, GAIN] * g.direction[i, 0] - m.grip[i, GAIN + 1] * g.direction[i, 1]
        slides = g.sticks[i] == 0 and g.creep[i, 0] == 0.0
        if slides and m.grip[i, BEFORE] < 0.0 and slowing > 0.0 and is_pressed(s, m.scales, i, m.stress):
            soonest = min(soonest, -m.grip[i, BEFORE] / slowing)
    return soonest
