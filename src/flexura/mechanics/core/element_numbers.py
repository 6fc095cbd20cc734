"""Indices of the numbers of elements, and of the tracked numbers, which follow the motion."""

from __future__ import annotations

from itertools import accumulate

from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact
from flexura.mechanics.core.system import System

Place = tuple[str, str]
"""(element, number)"""


@fact
def number_places(layout: Layout) -> dict[Place, int]:
    """Place of each number in ``System.number``."""
    places = [(name, number) for g in layout.groups for name in g.names for number in g.kind.numbers]
    return {place: n for n, place in enumerate(places)}


@fact
def first_numbers(layout: Layout) -> dict[str, int]:
    """Place of the first number of each element in ``System.number``."""
    widths = [(name, len(g.kind.numbers)) for g in layout.groups for name in g.names]
    starts = accumulate((width for _, width in widths), initial=0)
    return {name: start for (name, _), start in zip(widths, starts, strict=False)}


def tracked(layout: Layout, system: System) -> dict[Place, float]:
    """Tracked numbers, by element and name."""
    return dict(zip(tracked_places(layout), system.number[system.track_target].tolist(), strict=True))


@fact
def tracked_places(layout: Layout) -> list[Place]:
    """Indices of the tracked numbers, in the order of the kernels."""
    return [(name, number) for g in layout.groups for name in g.names for number in g.kind.element.following()]
