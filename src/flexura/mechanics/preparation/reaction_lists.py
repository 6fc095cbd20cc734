"""Terms of the balance of forces in every coordinate, for reactions."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Ints
from flexura.mechanics.core.index_arrays import ints, pairs, triples
from flexura.mechanics.core.slope_table import SlopeTable
from flexura.mechanics.core.system import Reactions


def reactions_of(mass: Ints, force: Ints, table: SlopeTable, driven: Ints) -> Reactions:
    """All contributions to the forces on the coordinates, the driven ones first."""
    source, i, j = mass
    off = i != j
    both = np.concatenate([mass, np.array([source[off], j[off], i[off]])], axis=1)
    strain = np.repeat(np.arange(table.start.size - 1), np.diff(table.start))
    parts, counts = [], []
    for part in (both, force, np.array([table.source, table.column, strain])):
        last = ~np.isin(part[1], driven)
        parts.append(part[:, np.argsort(last, kind="stable")])
        counts.append(np.count_nonzero(~last))
    masses, forces, slopes = parts
    return Reactions(
        mass=triples(masses),
        force=pairs(forces),
        slope=triples(slopes),
        driven=ints(counts),
    )
