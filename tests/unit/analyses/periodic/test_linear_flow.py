"""Free motion through periods against matrix exponentials, Liouville's formula and an integrator of SciPy."""

import numpy as np
import pytest
from scipy.linalg import expm

from flexura.analyses.periodic import linear_flow
from flexura.analyses.periodic.linear_flow import flow
from references.periodic_systems import equations, hill_type, integrated, monodromy


def test_constant_coefficients_give_the_exponential():
    K, C = np.array([[3.0, -1.0], [-1.0, 40.0]]), np.array([[0.1, 0.3], [-0.3, 0.2]])
    found = flow(equations(lambda t: C, lambda t: K, lambda t: np.zeros(2), 5.0, 8))
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-K, -C]])
    np.testing.assert_allclose(found.monodromy, expm(5.0 * A), atol=1e-11)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_monodromy_matrix_of_coupled_oscillators(seed):
    n, period = 3, 4.0
    P, Q = hill_type(n, seed, period)
    found = flow(equations(P, Q, lambda t: np.zeros(n), period, 32))
    np.testing.assert_allclose(found.monodromy, monodromy(P, Q, period, n), atol=1e-10)
    # Liouville: the determinant is that of the mean damping alone
    t = period * np.arange(32) / 32
    lost = np.mean([np.trace(P(at)) for at in t]) * period
    assert np.linalg.det(found.monodromy) == pytest.approx(np.exp(-lost), rel=1e-11)


def test_any_time_is_reached():
    n, period = 2, 3.0
    P, Q = hill_type(n, 5, period)
    found = flow(equations(P, Q, lambda t: np.zeros(n), period, 32), finer=2)
    start, times = np.array([1.0, -0.5, 0.2, 2.0]), np.array([0.0, 0.01, 1.234, 3.0, 3.000001, 11.9])
    q, v, a = found.follow(start, times)
    np.testing.assert_allclose(np.hstack([q, v]), integrated(P, Q, start, times), atol=3e-10, rtol=0.0)
    exact = [-P(t) @ v[k] - Q(t) @ q[k] for k, t in enumerate(times)]
    np.testing.assert_allclose(a, exact, atol=1e-8)


def test_the_error_falls_fast_and_is_estimated():
    n, period = 2, 6.0
    P, Q = hill_type(n, 7, period)
    made = equations(P, Q, lambda t: np.zeros(n), period, 32)
    best = linear_flow._flow(made, 64).monodromy
    errors = [np.abs(linear_flow._flow(made, count).monodromy - best).max() for count in (2, 4)]
    assert errors[0] / errors[1] > 2.0**12  # order 16, less what rounding hides
    loose = flow(made, 1e-4)
    assert np.abs(loose.monodromy - best).max() / np.abs(best).max() < loose.error < 1e-4
