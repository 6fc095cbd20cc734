"""Mathieu's equation: Hill's determinant against the characteristic values of SciPy, and a pendulum on a shaken pivot.

A pendulum of unit length hangs from a pivot that goes up and down as y = A cos 2t: φ″ + 2μφ′ + (a - 2q cos 2t) φ = 0
with a the gravity and q = 2A.
"""

import numpy as np
import pytest
from scipy.special import mathieu_a, mathieu_b

import flexura as fx
from flexura.analyses.periodic.floquet import floquet
from flexura.analyses.periodic.harmonic_balance import operator
from flexura.analyses.periodic.periodic_methods import DirectIntegration, Hill
from references.periodic_systems import equations, mathieu, monodromy, shaken_pendulum

# ── Hill's determinant ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("q", [0.1, 1.0, 5.0, 25.0])
def test_characteristic_values(q):
    # where the exponent is zero over one period, or over two: the determinant itself as an eigenvalue problem in a
    for period, orders in ((np.pi, range(0, 9, 2)), (2 * np.pi, range(9))):
        made = equations(
            lambda t: np.zeros((1, 1)),
            lambda t: np.array([[-2.0 * q * np.cos(2.0 * t)]]),
            lambda t: np.zeros(1),
            period,
            128,
        )
        m = 40
        W = operator(made, m).reshape(2 * m + 1, 2 * m + 1)
        found = np.sort(np.linalg.eigvals(-W).real)
        exact = np.sort([*(mathieu_a(r, q) for r in orders), *(mathieu_b(r, q) for r in orders if r > 0)])
        np.testing.assert_allclose(found[: len(exact)], exact, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("method", [Hill(harmonics=20), DirectIntegration()])
@pytest.mark.parametrize("q", [0.5, 3.0])
def test_the_characteristic_values_are_the_limits_of_stability(q, method):
    # at a limit the trace of the monodromy matrix is ±2, also where the multipliers are ill-conditioned
    for r in range(1, 5):
        for value in (mathieu_a(r, q), mathieu_b(r, q)):
            found = floquet(mathieu(value, q), method, 0)
            assert found.multipliers.sum().real == pytest.approx(2.0 * (-1.0) ** r, abs=1e-8)
            within = floquet(mathieu(value + 1e-6 * (1 if value == mathieu_b(r, q) else -1), q), method, 0)
            assert within.growth > 0.0


@pytest.mark.parametrize("damping", [0.0, 0.05, 0.4])
def test_damping_by_substitution(damping):
    # x = exp(-μt) u leaves Mathieu's equation for u with a - μ²
    for a, q in ((1.1, 0.6), (2.3, 0.6), (4.1, 2.0), (-0.2, 1.0)):
        for method in (Hill(harmonics=20), DirectIntegration()):
            damped = floquet(mathieu(a, q, damping), method, 0)
            plain = floquet(mathieu(a - damping**2, q), method, 0)
            np.testing.assert_allclose(damped.exponents.real, plain.exponents.real - damping, atol=1e-8)


def test_exponents_against_integration():
    a, q = 2.3, 0.6
    matrix = monodromy(lambda t: np.zeros((1, 1)), lambda t: np.array([[a - 2 * q * np.cos(2 * t)]]), np.pi, 1)
    exact = np.sort(np.abs(np.angle(np.linalg.eigvals(matrix)))) / np.pi
    for method in (Hill(harmonics=15), DirectIntegration()):
        found = floquet(mathieu(a, q), method, 0).exponents
        np.testing.assert_allclose(np.sort(np.abs(found.imag)), exact, atol=1e-10)
        np.testing.assert_allclose(found.real, 0.0, atol=1e-10)


# ── a model ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_shaken_pendulum_is_mathieus_equation():
    found = fx.periodic(shaken_pendulum(1.7, 0.6, 0.1), period=np.pi)
    t = found.linear.t
    np.testing.assert_allclose(found.linear.M[:, 0, 0], 1.0, atol=1e-14)
    np.testing.assert_allclose(found.linear.C[:, 0, 0], 0.2, atol=1e-13)
    np.testing.assert_allclose(found.linear.K[:, 0, 0], 1.7 - 1.2 * np.cos(2 * t), atol=1e-13)
    np.testing.assert_allclose(found.linear.forcing, 0.0, atol=1e-13)
    exact = floquet(mathieu(1.7, 0.6, 0.1), DirectIntegration(), 0)
    np.testing.assert_allclose(np.sort_complex(found.multipliers), np.sort_complex(exact.multipliers), atol=1e-9)


def test_limits_of_the_undamped_pendulum_are_characteristic_values():
    # gravity grows downwards, so that the limits come in falling order of a
    q = 0.8
    found = fx.stability(shaken_pendulum(1.0, q), "gravity.y", [-5.0, -4.1, -3.0, -1.0, 0.2, 0.4], period=np.pi)
    exact = [mathieu_a(2, q), mathieu_b(2, q), mathieu_a(1, q), mathieu_b(1, q), mathieu_a(0, q)]
    np.testing.assert_allclose([-limit.value for limit in found.limits], exact, atol=1e-8)
    assert [limit.lost for limit in found.limits] == [True, False, True, False, True]
    assert [limit.kind for limit in found.limits] == ["fold", "fold", "flip", "flip", "fold"]
    assert found.zones[-1][1] == 0.4


@pytest.mark.parametrize("q", [0.3, 1.5])
def test_a_chart_over_two_parameters(q, tmp_path):
    chart = fx.stability_chart(
        shaken_pendulum(1.0, q, 0.05),
        ("gravity.y", "inputs.P.y.amplitude"),
        ([-1.6, -1.0, -0.4], [0.5 * q, 0.6 * q]),
        period=np.pi,
    )
    assert chart.growth.shape == (2, 3)
    for row, amplitude in zip(chart.growth, (0.5 * q, 0.6 * q), strict=True):
        for value, a in zip(row, (1.6, 1.0, 0.4), strict=True):
            exact = floquet(mathieu(a, 2.0 * amplitude, 0.05), DirectIntegration(), 0).growth
            assert value == pytest.approx(exact, abs=1e-8)
    chart.plot(path=str(tmp_path / "chart.png"))
