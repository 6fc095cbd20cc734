"""Factors of large systems: in panels, in domains, by one thread or several."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import block_array, coo_array, csc_array, csr_array, diags_array
from scipy.sparse.linalg import spsolve

from flexura.mechanics.core import domains, elimination_order
from flexura.mechanics.core.elimination_order import Pattern, eliminate
from flexura.mechanics.core.factors import divided, factorise, factorise_and_solve, solve
from flexura.mechanics.core.team import working

Array = NDArray[np.float64]


def grid(side: int, block: int, rows: int, held: int) -> csr_array:
    """Regular matrix of a grid of dense blocks, with ``held`` constraints on neighbouring unknowns."""
    rng = np.random.default_rng(7)
    number = np.arange(side * rows).reshape(rows, side)
    near = [(number[:-1].ravel(), number[1:].ravel()), (number[:, :-1].ravel(), number[:, 1:].ravel())]
    p, q = (np.concatenate([number.ravel(), *(pair[k] for pair in near)]) for k in range(2))
    a, b = (part.ravel() for part in np.meshgrid(np.arange(block), np.arange(block)))
    i, j = ((end[:, None] * block + local[None, :]).ravel() for end, local in ((p, a), (q, b)))
    part = coo_array((rng.uniform(-1.0, 1.0, i.size), (i, j)), shape=(number.size * block,) * 2).tocsr()
    symmetric = part + part.T
    regular = symmetric + diags_array(abs(symmetric).sum(axis=0) + 1.0)
    where = rng.choice(number.size * block - 2, held, replace=False)
    row = np.repeat(np.arange(held), 2)
    slope = coo_array(
        (rng.uniform(0.5, 1.0, 2 * held), (row, (where[:, None] + [0, 2]).ravel())), shape=(held, number.size * block)
    )
    return block_array([[regular, slope.T], [slope, csc_array((held, held))]], format="csr")


def filled(pattern: Pattern, matrix: csr_array) -> None:
    """Write a matrix into factors."""
    entries = coo_array(matrix)
    low = entries.row >= entries.col
    pattern.factors.values[:] = 0.0
    pattern.factors.values[pattern.at(entries.row[low], entries.col[low])] = entries.data[low]


def ordered(matrix: csr_array, coordinates: int) -> Pattern:
    """Order of elimination of a matrix."""
    entries = coo_array(matrix)
    return eliminate(matrix.shape[0], entries.row.astype(np.int64), entries.col.astype(np.int64), coordinates)


CASES = [(40, 2, 1, 9), (9, 3, 9, 0), (14, 2, 6, 20), (8, 5, 8, 12)]


@pytest.mark.parametrize(("side", "block", "rows", "held"), CASES)
@pytest.mark.parametrize("panels", [False, True])
@pytest.mark.parametrize("least", [10**9, 40])
def test_factors_solve(
    side: int, block: int, rows: int, held: int, panels: bool, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists and panels, with domains and without, solve the system as SciPy does."""
    monkeypatch.setattr(elimination_order, "_LISTED", 0 if panels else 10**9)
    monkeypatch.setattr(elimination_order, "_LISTED_EACH", 0)
    monkeypatch.setattr(domains, "_LEAST", least)
    monkeypatch.setattr(domains, "_MOST_BETWEEN", {8: 0.2, 4: 0.3, 2: 0.5})
    matrix = grid(side, block, rows, held)
    coordinates, count = side * rows * block, matrix.shape[0]
    pattern = ordered(matrix, coordinates)
    f = pattern.factors
    assert (f.panels.first.size > 0) is panels
    assert divided(f) is (least < 100)
    # each multiplier comes after the coordinates that it is coupled with
    coupled = coo_array(matrix[coordinates:, :coordinates])
    assert np.all(pattern.place[coordinates + coupled.row] > pattern.place[coupled.col])
    right = np.random.default_rng(3).standard_normal(count)
    expected = spsolve(matrix.tocsc(), right)
    filled(pattern, matrix)
    z = right[pattern.order]
    factorise_and_solve(f, z)
    np.testing.assert_allclose(z[pattern.place], expected, rtol=1e-9, atol=1e-11)
    z = right[pattern.order]
    solve(f, z)
    np.testing.assert_allclose(z[pattern.place], expected, rtol=1e-9, atol=1e-11)
    # threads change no bit
    filled(pattern, matrix)
    with working(f.team.desk, 3):
        factorise(f, np.zeros(count))
        shared = right[pattern.order]
        solve(f, shared)
    np.testing.assert_array_equal(shared, z)


def test_domains_do_not_touch() -> None:
    """Unknowns of different domains of a large grid have no entry in common, and domains are of about the same size."""
    matrix = grid(60, 3, 20, 0)
    entries = coo_array(matrix)
    start = csr_array(matrix).indptr.astype(np.int64)
    domain = domains.domains_of(start, csr_array(matrix).indices.astype(np.int64), matrix.shape[0])
    last = domain.max()
    assert last >= 2
    a, b = domain[entries.row], domain[entries.col]
    assert np.all((a == b) | (a == last) | (b == last))
    sizes = np.bincount(domain)[:last]
    assert sizes.min() > 0.6 * sizes.max()
    assert np.count_nonzero(domain == last) < 0.06 * domain.size
