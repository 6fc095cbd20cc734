"""Domains of a large system, which are coupled through few unknowns and can be eliminated independently."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Ints

_LEAST = 2000
"""Number of unknowns from which on a system is divided."""
_PARTS = (8, 4, 2)
_MOST_BETWEEN = {8: 0.02, 4: 0.03, 2: 0.05}
"""Maximum fraction of the unknowns that may couple this number of domains."""
_WINDOW = 0.2
"""Fraction of the size of a domain by which a cut may move, to a narrow place."""


def domains_of(start: Ints, near: Ints, coordinates: int) -> Ints:
    """Domain of each unknown; the unknowns that couple domains have the last number. All zero without a division.

    ``near[start[i]:start[i + 1]]`` are the neighbours of unknown i. The cuts are levels of a breadth-first search from
    an end of the structure. Multipliers, from ``coordinates`` on, belong to the domain of their coordinates.
    """
    count = start.size - 1
    if count >= _LEAST:
        level = _levels(start, near)
        width = np.bincount(level)
        for parts in _PARTS:
            cuts = _cuts(width, parts)
            if cuts.size == parts - 1 and width[cuts].sum() <= _MOST_BETWEEN[parts] * count:
                domain = np.searchsorted(cuts, level, side="right").astype(np.int64)
                domain[np.isin(level, cuts)] = parts
                _join_multipliers(start, near, coordinates, domain, parts)
                return domain
    return np.zeros(count, dtype=np.int64)


def _cuts(width: Ints, parts: int) -> Ints:
    """Levels that divide the unknowns into parts of about equal size: the narrowest levels near the ideal places."""
    reached = np.cumsum(width)
    share = reached[-1] / parts
    cuts = []
    for p in range(1, parts):
        low, high = np.searchsorted(reached, [(p - _WINDOW) * share, (p + _WINDOW) * share])
        # among equals the one nearest to the ideal place
        candidates = np.arange(low, max(high, low + 1))
        far = np.abs(reached[candidates] - p * share)
        cuts.append(int(candidates[np.lexsort((far, width[candidates]))[0]]))
    return np.unique(np.array(cuts, dtype=np.int64))


@compiled
def _search(start: Ints, near: Ints, root: int, first: int, level: Ints, queue: Ints) -> int:
    """Number the levels of all unknowns connected with a root, from ``first`` on; returns the number of unknowns."""
    queue[0], level[root] = root, first
    met, at = 1, 0
    while at < met:
        i = queue[at]
        at += 1
        for e in range(start[i], start[i + 1]):
            j = near[e]
            if level[j] < 0:
                level[j] = level[i] + 1
                queue[met] = j
                met += 1
    return met


@compiled
def _levels(start: Ints, near: Ints) -> Ints:
    """Levels of a breadth-first search from an end of each connected part, one part after the other."""
    count, first = start.size - 1, 0
    level, queue = np.full(count, -1, np.int64), np.empty(count, np.int64)
    for i in range(count):
        if level[i] >= 0:
            continue
        # the farthest unknown is an end, or near to one
        root = i
        for _ in range(2):
            met = _search(start, near, root, first, level, queue)
            root = queue[met - 1]
            for k in range(met):
                level[queue[k]] = -1
        met = _search(start, near, root, first, level, queue)
        first = level[queue[met - 1]] + 1
    return level


@compiled
def _join_multipliers(start: Ints, near: Ints, coordinates: int, domain: Ints, between: int) -> None:
    """Assign multipliers to the domain of their coordinates, or to the coupling unknowns if these are in several."""
    for i in range(coordinates, start.size - 1):
        found = -1
        for e in range(start[i], start[i + 1]):
            other = domain[near[e]]
            found = other if found < 0 or found == other else between
        domain[i] = found if found >= 0 else 0
