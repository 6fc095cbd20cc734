"""Contributions to each set of places of a solution, so that threads fill the sets independently of each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Ints
from flexura.mechanics.core.factors import Factors
from flexura.mechanics.core.system import Material, Meeting, Mixed, Pairs, Runs

Sets = NDArray[np.uint8]
"""set of each member of a list; domains are few"""


def meeting_of(
    factors: Factors, mixed: Mixed, force: Pairs, mass: Pairs, row: Pairs, material: Material, geometric: Pairs
) -> Meeting:
    """Members of the lists of a system by the domain that they are added to, in the order of the lists."""
    bound = _bounds(factors)
    place = np.repeat(np.arange(bound.size - 1, dtype=np.uint8), np.diff(bound))
    entry = np.concatenate([place, place[factors.column]])

    def runs(sets: Sets) -> Runs:
        return _runs(sets, bound.size - 1)

    law = runs(place[mixed.law.target])
    return Meeting(
        bound=bound,
        force=runs(place[force.target]),
        held=runs(place[mixed.held.target]),
        law=law,
        law_strain=np.searchsorted(mixed.law_start, law.first, side="right") - 1,
        mass=runs(entry[mass.target]),
        row=runs(entry[row.target]),
        material=runs(entry[material.target]),
        geometric=runs(entry[geometric.target]),
    )


def _bounds(factors: Factors) -> Ints:
    """First places of the domains, of the unknowns that couple them, and the number of all; without domains one set."""
    panels, first = factors.panels, np.zeros(1, dtype=np.int64)
    if factors.domains.bound.size:
        first = factors.domains.bound
    elif panels.bound.size > 2:
        first = panels.first[panels.bound]
    return np.append(first, factors.start.size - 1)


def _runs(sets: Sets, count: int) -> Runs:
    """Runs of the members of each of ``count`` sets."""
    order = np.argsort(sets, kind="stable") if count > 1 else np.arange(sets.size)
    ordered = sets[order]
    ends = np.flatnonzero((np.diff(order) != 1) | (np.diff(ordered) != 0)) + 1
    first = np.concatenate([np.zeros(min(sets.size, 1), dtype=np.int64), ends])
    last = np.concatenate([ends, np.full(min(sets.size, 1), sets.size)])
    start = np.searchsorted(ordered[first], np.arange(count + 1))
    return Runs(start=start, first=order[first], last=order[last - 1] + 1)
