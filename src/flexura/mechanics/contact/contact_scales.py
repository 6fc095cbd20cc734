"""Scales of contact: the one place that decides when a gap, rate, force, mobility, time or energy is negligible."""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats, Record
from flexura.laws.touch_distance import TOUCH
from flexura.mechanics.contact.stick_slip_forces import friction_force, static_limit
from flexura.mechanics.core.strain_rates import rate_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.energies import kinetic_energy

TOUCHING = 1e-9
"""Distance, against the size of the model, at which surfaces touch in the state that a user gives."""
LAW_TOUCH = TOUCH
"""Distance, against the size of the model, from a touch at which a step of a contact law ends."""
STILL = 1e-6
"""1/s: slower than this, against the size of the model, a slip of two components has no direction of its own."""

_GAP = 1e-13
_NEAR = 100.0
_TIME = 1e-14
_ULPS = 8.0 * 2.3e-16
_ROUNDING = 1e-12
_LOCATED = 2e-13
_AT_REST = 1e-9
_MOBILITY = 1e-10
_ENERGY = 1e-10

# places in ``run``: the size of the model, the length of the run, the accuracy of forces and rates, the greatest
# kinetic energy
LENGTH, SPAN, ACCURACY, ENERGY = range(4)


class ContactScales(Record):
    """Sizes against which contact is judged; a row a switch, gaps first, then slips."""

    run: Floats
    rate: Floats
    """the greatest sum of the absolute parts of each rate"""
    force: Floats
    """the greatest force of each, or of the forces beside it"""
    mobility: Floats
    """mobility without any constraint, at the last event"""
    load: Floats
    """scratch: absolute forces on the coordinates"""
    mass: Floats
    """scratch: the diagonal of the mass matrix, in order of elimination"""


def contact_scales(s: System, size: float, span: float) -> ContactScales:
    """Scales at the start of a run of a model of this size."""
    count = s.switches.on.size
    return ContactScales(
        run=np.array([size, span, _LOCATED, 0.0]),
        rate=np.zeros(count),
        force=np.zeros(count),
        mobility=np.zeros(count),
        load=np.zeros(s.coordinate_place.size if count else 0),
        mass=np.zeros(s.z.size if count else 0),
    )


@compiled
def negligible_time(c: ContactScales, t: float) -> float:
    """No step, search or distance between events is shorter."""
    return float(max(_TIME * c.run[SPAN], _ULPS * abs(t)))


@compiled
def negligible_gap(c: ContactScales, rate: float, t: float) -> float:
    """Rounding of positions, and of the time at which they are taken."""
    distance: float = _GAP * c.run[LENGTH]
    return distance + 2.0 * negligible_time(c, t) * abs(rate) if abs(rate) < math.inf else distance


@compiled
def near_gap(c: ContactScales) -> float:
    """Distance within which surfaces touch when others strike."""
    return float(_NEAR * _GAP * c.run[LENGTH])


@compiled
def negligible_rate(c: ContactScales, n: int, second: float, t: float) -> float:
    """Rounding of a rate, and the change that the second derivative makes in a negligible time."""
    return float(_ROUNDING * c.rate[n] + abs(second) * negligible_time(c, t))


@compiled
def located_rate(c: ContactScales, n: int) -> float:
    """Slip at which the end of sliding is located."""
    return float(c.run[ACCURACY] * c.rate[n])


@compiled
def slip_at_rest(c: ContactScales, n: int, fastest: float, still: float) -> float:
    """Slip that may stick, beside the greatest that there was."""
    return float(still + _AT_REST * max(c.rate[n], fastest))


@compiled
def negligible_force(c: ContactScales, n: int) -> float:
    """Force at which the end of contact, or of sticking, is located."""
    return float(c.run[ACCURACY] * c.force[n])


@compiled
def negligible_mobility(c: ContactScales, n: int) -> float:
    """Mobility that is none: the constraints leave no motion along the row."""
    return float(_MOBILITY * c.mobility[n])


@compiled
def negligible_energy(c: ContactScales) -> float:
    """Kinetic energy that sticking may take."""
    return float(_ENERGY * c.run[ENERGY])


@compiled
def note_sizes(s: System, c: ContactScales, v: Floats, stress: Floats) -> None:
    """Raise the scales of rates, forces and energy to those of a state, with the kernels of the last evaluation."""
    out, slopes, switches = s.motion.out, s.slopes, s.switches
    clear(c.load)
    for k in range(slopes.start.size - 1):
        if stress[k] != 0.0:
            for e in range(slopes.start[k], slopes.start[k + 1]):
                c.load[slopes.column[e]] += abs(out[slopes.source[e]] * stress[k])
    gaps = s.gaps.strain.size
    for n in range(switches.on.size):
        k = switches.strain[n]
        c.rate[n] = max(c.rate[n], rate_of(s, k, v)[1])
        if n < gaps and switches.on[n]:
            beside = square = 0.0
            for e in range(slopes.start[k], slopes.start[k + 1]):
                slope = abs(out[slopes.source[e]])
                beside += slope * c.load[slopes.column[e]]
                square += slope * slope
            c.force[n] = max(c.force[n], abs(stress[k]), beside / square if square > 0.0 else 0.0)
    for i in range(s.grips.sticks.size):
        size = friction_force(s, i, stress) + static_limit(s, i, stress)
        for n in range(s.grips.start[i], s.grips.start[i + 1]):
            c.force[n] = max(c.force[n], size)
    if s.grips.sticks.size:
        c.run[ENERGY] = max(c.run[ENERGY], kinetic_energy(s, v))


@compiled
def note_mobilities(s: System, c: ContactScales) -> None:
    """Mobilities of the rows without constraints, Σ G_k²/M_kk, at an evaluated state."""
    out, slopes, mass = s.motion.out, s.slopes, c.mass
    clear(mass)
    for i in range(s.mass.source.size):
        if s.mass.target[i] < mass.size:
            mass[s.mass.target[i]] += out[s.mass.source[i]]
    for n in range(s.switches.on.size):
        k, total = s.switches.strain[n], 0.0
        for e in range(slopes.start[k], slopes.start[k + 1]):
            if slopes.target[e] >= 0 and mass[slopes.target[e]] > 0.0:
                total += out[slopes.source[e]] ** 2 / mass[slopes.target[e]]
        c.mobility[n] = total
