"""Rank of sparse rows by elimination, row by row in a given order of preference.

Each row is reduced by the earlier kept rows (left-looking). The largest remaining entry, over the
largest entry of the row, measures its independence; a sufficiently independent row is kept with one of its
entries as the pivot.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.heap import larger, pop, push

DROPPED, KEPT, DOUBTFUL = range(3)

_PIVOT = 0.1
"""Entries, as a fraction of the largest, among which the pivot is chosen."""
_ROUNDING = 1e-15
"""Entries, as a fraction of the largest of a row, that count as zero by rounding."""


class RowElimination:
    """Rows over ``depth.size`` columns; of several possible pivots the column of largest depth is taken."""

    def __init__(self, depth: Ints) -> None:
        self.depth = depth
        self.rank = 0
        self._start = np.zeros(depth.size + 1, dtype=np.int64)
        self._column, self._value = np.zeros(depth.size, dtype=np.int64), np.zeros(depth.size)
        self._pivot, self._owner = np.zeros(depth.size, dtype=np.int64), np.full(depth.size, -1)

    @property
    def fill(self) -> int:
        """Number of entries of the kept rows, without pivots."""
        return int(self._start[self.rank])

    def extend(self, start: Ints, column: Ints, value: Floats, least: float, sure: float) -> Ints:
        """Keep rows that are independent of earlier ones; row r has the entries start[r]:start[r + 1].

        Returns for each row DROPPED (independence up to ``least``), KEPT (from ``sure`` on), or DOUBTFUL: such rows
        are not kept.
        """
        verdict = np.zeros(start.size - 1, dtype=np.int64)
        kept = self._start, self._pivot, self._owner
        self.rank, self._column, self._value = _extend(
            (start, column, value), (least, sure), self.depth, self.rank, kept, (self._column, self._value), verdict
        )
        return verdict


@compiled
def _reduce(
    start: Ints,
    column: Ints,
    value: Floats,
    pivot: Ints,
    owner: Ints,
    work: Floats,
    seen: Ints,
    found: Ints,
    count: int,
) -> int:
    """Subtract kept rows from the row in ``work`` with the non-zero columns found[:count]; returns their number."""
    heap, heaped = np.empty(64, np.int64), 0
    for k in range(count):
        if owner[found[k]] >= 0:
            heap = push(heap, heaped, owner[found[k]])
            heaped += 1
    while heaped > 0:
        row = pop(heap, heaped)
        heaped -= 1
        factor = work[pivot[row]]
        work[pivot[row]] = 0.0
        if factor == 0.0:
            continue
        for e in range(start[row], start[row + 1]):
            c = column[e]
            work[c] -= factor * value[e]
            if seen[c] == 0:
                seen[c] = 1
                found[count] = c
                count += 1
                if owner[c] >= 0:
                    heap = push(heap, heaped, owner[c])
                    heaped += 1
    return count


@compiled
def _keep(
    row: int,
    least: float,
    found: Ints,
    work: Floats,
    depth: Ints,
    kept: tuple[Ints, Ints, Ints],
    column: Ints,
    value: Floats,
) -> tuple[Ints, Floats]:
    """Store a reduced row with the deepest of its large entries as the pivot."""
    start, pivot, owner = kept
    largest, chosen = 0.0, -1
    for c in found:
        largest = max(largest, abs(work[c]))
    for c in found:
        if abs(work[c]) >= _PIVOT * largest and (chosen < 0 or depth[c] > depth[chosen]):
            chosen = c
    pivot[row], owner[chosen] = chosen, row
    end = start[row]
    column, value = larger(column, end + found.size), larger(value, end + found.size)
    for c in found:
        if c != chosen and abs(work[c]) > least:
            column[end] = c
            value[end] = work[c] / work[chosen]
            end += 1
    start[row + 1] = end
    return column, value


@compiled
def _extend(
    rows: tuple[Ints, Ints, Floats],
    limits: tuple[float, float],
    depth: Ints,
    rank: int,
    kept: tuple[Ints, Ints, Ints],
    entries: tuple[Ints, Floats],
    verdict: Ints,
) -> tuple[int, Ints, Floats]:
    """Reduce row after row and keep the independent ones; returns the rank and the entries of the kept rows."""
    first, columns, values = rows
    start, pivot, owner = kept
    column, value = entries
    work, seen, found = np.zeros(depth.size), np.zeros(depth.size, np.int64), np.empty(depth.size, np.int64)
    for r in range(first.size - 1):
        size, count = 0.0, 0
        for e in range(first[r], first[r + 1]):
            c = columns[e]
            work[c] += values[e]
            size = max(size, abs(values[e]))
            if seen[c] == 0:
                seen[c] = 1
                found[count] = c
                count += 1
        count = _reduce(start, column, value, pivot, owner, work, seen, found, count)
        largest = 0.0
        for k in range(count):
            largest = max(largest, abs(work[found[k]]))
        independence = largest / size if size > 0.0 else 0.0
        if independence >= limits[1] and independence > limits[0]:
            verdict[r] = KEPT
            column, value = _keep(rank, _ROUNDING * size, found[:count], work, depth, kept, column, value)
            rank += 1
        elif independence > limits[0]:
            verdict[r] = DOUBTFUL
        for k in range(count):
            work[found[k]] = 0.0
            seen[found[k]] = 0
    return rank, column, value
