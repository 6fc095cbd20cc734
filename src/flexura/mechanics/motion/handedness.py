"""Assembly branch of a mechanism: the sign of det D_I.

D_I contains the slopes of the held strains and of the independent coordinates. Along a motion its determinant changes
sign when the mechanism passes a singular position, however long the step that passes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout_facts import fact
from flexura.mechanics.core.system import System

if TYPE_CHECKING:
    from flexura.mechanics.core.layout import Layout
    from flexura.model.names import Address

_MOST = 60
"""Number of coordinates up to which the determinant is evaluated at every step."""


class Handedness(Record):
    """Rows of D_I: held strains, then independent strains, then independent coordinates."""

    strain: Ints
    coordinate: Ints
    """places of the independent coordinates among the free ones"""
    column: Ints
    """place of each coordinate among the free ones, -1 if it is known"""
    matrix: FloatTable


def handedness_of(layout: Layout, independent: Sequence[Address]) -> Handedness:
    """Rows of D_I for one choice of independent coordinates; empty if its sign cannot change."""
    free = layout.free
    column = np.full(len(layout.coordinates), -1, dtype=np.int64)
    column[free] = np.arange(len(free))
    strains = layout.constraints + [layout.strain_index[a] for a in independent if a.kind == "strain"]
    coordinates = [int(column[layout.coordinate_index[a]]) for a in independent if a.kind == "coordinate"]
    square = len(strains) + len(coordinates) == len(free) <= _MOST
    size = len(free) if square and has_loops(layout) else 0
    return Handedness(
        strain=np.array(strains, dtype=np.int64),
        coordinate=np.array(coordinates, dtype=np.int64),
        column=column,
        matrix=np.zeros((size, size)),
    )


@fact
def has_loops(layout: Layout) -> bool:
    """True if rigid links form a closed loop, possibly through the ground."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        parent.setdefault(name, name)
        while parent[name] != name:
            parent[name] = name = parent[parent[name]]
        return name

    for c in layout.known:
        parent[find(layout.coordinates[c].owner)] = find("/ground")
    held = {layout.strains[k].owner for k in layout.constraints}
    for name in held:
        places = [end.position for end in layout.names.attachments[name].values()]
        for place in places[1:]:
            if place == places[0]:
                continue  # a joint consisting of one node
            if find(places[0]) == find(place):
                return True
            parent[find(places[0])] = find(place)
    return False


@compiled
def handedness(s: System, d: Handedness, x: Floats, v: Floats) -> float:
    """Sign of det D_I at a position; zero if it is not evaluated."""
    n = d.matrix.shape[0]
    if n == 0:
        return 0.0
    call_level(s, s.shape, x, v)
    a, out, slopes = d.matrix, s.shape.out, s.shape_slopes
    for i in range(n):
        clear(a[i])
    for i in range(d.strain.size):
        k = d.strain[i]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            j = d.column[slopes.column[e]]
            if j >= 0:
                a[i, j] += out[slopes.source[e]]
    for i in range(d.coordinate.size):
        a[d.strain.size + i, d.coordinate[i]] = 1.0
    return _sign_of_determinant(a)


@compiled
def _sign_of_determinant(a: Floats) -> float:
    """Sign of a determinant, by elimination with row exchanges, in place."""
    n, sign = a.shape[0], 1.0
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if a[p, k] == 0.0:
            return 0.0
        if p != k:
            sign = -sign
            for j in range(k, n):
                a[k, j], a[p, j] = a[p, j], a[k, j]
        if a[k, k] < 0.0:
            sign = -sign
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            if factor != 0.0:
                for j in range(k + 1, n):
                    a[i, j] -= factor * a[k, j]
    return sign
