"""Numbering of the unknowns of a layout: its free coordinates, then the multipliers of its held strains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexura.derive.records import Ints
from flexura.mechanics.core.elimination_order import Pattern
from flexura.mechanics.core.layout import Layout


class Numbering:
    """Unknowns of the equations of motion with these strains held."""

    def __init__(self, layout: Layout, held: Sequence[int]) -> None:
        self.free: Ints = np.array(layout.free, dtype=np.int64)
        self.held: Ints = np.array(held, dtype=np.int64)
        """the held strains, in the order of their rows"""
        self.row_of = {strain: row for row, strain in enumerate(held)}
        self.count = self.free.size + self.held.size
        self.unknown: Ints = np.full(len(layout.coordinates), -1, dtype=np.int64)
        """the number of each coordinate, -1 if it is known"""
        self.unknown[self.free] = np.arange(self.free.size)
        self.multiplier: Ints = np.full(len(layout.strains), -1, dtype=np.int64)
        """the number of the multiplier of each strain, -1 if it is not held"""
        self.multiplier[self.held] = np.arange(self.free.size, self.count)

    def places(self, pattern: Pattern) -> Ints:
        """Position of each coordinate in the order of elimination, -1 if it is known."""
        place = np.full(self.unknown.size, -1, dtype=np.int64)
        place[self.free] = pattern.place[: self.free.size]
        return place

    def row_place(self, pattern: Pattern) -> Ints:
        """Position of the multiplier of each row in the order of elimination."""
        return pattern.place[self.free.size :]

    def multiplier_places(self, pattern: Pattern) -> dict[int, int]:
        """Position of each multiplier by its strain."""
        return dict(zip(self.held.tolist(), self.row_place(pattern).tolist(), strict=True))
