"""Changes of accelerations with the values of formulas of time, and their weights.

The values are, in order: position, rate and acceleration of each driven coordinate and of each driven strain, the
loads on coordinates, and those on strains.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.column_blocks import ColumnBlock


@compiled
def add_driven(s: System, b: ColumnBlock, change: FloatTable, dx: Floats, dv: Floats) -> None:
    """Add changes of driven coordinates: their positions and rates, and their accelerations in the right-hand sides."""
    driven, out, count = s.driven, s.motion.out, b.z.shape[1]
    for n in range(b.timed.size):
        j = b.timed[n]
        for i in range(driven.coordinate.size):
            c = driven.coordinate[i]
            dx[c * count + j], dv[c * count + j] = change[n, 3 * i], change[n, 3 * i + 1]
            for e in range(s.coupling.source.size):
                if s.coupling.other[e] == c:
                    b.z[s.coupling.target[e], j] -= out[s.coupling.source[e]] * change[n, 3 * i + 2]
        first = 3 * driven.coordinate.size
        for i in range(driven.row.size):
            b.z[s.rows.place[driven.row[i]], j] += change[n, first + 3 * i + 2]


@compiled
def add_loads(s: System, b: ColumnBlock, change: FloatTable) -> None:
    """Add changes of loads, after those of the stresses of laws."""
    driven = s.driven
    for n in range(b.timed.size):
        j, first = b.timed[n], 3 * (driven.coordinate.size + driven.row.size)
        for i in range(driven.load_coordinate.size):
            place = s.coordinate_place[driven.load_coordinate[i]]
            if place >= 0:
                b.z[place, j] += change[n, first + i]
        first += driven.load_coordinate.size
        for i in range(driven.load_law.shape[0]):
            b.stress[s.laws.strain[driven.load_law[i, 0]], j] -= change[n, first + i]


@compiled
def weigh_driven(s: System, stress: Floats, wx: Floats, wv: Floats, weight: Floats) -> None:
    """Weights of the values, from those of stresses, positions and rates, after the solution for the weights."""
    driven, out, z = s.driven, s.motion.out, s.z
    for i in range(driven.coordinate.size):
        c = driven.coordinate[i]
        weight[3 * i], weight[3 * i + 1], total = wx[c], wv[c], 0.0
        for e in range(s.coupling.source.size):
            if s.coupling.other[e] == c:
                total -= out[s.coupling.source[e]] * z[s.coupling.target[e]]
        weight[3 * i + 2] = total
    first = 3 * driven.coordinate.size
    for i in range(driven.row.size):
        weight[first + 3 * i] = weight[first + 3 * i + 1] = 0.0
        weight[first + 3 * i + 2] = z[s.rows.place[driven.row[i]]]
    first += 3 * driven.row.size
    for i in range(driven.load_coordinate.size):
        place = s.coordinate_place[driven.load_coordinate[i]]
        weight[first + i] = z[place] if place >= 0 else 0.0
    first += driven.load_coordinate.size
    for i in range(driven.load_law.shape[0]):
        weight[first + i] = -stress[s.laws.strain[driven.load_law[i, 0]]]
