"""Weights of held strains that join light parts to heavy ones.

Without them the matrix takes the acceleration of a light part from its own small mass: a rounding error of the forces
on it, divided by that mass, hides the heavy parts behind it. The weight of a held strain carries mass over.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact
from flexura.mechanics.core.system import System

_RATIO = 1e6
"""Ratio of two mobilities in one held strain from which on the more mobile coordinate is light."""
_SIGNIFICANT = 1e-3
"""Square of a slope, against the largest of its kind in a strain, from which on a coordinate takes part in it."""
_PASSES = 50
"""Light parts in a chain behind a heavy one that are given its mass."""


def light_weights(layout: Layout, system: System, places: Ints) -> dict[int, float]:
    """Weights of the held strains that touch light coordinates; none where inertias are alike.

    A coordinate is light if its mobility (∂ε/∂x)²/m in a held strain exceeds that of another one by 10⁶. ``places`` has
    the place of each coordinate with inertia, -1 for the others; the motion level was called before.
    """
    inertia = _own_inertias(system, places)
    # coordinates without inertia are held by the strains that make the mass positive definite
    own = inertia[inertia > 0.0]
    if own.size == 0 or own.max() <= _RATIO * own.min():
        return {}
    rows, entry, row = _entries(layout, system, places)
    place, square = places[system.slopes.column[entry]], system.motion.out[system.slopes.source[entry]] ** 2
    # displacements and rotations have slopes of different units
    rotation = _rotation_flags(layout)[system.slopes.column[entry]]
    kind = 2 * row + rotation
    largest = np.zeros(2 * rows.size)
    np.maximum.at(largest, kind, square)
    part = np.flatnonzero((square > 0.0) & (square >= _SIGNIFICANT * largest[kind]))
    bound = _heaviest(inertia, place[part], square[part], row[part], rotation[part], rows.size)
    weights = _carry_inertia(inertia, place[part], square[part], row[part], bound)
    _weigh_unit_lengths(layout, rows, places, inertia, weights)
    return {int(k): float(w) for k, w in zip(rows, weights, strict=True) if w > 0.0}


def _heaviest(inertia: Floats, place: Ints, square: Floats, row: Ints, rotation: Ints, count: int) -> Floats:
    """Largest weight of each strain: no coordinate gets more inertia by it than the heaviest one of its kind has.

    Without a bound, inertia that is carried along levers grows from part to part.
    """
    most = np.full(2, np.inf)
    for kind in (0, 1):
        own = inertia[place[rotation == kind]].max(initial=0.0)
        most[kind] = own if own > 0.0 else np.inf
    bound = np.full(count, np.inf)
    np.minimum.at(bound, row, most[rotation] / square)
    return bound


def _carry_inertia(inertia: Floats, place: Ints, square: Floats, row: Ints, bound: Floats) -> Floats:
    """Weights of the strains that touch light coordinates; ``inertia`` becomes that which these have by the weights."""
    count = bound.size
    weights, light = np.zeros(count), np.zeros(inertia.size, dtype=bool)
    for _ in range(_PASSES):
        mobility = _mobilities(square, inertia[place])
        least = np.full(count, np.inf)
        np.minimum.at(least, row, mobility)
        new = np.zeros(inertia.size, dtype=bool)
        new[place[mobility > _RATIO * least[row]]] = True
        new &= ~light
        if not new.any():
            break
        light |= new
        # between heavy and light, in the geometric mean: more would hide how light parts move freely
        heavy = np.bincount(row[~new[place]], weights=mobility[~new[place]], minlength=count)
        joined = np.zeros(count, dtype=bool)
        joined[row[new[place]]] = True
        joined &= (heavy > 0.0) & (weights == 0.0)
        light_ones = np.bincount(row[new[place]], weights=mobility[new[place]], minlength=count)
        light_ones = np.where(np.isfinite(light_ones), light_ones, heavy)
        weights[joined] = np.minimum(1.0 / np.sqrt(heavy[joined] * light_ones[joined]), bound[joined])
        np.maximum.at(inertia, place[joined[row]], (weights[row] * square)[joined[row]])
    # strains of light coordinates alone
    alone = np.zeros(count, dtype=bool)
    alone[row[light[place]]] = True
    alone &= weights == 0.0
    between = np.bincount(row, weights=_mobilities(square, inertia[place]), minlength=count)
    alone &= (between > 0.0) & np.isfinite(between)
    weights[alone] = 1.0 / between[alone]
    return weights


def _mobilities(square: Floats, inertia: Floats) -> Floats:
    return np.divide(square, inertia, out=np.full(square.size, np.inf), where=inertia > 0.0)


def _weigh_unit_lengths(layout: Layout, rows: Ints, places: Ints, inertia: Floats, weights: Floats) -> None:
    """Give weights to the unit lengths of orientations whose body hardly has inertia along their parameters."""
    place_of_row = {int(k): i for i, k in enumerate(rows)}
    for strain, parameters in _parameters(layout).items():
        own = inertia[places[parameters][places[parameters] >= 0]]
        if strain in place_of_row and own.size and own.min() * _RATIO < own.max():
            weights[place_of_row[strain]] = own.sum() / 3.0


@fact
def _parameters(layout: Layout) -> dict[int, Ints]:
    """Parameters of an orientation in space by the strain that holds their unit length."""
    owners: dict[str, list[int]] = {}
    for c in np.flatnonzero(_rotation_flags(layout)):
        owners.setdefault(layout.coordinates[c].owner, []).append(int(c))
    named = {k: layout.strains[k].owner.partition(":")[0] for k in layout.unit_lengths}
    return {k: np.array(owners[owner], dtype=np.int64) for k, owner in named.items()}


def _own_inertias(system: System, places: Ints) -> Floats:
    """Diagonal of the mass matrix."""
    table = system.mass_all
    diagonal = (table.target == table.other) & (places[table.target] >= 0)
    own = np.zeros(int(places.max(initial=-1)) + 1)
    np.add.at(own, places[table.target[diagonal]], system.motion.out[table.source[diagonal]])
    return own


def _entries(layout: Layout, system: System, places: Ints) -> tuple[Ints, Ints, Ints]:
    """Strains that are always held, their entries in the table of slopes, and the place of the strain of each entry."""
    rows, start = np.array(layout.constraints, dtype=np.int64), system.slopes.start
    counts = start[rows + 1] - start[rows]
    row = np.repeat(np.arange(rows.size), counts)
    entry = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + start[rows][row]
    moving: NDArray[np.bool_] = places[system.slopes.column[entry]] >= 0
    return rows, entry[moving], row[moving]


@fact
def _rotation_flags(layout: Layout) -> Ints:
    return np.array([int(coordinate.turns) for coordinate in layout.coordinates], dtype=np.int64)
