"""Slopes of strains as positions among the outputs of kernels, and products of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from flexura.derive.records import Ints
from flexura.mechanics.core.kernel_outputs import Outputs

_MOST_PRODUCTS = 1 << 20
"""Number of products that are listed at once, which limits the memory needed."""


class SlopeTable(NamedTuple):
    """Slopes ∂ε/∂x: strain k has the entries start[k]:start[k + 1], each with its source and coordinate."""

    start: Ints
    source: Ints
    column: Ints

    def of(self, strains: Ints) -> tuple[Ints, Ints, Ints]:
        """(index in ``strains``, source, coordinate) of the slopes of some strains, one strain after the other."""
        which, entry = spread(self.start, strains)
        return which, self.source[entry], self.column[entry]

    def products(self, left: Ints, right: Ints) -> Iterator[tuple[Ints, Ints, Ints]]:
        """(index of the pair, left entry, right entry) of all products of the slopes of pairs of strains."""
        counts = np.diff(self.start)
        sizes = np.cumsum(counts[left] * counts[right])
        ends = np.searchsorted(sizes, np.arange(0, sizes[-1] if sizes.size else 0, _MOST_PRODUCTS)[1:])
        for first, last in zip([0, *ends], [*ends, left.size], strict=True):
            pair, a = spread(self.start, left[first:last])
            which, b = spread(self.start, right[first + pair])
            yield first + pair[which], a[which], b


def spread(start: Ints, members: Ints) -> tuple[Ints, Ints]:
    """Entries start[k]:start[k + 1] of each member k, one member after the other: indices of members, and entries."""
    counts = start[members + 1] - start[members]
    which = np.repeat(np.arange(members.size), counts)
    return which, np.arange(which.size) + (start[members] - np.cumsum(counts) + counts)[which]


def slope_table(outputs: Outputs) -> SlopeTable:
    """Slopes of all strains of a layout at one level."""
    source, strain, column = outputs.of_slopes("slope")
    order = np.argsort(strain, kind="stable")
    counts = np.bincount(strain, minlength=len(outputs.layout.strains))
    return SlopeTable(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), source[order], column[order])
