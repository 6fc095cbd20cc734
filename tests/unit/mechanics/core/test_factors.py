"""Sparse symmetric factors against dense linear algebra."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.mechanics.core.elimination_order import eliminate
from flexura.mechanics.core.factors import factorise_and_solve, solve
from flexura.mechanics.core.straight_line_factors import write_out


def random_system(seed, coordinates, constraints, density):
    """A positive definite A and independent rows D, both sparse, with their pattern."""
    random = np.random.default_rng(seed)
    pattern = np.triu(random.uniform(size=(coordinates, coordinates)) < density, 1)
    root = np.where(pattern, random.normal(size=pattern.shape), 0.0) + np.diag(random.uniform(1, 2, coordinates))
    A = root.T @ root
    D = np.where(random.uniform(size=(constraints, coordinates)) < density, random.normal(size=(1, coordinates)), 0.0)
    D[np.arange(constraints), random.permutation(coordinates)[:constraints]] += 3.0
    return A, D


def factored(A, D, straight=False):
    """The pattern with its factors made, by loops or by code of their own."""
    n, m = len(A), len(D)
    K = np.block([[A, D.T], [D, np.zeros((m, m))]])
    i, j = np.argwhere(K).T
    pattern = eliminate(n + m, i, j, n)
    pattern.factors.values[pattern.at(i, j)] = K[i, j]
    along = np.arange(1.0, n + m + 1.0)[pattern.order]
    if straight:
        write_out(pattern.factors)
    factorise_and_solve(pattern.factors, along)
    return K, pattern, along


@given(st.integers(0, 10**6), st.integers(1, 25), st.integers(0, 8), st.floats(0.0, 0.5))
@settings(deadline=None, max_examples=40)
def test_the_solution_is_that_of_dense_algebra(seed, coordinates, constraints, density):
    A, D = random_system(seed, coordinates, min(constraints, coordinates), density)
    for straight in (False, True):
        _compare(*factored(A, D, straight), seed)


def _compare(K, pattern, along, seed):
    b = np.random.default_rng(seed).normal(size=len(K))
    z = b[pattern.order].copy()
    solve(pattern.factors, z)
    condition = np.linalg.cond(K)
    if condition < 1e8:
        for given, solved in ((b, z), (np.arange(1.0, len(K) + 1.0), along)):
            x = np.empty(len(K))
            x[pattern.order] = solved
            assert np.abs(K @ x - given).max() <= 1e-11 * max(1.0, np.abs(x).max()) * np.abs(K).max()


def test_a_multiplier_comes_after_its_coordinates():
    A, D = random_system(3, 20, 6, 0.2)
    _, pattern, _ = factored(A, D)
    for row, entries in enumerate(D):
        assert all(pattern.place[20 + row] > pattern.place[c] for c in np.flatnonzero(entries))


def test_a_chain_has_no_fill_whatever_its_length():
    """The cost is linear in the number of beams: the same number of products for each."""
    counts = []
    for n in (50, 100, 200):
        pattern = eliminate(n, np.arange(n - 1), np.arange(1, n), n)
        assert pattern.factors.row.size == n - 1
        counts.append(pattern.factors.target.size)
    assert counts == [49, 99, 199]


def test_pivots_of_multipliers_are_negative():
    A, D = random_system(5, 12, 4, 0.3)
    _, pattern, _ = factored(A, D)
    pivots = pattern.factors.values[:16]
    assert np.all(pivots[pattern.place[:12]] > 0.0)
    assert np.all(pivots[pattern.place[12:]] < 0.0)


def test_many_unknowns_that_are_hardly_coupled_are_not_written_out():
    """To compile a line for each of a thousand pivots takes seconds, and saves microseconds."""
    count = 1200
    pattern = eliminate(count, np.arange(0, count, 3), np.arange(1, count, 3), count)
    write_out(pattern.factors)
    assert not pattern.factors.entry.any()
