"""Rank of sparse rows against dense singular values."""

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from flexura.mechanics.core.row_elimination import DOUBTFUL, DROPPED, KEPT, RowElimination


def extend(elimination, rows, least=1e-9, sure=1e-9):
    rows = csr_array(rows)
    return elimination.extend(rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data, least, sure)


@pytest.mark.parametrize("seed", range(20))
def test_the_rank_is_that_of_singular_values(seed):
    random = np.random.default_rng(seed)
    free = random_array((14, 25), density=0.15, rng=random).toarray()
    mixed = random.normal(size=(6, 14)) * (random.uniform(size=(6, 14)) < 0.3)
    rows = random.permutation(np.vstack([free, mixed @ free]))
    elimination = RowElimination(random.permutation(25))
    verdict = extend(elimination, rows)
    assert elimination.rank == np.linalg.matrix_rank(rows) == np.count_nonzero(verdict == KEPT)
    assert np.linalg.matrix_rank(rows[verdict == KEPT]) == elimination.rank


def test_rows_are_taken_in_their_order_and_over_several_calls():
    elimination = RowElimination(np.arange(3))
    assert extend(elimination, [[1.0, 1.0, 0.0], [2.0, 2.0, 0.0]]).tolist() == [KEPT, DROPPED]
    assert extend(elimination, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0]]).tolist() == [DROPPED, KEPT, DROPPED]
    assert elimination.rank == 2


def test_rows_in_doubt_are_not_kept():
    elimination = RowElimination(np.arange(2))
    verdict = extend(elimination, [[1.0, 0.0], [1.0, 1e-7], [0.0, 1.0]], least=1e-9, sure=1e-3)
    assert verdict.tolist() == [KEPT, DOUBTFUL, KEPT]
    assert elimination.rank == 2
