"""Rank that the pattern of a matrix admits."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csgraph, csr_array, diags_array

from flexura.mechanics.preparation.prepared_model import prepare
from flexura.mechanics.preparation.structural_rank import structural_rank
from references import gallery


def test_small_patterns_against_scipy() -> None:
    random = np.random.default_rng(1)
    for _ in range(300):
        shape = random.integers(1, 9), random.integers(1, 9)
        pattern = csr_array((random.random(shape) < random.uniform(0.05, 0.5)).astype(float))
        assert structural_rank(pattern) == csgraph.structural_rank(pattern)


def test_bands_in_any_order() -> None:
    """A band with a full diagonal has full rank, and one less without any entry in a row."""
    random, count = np.random.default_rng(2), 20_000
    band = diags_array([np.ones(count)] * 7, offsets=list(range(-3, 4)), shape=(count, count)).tocsr()
    mixed = csr_array(band[random.permutation(count)][:, random.permutation(count)])
    assert structural_rank(mixed) == count
    mixed.data[mixed.indptr[7] : mixed.indptr[8]] = 0.0
    mixed.eliminate_zeros()
    assert structural_rank(mixed) == count - 1


def test_bars_of_many_elements_start_with_rates() -> None:
    """The slopes of a bar of eighty elements have a pattern on which SciPy's search does not end."""
    model = gallery.model("colliding_bars")
    started = prepare(model).start(model, moving=True)
    assert np.all(np.isfinite(started.v))
    assert np.any(started.v != 0.0)
