"""Averaging: exact where nothing varies, close where it is valid, and said to fail where it fails."""

import numpy as np
from scipy.linalg import expm

from flexura.analyses.periodic.averaging import average
from flexura.analyses.periodic.linear_flow import flow
from references.periodic_systems import equations, mathieu


def test_constant_coefficients_are_solved_exactly():
    K, C = np.array([[3.0, -1.0], [-1.0, 40.0]]), 0.05 * np.eye(2)
    found = average(equations(lambda t: C, lambda t: K, lambda t: np.zeros(2), 5.0, 8))
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-K, -C]])
    start, times = np.array([1.0, 0.2, -3.0, 0.5]), np.array([0.0, 0.7, 6.1])
    np.testing.assert_allclose(found.follow(start, times), [expm(t * A) @ start for t in times], atol=1e-12)
    assert found.neglected < 1e-12
    assert found.valid


def test_the_error_is_of_the_size_that_is_said():
    start, times = np.array([1.0, 0.0]), np.linspace(0.0, np.pi, 200)
    for q in (0.5, 1.0, 2.0):
        made = mathieu(100.0, q, 0.05)
        found = average(made)
        exact = flow(made).follow(start, times)[0][:, 0]
        error = np.abs(found.follow(start, times)[:, 0] - exact).max()
        assert found.valid
        assert 0.05 * found.neglected < error < 2.0 * found.neglected


def test_resonance_is_found_out():
    found = average(mathieu(1.0, 0.4, 0.02))
    assert not found.valid
    assert {round(value.imag, 2) for value in found.between} == {-1.0, 1.0}
    assert found.neglected > 1.0
