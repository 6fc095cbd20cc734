"""Self-stresses of dependent constraints, by sparse factors and by singular values."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, random_array, vstack

from flexura.mechanics.preparation.least_norm import self_stresses

COUNT, FREE, EXCESS = 300, 400, 3


def dependent_rows(seed: int) -> tuple[csr_array, np.ndarray]:
    """Sparse rows, and the places of those that depend on the others."""
    random = np.random.default_rng(seed)
    rows = random_array((COUNT, FREE), density=0.01, rng=random, format="csr")
    rows = csr_array(rows + csr_array((np.ones(COUNT), (np.arange(COUNT), np.arange(COUNT))), shape=(COUNT, FREE)))
    mixed = csr_array(random_array((EXCESS, COUNT), density=0.02, rng=random, format="csr") @ rows)
    order = random.permutation(COUNT + EXCESS)
    return csr_array(vstack([rows, mixed]).tocsr()[order]), np.flatnonzero(order >= COUNT)


def test_self_stresses_are_those_of_singular_values():
    rows, left_out = dependent_rows(1)
    found = self_stresses(rows, left_out)
    expected = np.linalg.svd(rows.toarray())[0][:, COUNT:]
    assert found is not None
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-12)


def test_rows_that_are_dependent_besides_are_told():
    rows, left_out = dependent_rows(2)
    assert self_stresses(rows, left_out[:-1]) is None
