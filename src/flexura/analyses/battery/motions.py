"""Checks of an element's functions under rigid motions."""

from __future__ import annotations

import numpy as np

from flexura.analyses.battery.duals import numbers
from flexura.analyses.battery.specimen import Array, Specimen
from flexura.analyses.battery.state import State, difference, moved, states, turned

TURN, SHIFT = 2.6, (0.4, -1.1)


def zero_as_drawn(specimen: Specimen) -> float:
    """the strains are zero in the drawn position"""
    return difference(specimen.strain(list(specimen.position)), np.zeros(len(specimen.element.strains)))


def invariant_strain(specimen: Specimen) -> float:
    """the strains do not change in a rigid motion, over several turns"""
    worst = 0.0
    for state in states(specimen):
        here = state.specimen.strain(list(state.x))
        far, x = moved(state.specimen, state.x, 3 * TURN, SHIFT)
        worst = max(worst, difference(far.strain(list(x)), here))
    return worst


def moving_shape(specimen: Specimen) -> float:
    """the shape moves along in a rigid motion"""
    if not specimen.has_shape:
        return 0.0
    worst = 0.0
    for s in (0.0, 0.3, 1.0):
        for state in states(specimen):
            here = np.array([float(c) for c in state.specimen.shape(s, list(state.x))])
            far, x = moved(state.specimen, state.x, TURN, SHIFT)
            c, d = np.cos(TURN), np.sin(TURN)
            expected = [c * here[0] - d * here[1] + SHIFT[0], d * here[0] + c * here[1] + SHIFT[1], *(here[2:] + TURN)]
            worst = max(worst, difference([float(c) for c in far.shape(s, list(x))], expected))
    return worst


def equivariant_inertia(specimen: Specimen) -> float:
    """the inertia force turns along with positions, rates and accelerations, and steady translation costs none"""
    worst = 0.0
    for state in states(specimen):
        x, v, a = state.x, state.v, state.a
        here = numbers(state.specimen.inertia(list(x), list(v), list(a)))
        far, y = moved(state.specimen, x, TURN, SHIFT)
        w, b = (turned(far, rates, TURN, SHIFT, whole=False) for rates in (v, a))
        there = numbers(far.inertia(list(y), list(w), list(b)))
        worst = max(worst, difference(there, turned(far, here, TURN, SHIFT, whole=False)))
        worst = max(worst, _drifting(state, here))
    return worst


def _drifting(state: State, here: Array) -> float:
    """The same force as seen from a train that passes at a steady speed."""
    train = turned(state.specimen, np.zeros_like(state.v), 0.0, SHIFT)
    there = state.specimen.inertia(list(state.x), list(state.v + train), list(state.a))
    return difference(numbers(there), here)
