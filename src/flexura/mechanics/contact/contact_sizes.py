"""Magnitudes of rates, forces, mobilities and energy in contacts, recorded along a run for the contact scales."""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.contact.contact_scales import BRAKED, ENERGY, LENGTH, SPEED, ContactScales
from flexura.mechanics.contact.gap_states import OPEN
from flexura.mechanics.contact.stick_slip_forces import friction_force, static_limit
from flexura.mechanics.core.strain_rates import rate_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.energies import kinetic_energy

_EPSILON = 8.0 * 2.3e-16
"""Rounding of coordinates, and of the sums in which they occur."""


_STILL = 1e-6
"""Two-component slip rate, relative to the largest so far, below which its direction is undefined."""


@compiled
def _parts_of_second(s: System, k: int, a: Floats) -> float:
    """Sum of the absolute terms of the second derivative of a strain."""
    out, slopes = s.motion.out, s.slopes
    size = abs(out[slopes.convection[k]])
    for e in range(slopes.start[k], slopes.start[k + 1]):
        size += abs(out[slopes.source[e]] * a[slopes.column[e]])
    return float(size)


@compiled
def _beside(s: System, k: int, load: Floats) -> float:
    """Force along a strain that corresponds to given forces on its coordinates."""
    out, slopes = s.motion.out, s.slopes
    beside = square = 0.0
    for e in range(slopes.start[k], slopes.start[k + 1]):
        slope = abs(out[slopes.source[e]])
        beside += slope * load[slopes.column[e]]
        square += slope * slope
    return beside / square if square > 0.0 else 0.0


@compiled
def _put_forces(s: System, k: int, stress: float, load: Floats) -> None:
    """Add the absolute forces of a stress on the coordinates."""
    out, slopes = s.motion.out, s.slopes
    for e in range(slopes.start[k], slopes.start[k + 1]):
        load[slopes.column[e]] += abs(out[slopes.source[e]] * stress)


@compiled
def _rounding_of_law(s: System, n: int, x: Floats, v: Floats) -> float:
    """Rounding of the stress of a linear law: that of strain and rate, times stiffness and damping."""
    out, slopes, laws, total = s.motion.out, s.slopes, s.laws, 0.0
    for e in range(laws.start[n], laws.start[n + 1]):
        k = laws.other[e]
        for j in range(slopes.start[k], slopes.start[k + 1]):
            slope, column = abs(out[slopes.source[j]]), slopes.column[j]
            total += slope * (abs(laws.stiffness[e] * x[column]) + abs(laws.damping[e] * v[column]))
    return _EPSILON * total


@compiled
def _note_forces(s: System, c: ContactScales, x: Floats, v: Floats, stress: Floats) -> None:
    """Raise the scales of the forces on gaps and of their rounding."""
    clear(c.load)
    for k in range(s.slopes.start.size - 1):
        if stress[k] != 0.0:
            _put_forces(s, k, stress[k], c.load)
    for n in range(s.gaps.strain.size):
        if s.switches.on[n]:
            k = s.switches.strain[n]
            c.force[n] = max(c.force[n], abs(stress[k]), _beside(s, k, c.load))
    clear(c.load)
    for n in range(s.laws.strain.size):
        _put_forces(s, s.laws.strain[n], _rounding_of_law(s, n, x, v), c.load)
    for n in range(s.gaps.strain.size):
        c.noise[n] = max(c.noise[n], _beside(s, s.switches.strain[n], c.load))


@compiled
def note_sizes(s: System, c: ContactScales, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Raise the scales of rates, forces and energy to those of a state, with the kernels of the last evaluation."""
    switches, gaps, closed = s.switches, s.gaps.strain.size, False
    for k in range(v.size):
        c.run[SPEED] = max(c.run[SPEED], abs(v[k]))
    for n in range(switches.on.size):
        c.rate[n] = max(c.rate[n], rate_of(s, switches.strain[n], v)[1])
        if n < gaps:
            # the gap of a bearing has no slopes when the journal is at its centre
            place, second = rate_of(s, switches.strain[n], x)[1], _parts_of_second(s, switches.strain[n], a)
            c.place[n] = _EPSILON * place if place < math.inf else 0.0
            c.second[n] = max(c.second[n], second if second < math.inf else 0.0)
            closed = closed or switches.on[n] == 1 or s.gaps.phase[n] != OPEN
    if closed:
        _note_forces(s, c, x, v, stress)
    for i in range(s.grips.sticks.size):
        size = friction_force(s, i, stress) + static_limit(s, i, stress)
        for n in range(s.grips.start[i], s.grips.start[i + 1]):
            c.force[n] = max(c.force[n], size)
            c.run[BRAKED] = max(c.run[BRAKED], math.sqrt(c.force[n] * c.mobility[n] * c.run[LENGTH]))
            if s.grips.start[i + 1] - s.grips.start[i] > 1:
                s.grips.still[i] = max(s.grips.still[i], _STILL * c.rate[n])
    if s.grips.sticks.size:
        c.run[ENERGY] = max(c.run[ENERGY], kinetic_energy(s, v))


@compiled
def note_mobilities(s: System, c: ContactScales) -> None:
    """Mobilities of the rows of an evaluated state without constraints, Σ G_k²/M_kk.

    A massless coordinate has the mass that the penalty terms of its constraints give it in the factors.
    """
    out, slopes, mass, augmented = s.motion.out, s.slopes, c.mass, s.augmented
    clear(mass)
    for i in range(s.mass.source.size):
        if s.mass.target[i] < mass.size:
            mass[s.mass.target[i]] += out[s.mass.source[i]]
    for n in range(augmented.row.size):
        for i in range(augmented.start[n], augmented.start[n + 1]):
            mass[augmented.place[i]] += augmented.weight[n] * out[augmented.source[i]] ** 2
    for n in range(s.switches.on.size):
        k, total = s.switches.strain[n], 0.0
        for e in range(slopes.start[k], slopes.start[k + 1]):
            if slopes.target[e] >= 0 and mass[slopes.target[e]] > 0.0:
                total += out[slopes.source[e]] ** 2 / mass[slopes.target[e]]
        c.mobility[n] = total
