"""Harmonic balance against solutions that were chosen beforehand."""

import numpy as np
import pytest

from flexura.analyses.periodic.harmonic_balance import balance, quasistatic, truncation
from flexura.results import fourier
from references.periodic_systems import equations, hill_type

PERIOD, N = 1.7, 3
W = 2 * np.pi / PERIOD


@pytest.fixture(scope="module")
def chosen():
    """A motion of four harmonics, and the forcing that makes it the solution."""
    random = np.random.default_rng(3)
    half = random.standard_normal((5, N)) + 1j * random.standard_normal((5, N))
    half[0] = half[0].real
    half *= 0.3 ** np.arange(5)[:, None]
    q = np.concatenate([half[:0:-1].conj(), half])
    P, Q = hill_type(N, 1, PERIOD)

    def r(t):
        value, rate, second = (
            fourier.evaluated(fourier.differentiated(q, W, k), np.array([W * t]))[0] for k in range(3)
        )
        return second + P(t) @ rate + Q(t) @ value

    return q, equations(P, Q, r, PERIOD, 32)


def test_the_chosen_motion_is_found(chosen):
    q, made = chosen
    for m in (4, 7):
        found = balance(made, m)
        np.testing.assert_allclose(found, fourier.truncated(q, m), atol=1e-13)
        assert truncation(made, found) < 1e-12


@pytest.mark.parametrize("m", [2, 3])
def test_what_is_cut_off_is_estimated(chosen, m):
    q, made = chosen
    found = balance(made, m)
    missing = made.magnitude(fourier.truncated(q, 6) - fourier.truncated(found, 6)).sum() / made.magnitude(q).max()
    assert 0.2 * missing < truncation(made, found) < 5.0 * missing


def test_constant_coefficients_leave_harmonics_apart():
    K = np.array([[3.0, -1.0], [-1.0, 2.0]])
    C = 0.1 * K
    made = equations(lambda t: C, lambda t: K, lambda t: np.array([np.cos(W * t), 1.0 + np.sin(2 * W * t)]), PERIOD, 16)
    found = balance(made, 2)
    for l, force in ((0, [0, 1]), (1, [0.5, 0]), (2, [0, -0.5j])):
        exact = np.linalg.solve(K + 1j * l * W * C - (l * W) ** 2 * np.eye(2), np.array(force, dtype=complex))
        np.testing.assert_allclose(found[2 + l], exact, atol=1e-15)
    still = quasistatic(made.Q, made.r, 2)
    np.testing.assert_allclose(still[3], np.linalg.solve(K, [0.5, 0.0]), atol=1e-15)
