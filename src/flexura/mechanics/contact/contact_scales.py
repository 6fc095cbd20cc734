"""Scales of contact: the one place that decides when a gap, rate, force, mobility, time or energy is negligible."""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, Record
from flexura.laws.touch_distance import TOUCH
from flexura.mechanics.core.system import System

TOUCHING = 1e-9
"""Distance, relative to the size of the model, at which surfaces touch in the state that a user gives."""
LAW_TOUCH = TOUCH
"""Distance from a touch, relative to the size of the model, at which a step of a contact law ends."""

_GAP = 1e-13
_LEAST_GAP = 1e-15
_LOCATED_TIME = 1e-12
_NEAR = 100.0
_TIME = 1e-14
_ULPS = 8.0 * 2.3e-16
_ROUNDING = 1e-12
_LOCATED = 2e-13
_AT_REST = 1e-9
_MOBILITY = 1e-10
_ENERGY = 1e-10

# places in ``run``: the size of the model, the length of the run, the accuracy of forces and rates, the greatest
# kinetic energy, the tolerance of the method, the greatest rate of a coordinate, the speed that friction gives or takes
# relative to the size of the model
LENGTH, SPAN, ACCURACY, ENERGY, TOLERANCE, SPEED, BRAKED = range(7)


class ContactScales(Record):
    """Magnitudes that contact is compared with: one row for each switchable row, gaps first, then slips."""

    run: Floats
    place: Floats
    """rounding of each gap: that of the coordinates it depends on"""
    rate: Floats
    """the greatest sum of the absolute parts of each rate"""
    second: Floats
    """the greatest sum of the absolute parts of the second derivative of each gap"""
    force: Floats
    """the greatest force on each row, or that of the forces on the same coordinates"""
    noise: Floats
    """rounding of the force on each gap: that of positions times the stiffness of its coordinates"""
    mobility: Floats
    """mobility without constraints, at the last event"""
    load: Floats
    """scratch: absolute forces on the coordinates"""
    mass: Floats
    """scratch: the diagonal of the mass matrix, in order of elimination"""


def contact_scales(s: System, size: float, span: float, tolerance: float) -> ContactScales:
    """Scales at the start of a run of a model of this size, by a method of this tolerance."""
    count = s.switches.on.size
    return ContactScales(
        run=np.array([size, span, _LOCATED, 0.0, tolerance, 0.0, 0.0]),
        place=np.zeros(s.gaps.strain.size),
        rate=np.zeros(count),
        second=np.zeros(s.gaps.strain.size),
        force=np.zeros(count),
        noise=np.zeros(count),
        mobility=np.zeros(count),
        load=np.zeros(s.coordinate_place.size if count else 0),
        mass=np.zeros(s.z.size if count else 0),
    )


@compiled
def negligible_time(c: ContactScales, t: float) -> float:
    """Time below which no step, search or distance between events is resolved."""
    return float(max(_TIME * c.run[SPAN], _ULPS * abs(t)))


@compiled
def negligible_gap(c: ContactScales, n: int, rate: float, t: float) -> float:
    """Rounding of the positions, and of the time at which they are evaluated."""
    distance: float = _GAP * c.run[LENGTH] + c.place[n]
    return distance + 2.0 * negligible_time(c, t) * abs(rate) if abs(rate) < math.inf else distance


@compiled
def located_gap(c: ContactScales, n: int, rate: float, t: float) -> float:
    """Distance at which an impact is located: small compared with slow rebounds, because their times add up."""
    in_time = max(_LOCATED_TIME * c.run[SPAN] * abs(rate), _LEAST_GAP * c.run[LENGTH] + c.place[n])
    return float(min(negligible_gap(c, n, rate, t), in_time))


@compiled
def near_gap(c: ContactScales) -> float:
    """Distance at which surfaces count as touching when another contact strikes."""
    return float(_NEAR * _GAP * c.run[LENGTH])


@compiled
def negligible_rate(c: ContactScales, n: int, second: float, t: float) -> float:
    """Rounding of a rate, plus the change due to the second derivative in a negligible time."""
    rounding = _ROUNDING * c.rate[n] + _ULPS * c.run[SPEED]
    return float(rounding + abs(second) * negligible_time(c, t))


@compiled
def rests_within_tolerance(c: ContactScales, n: int, rebound: float, second: float, wait: float) -> bool:
    """True if remaining impacts that last ``wait`` change rates and positions by less than the tolerance."""
    allowed = c.run[TOLERANCE]
    return bool(wait * abs(second) <= allowed * c.rate[n] and wait * rebound <= allowed * c.run[LENGTH])


@compiled
def keeps_energy(c: ContactScales, n: int, rebound: float, flight: float) -> bool:
    """True where a rebound has less than the tolerance of the energy, and its flight of the size of the model."""
    allowed = c.run[TOLERANCE]
    return bool(rebound * rebound <= allowed * c.rate[n] ** 2 and flight * rebound <= allowed * c.run[LENGTH])


@compiled
def located_rate(c: ContactScales, n: int) -> float:
    """Slip rate at which the end of sliding is located."""
    return float(c.run[ACCURACY] * max(c.rate[n], c.run[BRAKED]))


@compiled
def rounded_slip(c: ContactScales) -> float:
    """Slip rate that is rounding; while nothing has moved yet, relative to the speed that friction can cause."""
    return float(_ROUNDING * (c.run[SPEED] + c.run[BRAKED]))


@compiled
def slip_at_rest(c: ContactScales, n: int, fastest: float, still: float) -> float:
    """Slip rate at which a contact may stick, relative to the largest so far; no finer than slips are located."""
    return float(still + max(_AT_REST, c.run[ACCURACY]) * max(c.rate[n], fastest) + rounded_slip(c))


@compiled
def negligible_force(c: ContactScales, n: int) -> float:
    """Force at which the end of contact, or of sticking, is located."""
    return float(max(c.run[ACCURACY] * c.force[n], c.noise[n]))


@compiled
def negligible_second(c: ContactScales, n: int) -> float:
    """Rounding of the second derivative of a gap."""
    return float(_ROUNDING * c.second[n] + c.noise[n] * c.mobility[n])


@compiled
def negligible_mobility(c: ContactScales, n: int) -> float:
    """Mobility that counts as zero: the constraints admit no motion along the row."""
    return float(_MOBILITY * c.mobility[n])


@compiled
def negligible_energy(c: ContactScales) -> float:
    """Kinetic energy that the transition to sticking may remove."""
    return float(_ENERGY * c.run[ENERGY])
