"""A crank driven through two hinges in series, against its one equation of motion."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexura as fx
from references.driven_crank import SPEED, fluctuation, rates
from references.gallery import model

TURN = 2 * np.pi / SPEED


def spread(motion):
    least, most = motion.extremes("motor.rotation'")
    return (most - least) / SPEED


@pytest.mark.parametrize(
    ("method", "rel"),
    [(fx.FullBalance(), 1e-8), (fx.Shooting(), 1e-7), (fx.HarmonicBalance(), 0.01)],
    ids=["balance", "shooting", "small"],
)
def test_fluctuation_of_the_speed(method, rel):
    found = fx.periodic(model("motor_in_series"), TURN, method=method)
    assert spread(found) == pytest.approx(fluctuation(), rel=rel)
    assert found.stable


def test_the_way_there():
    driven = model("motor_in_series").replace(start={"motor.rotation": -0.5})
    motion = fx.simulate(driven, until=3 * TURN, samples=31, method=fx.DormandPrince(tolerance=1e-11))
    exact = solve_ivp(rates, (0.0, 3 * TURN), [-0.5, 0.0], method="DOP853", rtol=1e-12, atol=1e-13, t_eval=motion.t)
    np.testing.assert_allclose(motion["motor.rotation"], exact.y[0], atol=1e-9)
    # so large a start is no longer small, and is told so
    small = fx.superpose(driven, until=3 * TURN, period=TURN, samples=31)
    assert "not small" in small.note
