"""Laws of tyres and the road."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import flexura as fx
from flexura.laws.tyres import above_bump
from references import iltis

CALSPAN = fx.Calspan(2625.0, 14.47, 12930.0, 2.29, 18175.0, -0.464e-4, 1.216, 2.18e-11, 1.0274, -0.171e-4, 0.171e-4)


@pytest.mark.parametrize("load", [200.0, 3830.0, 9000.0])
@pytest.mark.parametrize("slip", [-0.4, -0.02, 0.0, 0.003, 0.15])
@pytest.mark.parametrize("camber", [-0.03, 0.0, 0.05])
def test_calspan_is_the_formula_of_its_source(load, slip, camber):
    np.testing.assert_allclose(CALSPAN.forces(load, slip, camber), iltis.calspan(load, slip, camber), rtol=1e-12)


def test_cornering_stiffness_at_the_nominal_loads():
    # of the benchmark: 41627 and 40172 N/rad
    for load, stiffness in ((3829.6, 41627.0), (3593.6, 40172.0)):
        assert -CALSPAN.forces(load, 1e-7, 0.0)[0] / 1e-7 == pytest.approx(stiffness, abs=0.5)


def test_sliding_is_friction():
    force, moment = CALSPAN.forces(4000.0, 1.0, 0.0)
    assert force == pytest.approx(-4000.0 * (1.216 - 0.464e-4 * 4000.0 + 2.18e-11 * 4000.0**2) * 1.0274)
    assert moment == pytest.approx((-0.171e-4 * 4000.0 + 0.171e-4 * abs(force)) * force)


def test_a_wheel_in_the_air_has_no_force():
    assert CALSPAN.forces(0.0, 0.1, 0.02) == (0.0, 0.0)


def test_stiffness_is_used_up_above_a_load():
    slope = -CALSPAN.forces(20000.0, 1e-7, 0.0)[0] / 1e-7
    assert slope == pytest.approx(2625.0, rel=1e-6)


def test_a_linear_tyre_aligns_by_its_trail():
    assert fx.Cornering(4e4, 6e3, 0.05).forces(3000.0, 0.01, 0.02) == pytest.approx((-520.0, 26.0))


@pytest.mark.parametrize("x", [-1.0, 0.98, 2.2, 3.4, 5.5, 7.0])
def test_the_distance_from_a_bump_is_the_shortest(x):
    def rise(at):
        return 0.1 * (1.0 - np.cos(2 * np.pi * (at - 0.97) / 5.0)) if 0.97 < at < 5.97 else 0.0

    z = 0.36 + rise(x)
    found = minimize_scalar(lambda at: np.hypot(x - at, z - rise(at)), bounds=(x - 0.2, x + 0.2), method="bounded")
    distance, slope = above_bump(x, z, 0.2, 5.0, 0.97)
    assert distance == pytest.approx(found.fun, abs=1e-6)
    assert slope == pytest.approx((x - found.x) / (rise(found.x) - z), abs=1e-3)


def test_flat_road_is_flat():
    assert above_bump(1.3, 0.36, 0.0, 1.0, 0.0) == (0.36, 0.0)


def test_values_that_make_no_road_are_refused():
    with pytest.raises(fx.ModelError, match="length"):
        fx.Bump(0.1, 0.0)
