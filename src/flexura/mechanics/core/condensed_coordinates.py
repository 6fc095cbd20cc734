"""Coordinates that a condensed layout shares with the whole one."""

from __future__ import annotations

from flexura.derive.records import Ints
from flexura.mechanics.core.index_arrays import ints
from flexura.mechanics.core.layout import Layout


def shared_coordinates(whole: Layout, condensed: Layout) -> tuple[Ints, Ints]:
    """Indices of the coordinates of a condensed model in the whole one, and of those of the whole in the other."""
    if "shared" not in condensed.facts:
        inside = ints(whole.coordinate_index[a] for a in condensed.coordinates)
        condensed.facts["shared"] = inside, ints(condensed.coordinate_index[a] for a in whole.coordinates)
    found: tuple[Ints, Ints] = condensed.facts["shared"]
    return found
