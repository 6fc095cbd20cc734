"""Pendulum with a pivot on an ellipse: the numbers of the source, with its limits of stability put right.

The reference values are from an independent computation with the equation of the pendulum [Schwab2002 (4.19)].
"""

from math import pi, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

import flexura as fx
from flexura.analyses.periodic.hill import clusters
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.periodic import over_period
from references.gallery import model

NATURAL = sqrt(9.81)
RATE = "inputs.crank.p.phi.rate"
AMPLITUDES = {0.2: 0.0104225, 0.4: 0.0512004, 0.48: 0.144466, 0.5: 0.422628, 0.6: 0.150521, 0.8: 0.418285}
LIMITS = (0.918658, 1.023319, 1.359057)
AROUND = np.array([0.91, 0.93, 1.01, 1.03, 1.35, 1.37]) * NATURAL


def at(speed: float, **options) -> fx.Model:
    return fx.periodic(
        model("elliptic_pendulum").with_parameter(RATE, speed * NATURAL), 2 * pi / (speed * NATURAL), **options
    )


def test_linearised_equation():
    found, w, w0 = at(0.7), 0.7 * NATURAL, NATURAL
    assert found.coordinates == ("pendulum.p.phi",)
    t, zeta, e, rho = found.linear.t, 0.01, 0.5, 0.5
    np.testing.assert_allclose(found.linear.M[:, 0, 0], 1.0, atol=1e-13)
    np.testing.assert_allclose(found.linear.C[:, 0, 0], 2 * zeta * w0, atol=1e-13)
    np.testing.assert_allclose(found.linear.K[:, 0, 0], w0**2 + (1 + e) * rho * w**2 * np.cos(w * t), atol=1e-12)
    forcing = -2 * zeta * w0 * w + (1 - e) * rho * w**2 * np.sin(w * t)
    np.testing.assert_allclose(found.linear.forcing[:, 0], forcing, atol=1e-12)


@pytest.mark.parametrize(("speed", "amplitude"), AMPLITUDES.items())
def test_amplitude(speed, amplitude):
    found = at(speed)
    assert found.amplitude("pendulum.p.phi") == pytest.approx(amplitude, abs=1e-6)
    assert found.error < 1e-8
    assert found.positions == 32


def test_the_mean_is_not_zero_and_harmonics_are_cut_as_in_the_source():
    exact = at(0.5).amplitude("pendulum.p.phi")
    assert at(0.5, harmonics=2).amplitude("pendulum.p.phi") == pytest.approx(0.9 * exact, rel=0.01)
    assert at(0.5, harmonics=3).amplitude("pendulum.p.phi") == pytest.approx(exact * (1 - 0.00025), rel=1e-5)
    assert at(0.5, harmonics=7).amplitude("pendulum.p.phi") == pytest.approx(exact, rel=1e-9)
    # the friction of the turning pinion drags the pendulum along
    still = at(0.2)
    assert still.series("pendulum.p.phi", quasistatic=True)[0].real == pytest.approx(-2 * 0.01 * 0.2, rel=1e-6)


def test_exponents():
    for method in (None, fx.Hill(harmonics=10)):
        grows, turns = (at(speed).stability(method) for speed in (0.95, 1.1))
        np.testing.assert_allclose(grows.exponents / NATURAL, [0.0460468, -0.0660468], atol=1e-7)
        np.testing.assert_allclose(turns.exponents.real / NATURAL, -0.01, atol=1e-7)
        np.testing.assert_allclose(np.abs(turns.exponents.imag) / NATURAL, 0.142821, atol=1e-6)
        assert not grows.stable
        assert turns.stable


@pytest.mark.parametrize("method", [None, fx.Hill(harmonics=10)], ids=["monodromy", "Hill"])
def test_limits_of_stability(method):
    found = fx.stability(model("elliptic_pendulum"), RATE, AROUND, positions=32, method=method)
    np.testing.assert_allclose([limit.value / NATURAL for limit in found.limits], LIMITS, atol=1e-6)
    assert [limit.kind for limit in found.limits] == ["fold", "fold", "flip"]
    assert [limit.lost for limit in found.limits] == [True, False, True]
    for limit, multiplier in zip(found.limits, (1.0, 1.0, -1.0), strict=True):
        assert limit.multiplier == pytest.approx(multiplier, abs=1e-8)


@pytest.mark.parametrize("harmonics", [2, 5])
def test_the_limits_of_the_source_are_those_of_all_truncated_exponents(harmonics):
    # 0.91, 1.02 and 1.31 as printed: the largest real part of all, spoiled ends of the clusters included
    def largest(speed: float) -> float:
        changed = model("elliptic_pendulum").with_parameter(RATE, speed * NATURAL)
        _, equations = over_period(Course(changed), 2 * pi / (speed * NATURAL), 32, 1e-9)
        return float(clusters(equations, harmonics).exponents.real.max())

    printed = [brentq(largest, *span, xtol=1e-6) for span in ((0.9, 0.93), (1.01, 1.04), (1.28, 1.34))]
    np.testing.assert_allclose(printed, [0.9105, 1.023, 1.308], atol=5e-4)
    assert [round(value, 2) for value in printed] == [0.91, 1.02, 1.31]


def test_averaging_is_said_to_fail_near_the_flip():
    found = at(1.9)
    start = {"pendulum.p.phi": 0.01}
    times = np.linspace(0.0, found.period, 5)
    assert "fails" in found.transient(times, start, fx.Averaging()).note
    assert found.transient(times, start).note == ""
