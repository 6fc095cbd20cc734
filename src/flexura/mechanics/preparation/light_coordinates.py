"""Weights of held strains between light and heavy parts.

Without them the matrix determines the acceleration of a light part from its own small mass: a rounding error of the
forces on it, divided by that mass, dominates the heavy parts behind it. The weight of a held strain adds mass to it.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.inertia_transfer import RATIO, carry_inertia, own_inertias


def light_weights(layout: Layout, system: System, places: Ints) -> dict[int, float]:
    """Weights of the held strains that depend on light coordinates; empty if inertias are similar.

    A coordinate is light if its mobility (∂ε/∂x)²/m in a held strain exceeds that of another one by 10⁶. ``places`` has
    the place of each coordinate with inertia, -1 for the others. Needs a call of the motion level.
    """
    inertia = np.zeros(int(places.max(initial=-1)) + 1)
    if inertia.size == 0 or own_inertias(system, places, inertia) <= RATIO:
        return {}
    rows, weights = _held_strains(layout), np.zeros(len(layout.constraints))
    carry_inertia(system, rows, places, _rotation_flags(layout), layout.size, inertia, weights)
    _weigh_unit_lengths(layout, rows, places, inertia, weights)
    return {int(k): float(w) for k, w in zip(rows, weights, strict=True) if w > 0.0}


def _weigh_unit_lengths(layout: Layout, rows: Ints, places: Ints, inertia: Floats, weights: Floats) -> None:
    """Add weights to the unit lengths of orientations whose body has little inertia along their parameters."""
    place_of_row = {int(k): i for i, k in enumerate(rows)}
    for strain, parameters in _parameters(layout).items():
        own = inertia[places[parameters][places[parameters] >= 0]]
        if strain in place_of_row and own.size and own.min() * RATIO < own.max():
            weights[place_of_row[strain]] = own.sum() / 3.0


@fact
def _parameters(layout: Layout) -> dict[int, Ints]:
    """Parameters of an orientation in space by the strain that holds their unit length."""
    owners: dict[str, list[int]] = {}
    for c in np.flatnonzero(_rotation_flags(layout)):
        owners.setdefault(layout.coordinates[c].owner, []).append(int(c))
    named = {k: layout.strains[k].owner.partition(":")[0] for k in layout.unit_lengths}
    return {k: np.array(owners[owner], dtype=np.int64) for k, owner in named.items()}


@fact
def _held_strains(layout: Layout) -> Ints:
    """Strains that are always held."""
    return np.array(layout.constraints, dtype=np.int64)


@fact
def _rotation_flags(layout: Layout) -> Ints:
    return np.array([int(coordinate.turns) for coordinate in layout.coordinates], dtype=np.int64)
