"""Structural rank of a sparse matrix: the rank that its pattern admits."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from flexura.derive.compiled import compiled
from flexura.derive.records import Ints


def structural_rank(matrix: csr_array) -> int:
    """Largest number of entries of which no two share a row or a column [Duff1981].

    SciPy's function of this name takes exponential time for some banded patterns.
    """
    start, column = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    return int(_matched(start, column, np.full(matrix.shape[1], -1, dtype=np.int64)))


@compiled
def _matched(start: Ints, column: Ints, owner: Ints) -> int:
    """Number of rows that get a column of their own; ``owner`` has the row of each column, first -1."""
    rows, rank = start.size - 1, 0
    free, pointer = start[:rows].copy(), start[:rows].copy()
    reached = np.full(owner.size, -1, dtype=np.int64)
    path, taken = np.zeros(rows + 1, dtype=np.int64), np.zeros(rows + 1, dtype=np.int64)
    for root in range(rows):
        # depth-first search of an alternating path to a column without an owner
        path[0], pointer[root], depth = root, start[root], 0
        while depth >= 0:
            row = path[depth]
            last = start[row + 1]
            while free[row] < last and owner[column[free[row]]] >= 0:
                free[row] += 1
            if free[row] < last:
                owner[column[free[row]]] = row
                for above in range(depth):
                    owner[taken[above]] = path[above]
                rank += 1
                break
            while pointer[row] < last and reached[column[pointer[row]]] == root:
                pointer[row] += 1
            if pointer[row] == last:
                depth -= 1
                continue
            place = column[pointer[row]]
            reached[place], taken[depth] = root, place
            depth += 1
            path[depth] = owner[place]
            pointer[owner[place]] = start[owner[place]]
    return rank
