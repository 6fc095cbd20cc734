"""Changes of accelerations with what is driven and loaded in time, at the states of a motion."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats, FloatTable
from flexura.mechanics.core.row_switches import recall_switches
from flexura.mechanics.linear.variation_tables import Variations
from flexura.mechanics.linear.variations import fix_state, solve_changes, take_changes
from flexura.mechanics.motion.equations_of_motion import accelerate


@compiled
def _drive(w: Variations, change: Floats, dx: Floats, dv: Floats, da: Floats) -> None:
    """Changes of driven coordinates."""
    driven = w.system.driven
    clear(dx)
    clear(dv)
    clear(da)
    for i in range(driven.coordinate.size):
        c = driven.coordinate[i]
        dx[c], dv[c], da[c] = change[3 * i], change[3 * i + 1], change[3 * i + 2]


@compiled
def _load(w: Variations, change: Floats, da: Floats) -> None:
    """Add changes of driven accelerations and of loads to the right-hand side."""
    s = w.system
    driven, z, out = s.driven, s.z, s.motion.out
    for i in range(s.coupling.source.size):
        z[s.coupling.target[i]] -= out[s.coupling.source[i]] * da[s.coupling.other[i]]
    first = 3 * driven.coordinate.size
    for i in range(driven.row.size):
        z[s.rows.place[driven.row[i]]] += change[first + 3 * i + 2]
    first += 3 * driven.row.size
    for i in range(driven.load_coordinate.size):
        place = s.coordinate_place[driven.load_coordinate[i]]
        if place >= 0:
            z[place] += change[first + i]
    first += driven.load_coordinate.size
    for i in range(driven.load_law.shape[0]):
        w.stress[s.laws.strain[driven.load_law[i, 0]]] -= change[first + i]


@compiled
def driven_changes_along(
    w: Variations,
    t: Floats,
    x: FloatTable,
    v: FloatTable,
    tracked: FloatTable,
    switches: FloatTable,
    changes: FloatTable,
    found: FloatTable,
) -> None:
    """Fill ``found`` with changes of accelerations; rows of ``changes`` are of states and, inside, of parameters."""
    s, n, count = w.system, x.shape[1], changes.shape[0] // max(t.size, 1)
    a, dx, dv, da, stress = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(max(s.strain.size, 1))
    for k in range(t.size):
        for i in range(s.track_target.size):
            s.number[s.track_target[i]] = tracked[k, i]
        if switches.shape[1]:
            recall_switches(s, switches[k])
        accelerate(s, t[k], x[k], v[k], a, stress)
        fix_state(w, a, stress, False)
        for j in range(count):
            change = changes[k * count + j]
            _drive(w, change, dx, dv, da)
            take_changes(w, x[k], v[k], dx, dv)
            _load(w, change, da)
            solve_changes(w, found[k * count + j])
