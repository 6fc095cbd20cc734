"""Rows of held strains in the matrix: constraints, switchable rows, and squares of rows."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.elimination_order import Pattern
from flexura.mechanics.core.index_arrays import floats, ints
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.slope_table import SlopeTable
from flexura.mechanics.core.system import Augmented, Pairs, Rows, Switches
from flexura.mechanics.preparation.numbering import Numbering


def _free_slopes(strains: Ints, table: SlopeTable, numbering: Numbering) -> tuple[Ints, Ints, Ints]:
    """(index in ``strains``, source, unknown) of the slopes of strains over the free coordinates."""
    which, source, column = table.of(strains)
    unknown = numbering.unknown[column]
    free = unknown >= 0
    return which[free], source[free], unknown[free]


def _starts(which: Ints, count: int) -> Ints:
    """Start of each member's entries in a list sorted by members."""
    return np.concatenate([[0], np.cumsum(np.bincount(which, minlength=count))]).astype(np.int64)


def rows_of(layout: Layout, table: SlopeTable, numbering: Numbering, pattern: Pattern, convection: Ints) -> Rows:
    """Rows of all held strains; ``convection`` has the sources of the convective accelerations of all strains."""
    which, source, unknown = _free_slopes(numbering.held, table, numbering)
    count = numbering.held.size
    return Rows(
        strain=numbering.held,
        place=numbering.row_place(pattern),
        convection=convection[numbering.held],
        entries=Pairs(source=source, target=pattern.at(numbering.free.size + which, unknown)),
        position=np.zeros(count),
        velocity=np.zeros(count),
        acceleration=np.zeros(count),
        scale=scales_of(layout, numbering),
    )


def scales_of(layout: Layout, numbering: Numbering) -> Floats:
    """Scales of the held strains."""
    return np.array([layout.extent(layout.strains[strain]) for strain in numbering.held.tolist()], dtype=np.float64)


def switches_of(switched: list[int], table: SlopeTable, numbering: Numbering, pattern: Pattern) -> Switches:
    """Switchable constraint rows."""
    strains = ints(switched)
    which, _, unknown = _free_slopes(strains, table, numbering)
    multiplier = numbering.multiplier[strains]
    return Switches(
        strain=strains,
        place=pattern.place[multiplier],
        start=_starts(which, strains.size),
        target=pattern.at(multiplier[which], unknown),
        on=np.zeros(strains.size, dtype=np.int64),
    )


def augmented_of(weights: dict[int, float], table: SlopeTable, numbering: Numbering, pattern: Pattern) -> Augmented:
    """Squares of held strains with these weights."""
    strains = ints(weights)
    which, source, unknown = _free_slopes(strains, table, numbering)
    start = _starts(which, strains.size)
    # each pair of entries of a strain once, the later entry second
    sizes = np.diff(start)
    end = (start + np.append(sizes, 0))[which]
    entry = np.arange(which.size)
    first = np.repeat(entry, end - entry)
    second = np.arange(first.size) - np.repeat(np.cumsum(end - entry) - (end - entry), end - entry) + first
    return Augmented(
        row=numbering.multiplier[strains] - numbering.free.size,
        weight=floats(weights.values()),
        start=start,
        source=source,
        place=pattern.place[unknown],
        target_start=np.concatenate([[0], np.cumsum(sizes * (sizes + 1) // 2)]).astype(np.int64),
        target=pattern.at(unknown[first], unknown[second]),
    )
