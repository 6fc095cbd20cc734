"""Exponents of Hill's determinant, one of each cluster, against the monodromy matrix."""

import numpy as np
import pytest

from flexura.analyses.periodic.floquet import floquet
from flexura.analyses.periodic.hill import clusters
from flexura.analyses.periodic.periodic_methods import Averaging, DirectIntegration, Hill
from references.periodic_systems import equations, hill_type, mathieu


def multipliers(exponents, period):
    return np.sort_complex(np.round(np.exp(exponents * period), 9))


def test_constant_coefficients_give_each_eigenvalue_once():
    K, C = np.array([[3.0, -1.0], [-1.0, 40.0]]), 0.05 * np.eye(2)
    made = equations(lambda t: C, lambda t: K, lambda t: np.zeros(2), 5.0, 8)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-K, -C]])
    found = clusters(made, 6).chosen(4)
    np.testing.assert_allclose(multipliers(found, 5.0), multipliers(np.linalg.eigvals(A), 5.0), atol=1e-8)
    assert np.abs(found.imag).max() <= 0.5 * made.frequency * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("period", [1.0, 2 * np.pi])
def test_every_multiplier_is_found_once(seed, period):
    n = 3
    P, Q = hill_type(n, seed, period)
    made = equations(P, Q, lambda t: np.zeros(n), period, 32)
    exact = floquet(made, DirectIntegration(), 0)
    found = floquet(made, Hill(harmonics=16), 0)
    np.testing.assert_allclose(multipliers(found.exponents, period), multipliers(exact.exponents, period), atol=1e-8)
    assert found.growth == pytest.approx(exact.growth, abs=1e-9)


@pytest.mark.parametrize(("a", "sign"), [(1.0, -1.0), (4.0, 1.0)])
def test_real_multipliers_come_as_two_and_not_as_one_twice(a, sign):
    # in a tongue both multipliers are real: the two members of a cluster with Im λ = ±ω/2 must not stand for two
    for m in (4, 9, 30):
        found = clusters(mathieu(a, 0.5, 0.02), m).chosen(2)
        both = np.exp(np.pi * found)
        assert np.prod(both).real == pytest.approx(np.exp(-2 * 0.02 * np.pi), rel=1e-7)
        assert np.all(sign * both.real > 0.0)
        assert both[0].real != pytest.approx(both[1].real, rel=1e-3)


@pytest.mark.parametrize("seed", [4, 5])
def test_only_those_that_are_wanted(seed):
    n, period = 12, 1.5
    P, Q = hill_type(n, seed, period)
    made = equations(P, Q, lambda t: np.zeros(n), period, 32)
    exact = floquet(made, DirectIntegration(), 0)
    found = floquet(made, Hill(harmonics=12, wanted=4), 0)
    np.testing.assert_allclose(found.exponents.real, exact.exponents.real[:4], atol=1e-9)


def test_averaging_misses_a_tongue_and_the_others_do_not():
    made = mathieu(1.0, 0.4, 0.02)
    assert floquet(made, DirectIntegration(), 0).growth > 0.1
    assert floquet(made, Hill(harmonics=8), 0).growth > 0.1
    assert floquet(made, Averaging(), 0).growth == pytest.approx(-0.02)
