"""Checks of an element's functions under rigid motions."""

from __future__ import annotations

import numpy as np

from flexura.battery.rigid import AHEAD, ASIDE, rigid
from flexura.battery.specimen import Array, Specimen
from flexura.battery.state import State, difference, moved, states
from flexura.derive.duals import along, numbers
from flexura.nodes import Point, SpatialPoint


def zero_as_drawn(specimen: Specimen) -> float:
    """the strains, but for distances between surfaces, are zero in the drawn position"""
    element = specimen.element
    drawn = zip(element.deformations(), specimen.strain(list(specimen.position)), strict=True)
    found = [value for name, value in drawn if name not in element.gaps]
    return difference(found, np.zeros(len(found)))


def _carried(specimen: Specimen) -> bool:
    """True if its strains rotate with it: not for a contact at a node, which has global axes."""
    return not (specimen.element.gaps and {Point, SpatialPoint} & set(specimen.node_kinds))


def invariant_strain(specimen: Specimen) -> float:
    """the strains do not change in a rigid motion, over several turns"""
    worst, far = 0.0, rigid(specimen, 3 * AHEAD, ASIDE)
    for state in states(specimen) if _carried(specimen) else ():
        here = state.specimen.strain(list(state.x))
        there, x = moved(state.specimen, state.x, far)
        worst = max(worst, difference(there.strain(list(x)), here))
    return worst


def rigid_rate(specimen: Specimen) -> float:
    """a rigid motion strains nothing: D′ẋ = 0"""
    worst, spinning = 0.0, rigid(specimen, AHEAD, ASIDE)
    for state in states(specimen) if _carried(specimen) else ():
        rates = spinning.rates(state.specimen, state.x)
        strain = numbers(along(state.specimen.strain, list(state.x), list(rates)))
        worst = max(worst, difference(strain, np.zeros(len(strain))))
    return worst


def invariant_slip(specimen: Specimen) -> float:
    """the slips do not change when places and rates are turned alike"""
    worst, far = 0.0, rigid(specimen, AHEAD, ASIDE)
    for state in states(specimen) if specimen.element.slips and _carried(specimen) else ():
        here = state.specimen.slip(list(state.x), list(state.v))
        there, x = moved(state.specimen, state.x, far)
        worst = max(worst, difference(there.slip(list(x), list(far.direction(there, state.v))), here))
    return worst


def linear_rates(specimen: Specimen) -> float:
    """slips and angular velocities are linear in the rates"""
    worst = 0.0
    for state in states(specimen):
        s, x = state.specimen, list(state.x)
        for function in (s.slip, lambda x, v, s=s: s.spins(x, v)[0]):
            one, other = (numbers(function(x, list(rates))) for rates in (state.v, state.a))
            both = numbers(function(x, list(0.7 * state.v - 1.9 * state.a)))
            worst = max(worst, difference(both, 0.7 * one - 1.9 * other))
    return worst


def moving_shape(specimen: Specimen) -> float:
    """the shape moves along in a rigid motion"""
    if not specimen.has_shape:
        return 0.0
    worst, far, dimension = 0.0, rigid(specimen, AHEAD, ASIDE), specimen.dimension
    for s in (0.0, 0.3, 1.0):
        for state in states(specimen):
            here = np.array([float(c) for c in state.specimen.shape(s, list(state.x))])
            there, x = moved(state.specimen, state.x, far)
            expected = [*(far.vectors @ here[:dimension] + far.shift), *(here[dimension:] + far.turn[0])]
            worst = max(worst, difference([float(c) for c in there.shape(s, list(x))], expected))
    return worst


def equivariant_inertia(specimen: Specimen) -> float:
    """the inertia force turns along with positions, rates and accelerations, and steady translation costs none"""
    worst, far = 0.0, rigid(specimen, AHEAD, ASIDE)
    for state in states(specimen):
        x, v, a = state.x, state.v, state.a
        here = numbers(state.specimen.inertia(list(x), list(v), list(a)))
        there, y = moved(state.specimen, x, far)
        w, b = (far.direction(there, rates) for rates in (v, a))
        found = numbers(there.inertia(list(y), list(w), list(b)))
        worst = max(worst, difference(found, far.direction(there, here)))
        worst = max(worst, _drifting(state, here))
    return worst


def _drifting(state: State, here: Array) -> float:
    """Difference of the force in a frame that moves at a constant speed."""
    train = rigid(state.specimen, np.zeros(3), ASIDE).rates(state.specimen, state.x)
    there = state.specimen.inertia(list(state.x), list(state.v + train), list(state.a))
    return difference(numbers(there), here)
