"""Penalty weights by which held strains pass inertia from heavy coordinates to light ones, in compiled code."""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.system import System

RATIO = 1e6
"""Ratio of two mobilities in one held strain above which the more mobile coordinate is light."""
_SIGNIFICANT = 1e-3
"""Square of a slope, relative to the largest of its kind in a strain, above which it is significant."""
_ROUNDING = 1e-20
"""Square of a slope, relative to the largest of all kinds with rotations at a distance of the model's size, that is
rounding."""
_PASSES = 50
"""Number of light parts in a chain behind a heavy one that are given its mass."""


@compiled
def own_inertias(s: System, places: Ints, own: Floats) -> float:
    """Diagonal of the mass matrix of the last call of the motion level; returns the ratio of its extreme entries.

    Zero entries are left out: coordinates without inertia have other weights.
    """
    table = s.mass_all
    for e in range(table.source.size):
        if table.target[e] == table.other[e] and places[table.target[e]] >= 0:
            own[places[table.target[e]]] += s.motion.out[table.source[e]]
    least, largest = math.inf, 0.0
    for i in range(own.size):
        if own[i] > 0.0:
            least, largest = min(least, own[i]), max(largest, own[i])
    return largest / least if largest > 0.0 else 1.0


@compiled
def carry_inertia(
    s: System, rows: Ints, places: Ints, turns: Ints, size: float, inertia: Floats, weights: Floats
) -> None:
    """Weights of the held strains ``rows`` that depend on light coordinates.

    ``inertia`` becomes that of the coordinates including the weights. ``turns`` is 1 for coordinates of rotations;
    ``size`` is that of the model.
    """
    square, light, new = _shares(s, rows, places, turns, size), np.zeros(inertia.size), np.zeros(inertia.size)
    most = _heaviest(places, turns, inertia)
    for _ in range(_PASSES):
        if not _found_light(s, rows, places, square, inertia, light, new):
            break
        for n in range(rows.size):
            _join(s, rows[n], n, places, square, inertia, most, new, weights)
        for n in range(rows.size):
            if weights[n] > 0.0:
                _carry(s, rows[n], weights[n], places, square, inertia)
    # strains that depend on light coordinates only
    for n in range(rows.size):
        touched, between = False, 0.0
        for e in range(s.slopes.start[rows[n]], s.slopes.start[rows[n] + 1]):
            if square[e] > 0.0:
                place = places[s.slopes.column[e]]
                touched |= light[place] > 0.0
                between += _mobility(square[e], inertia[place])
        if touched and weights[n] == 0.0 and 0.0 < between < math.inf:
            weights[n] = 1.0 / between


@compiled
def _mobility(square: float, inertia: float) -> float:
    return square / inertia if inertia > 0.0 else math.inf


@compiled
def _shares(s: System, rows: Ints, places: Ints, turns: Ints, size: float) -> Floats:
    """Squares of the significant slopes; displacements and rotations have slopes of different units."""
    square = np.zeros(s.slopes.source.size)
    for n in range(rows.size):
        first, last = s.slopes.start[rows[n]], s.slopes.start[rows[n] + 1]
        displaced = _largest(s, first, last, places, turns, 0)
        turned = _largest(s, first, last, places, turns, 1)
        for e in range(first, last):
            c = s.slopes.column[e]
            if places[c] >= 0:
                own = s.motion.out[s.slopes.source[e]] ** 2
                if turns[c] == 1:
                    least = max(_SIGNIFICANT * turned, _ROUNDING * displaced * size**2)
                else:
                    least = max(_SIGNIFICANT * displaced, _ROUNDING * turned / size**2)
                square[e] = own if own >= least else 0.0
    return square


@compiled
def _largest(s: System, first: int, last: int, places: Ints, turns: Ints, kind: int) -> float:
    """Largest square of the slopes of a strain with respect to displacements (0) or rotations (1)."""
    largest = 0.0
    for e in range(first, last):
        c = s.slopes.column[e]
        if places[c] >= 0 and turns[c] == kind:
            largest = max(largest, s.motion.out[s.slopes.source[e]] ** 2)
    return largest


@compiled
def _found_light(
    s: System, rows: Ints, places: Ints, square: Floats, inertia: Floats, light: Floats, new: Floats
) -> bool:
    """Mark newly found light coordinates; false if there are none."""
    for i in range(new.size):
        new[i] = 0.0
    found = False
    for n in range(rows.size):
        first, last = s.slopes.start[rows[n]], s.slopes.start[rows[n] + 1]
        least = math.inf
        for e in range(first, last):
            if square[e] > 0.0:
                least = min(least, _mobility(square[e], inertia[places[s.slopes.column[e]]]))
        for e in range(first, last):
            place = places[s.slopes.column[e]]
            if square[e] > 0.0 and light[place] == 0.0 and _mobility(square[e], inertia[place]) > RATIO * least:
                new[place] = 1.0
                found = True
    for i in range(new.size):
        light[i] = max(light[i], new[i])
    return found


@compiled
def _heaviest(places: Ints, turns: Ints, inertia: Floats) -> Floats:
    """Largest inertia of a coordinate of the same kind, displacement or rotation; infinite if none has inertia."""
    most = np.full(inertia.size, math.inf)
    for kind in range(2):
        largest = 0.0
        for c in range(places.size):
            if places[c] >= 0 and turns[c] == kind:
                largest = max(largest, inertia[places[c]])
        for c in range(places.size):
            if places[c] >= 0 and turns[c] == kind and largest > 0.0:
                most[places[c]] = largest
    return most


@compiled
def _join(
    s: System, strain: int, n: int, places: Ints, square: Floats, inertia: Floats, most: Floats, new: Floats,
    weights: Floats,
) -> None:  # fmt: skip
    """Weight of a strain between heavy and new light coordinates, by the geometric mean of their mobilities.

    A larger weight would hide the free motion of light parts. No coordinate gets more inertia than the heaviest of its
    kind: inertia passed along levers would grow from part to part.
    """
    heavy, light, touched, bound = 0.0, 0.0, False, math.inf
    for e in range(s.slopes.start[strain], s.slopes.start[strain + 1]):
        if square[e] > 0.0:
            place = places[s.slopes.column[e]]
            mobility = _mobility(square[e], inertia[place])
            bound = min(bound, most[place] / square[e])
            if new[place] > 0.0:
                touched = True
                light += mobility
            else:
                heavy += mobility
    if touched and heavy > 0.0 and weights[n] == 0.0:
        weights[n] = min(1.0 / math.sqrt(heavy * (light if light < math.inf else heavy)), bound)


@compiled
def _carry(s: System, strain: int, weight: float, places: Ints, square: Floats, inertia: Floats) -> None:
    """Raise the inertia of the coordinates of a strain to that given by its weight."""
    for e in range(s.slopes.start[strain], s.slopes.start[strain + 1]):
        if square[e] > 0.0:
            place = places[s.slopes.column[e]]
            inertia[place] = max(inertia[place], weight * square[e])
