"""Products of slopes for the material stiffness, and for iterations with the stresses as unknowns."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Ints
from flexura.mechanics.core.elimination_order import Pattern
from flexura.mechanics.core.slope_table import SlopeTable
from flexura.mechanics.core.system import Laws, Material, Mixed, Triples
from flexura.mechanics.preparation.numbering import Numbering


def material_of(table: SlopeTable, numbering: Numbering, pattern: Pattern, moduli: Ints) -> Material:
    """Products in Σ ∂ε_k/∂x_i S_kl ∂ε_l/∂x_j, each pair of unknowns once, for rows (k, l, modulus)."""
    parts = [np.zeros((4, 0), dtype=np.int64)]
    for term, a, b in table.products(moduli[0], moduli[1]):
        i, j = numbering.unknown[table.column[a]], numbering.unknown[table.column[b]]
        kept = (i >= j) & (j >= 0)
        modulus, target = moduli[2][term[kept]], pattern.at(i[kept], j[kept])
        parts.append(np.array([table.source[a[kept]], table.source[b[kept]], modulus, target]))
    left, right, modulus, target = np.concatenate(parts, axis=1)
    return Material(left=left, right=right, modulus=modulus, target=target)


def mixed_of(table: SlopeTable, held: Ints, laws: Laws, place: Ints) -> Mixed:
    """Products that meet in the free coordinates, of held strains and of strains with laws."""

    def slopes(strains: Ints) -> Triples:
        which, source, column = table.of(strains)
        free = place[column] >= 0
        return Triples(source=source[free], target=place[column[free]], other=strains[which[free]])

    law, count = slopes(laws.needed), table.start.size - 1
    sizes = np.bincount(law.other.astype(np.int64), minlength=count)[laws.needed]
    return Mixed(
        held=slopes(held),
        law=law,
        law_start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        slope=np.zeros(law.source.size),
        demand=np.zeros(count),
        gap=np.zeros(count),
        change=np.zeros(count),
    )
