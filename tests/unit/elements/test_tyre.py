"""The tyre by itself: what it pushes with, and where."""

from math import cos, sin, tan

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Body, Tyre


def wheel(height: float = 0.3, lean: float = 0.0, **given: object) -> fx.Model:
    """A wheel drawn with its axle leaning, held at the hub."""
    axle = (0.0, cos(lean), sin(lean))
    tyre = Tyre("wheel.p", "road", 0.31, 2e5, fx.Cornering(4e4, 5e3, 0.02), axle=axle, **given)
    return fx.Model(
        nodes={"W": (0, 0, height), "road": (0, 0, 0)},
        elements={"wheel": Body("W", 10.0, Jxx=0.3, Jyy=0.5, Jzz=0.3), "tyre": tyre},
        fixed=["tyre.g", "wheel.p"],
        released=["tyre.along"],
        gravity=(0, 0, -10.0),
    )


@pytest.mark.parametrize("crown", [0.0, 0.1])
def test_the_load_of_a_leaning_wheel_acts_aside(crown):
    lean = 0.1
    state = fx.equilibrium(wheel(lean=lean, crown=crown))
    push = 2e5 * (0.31 - crown - (0.3 - crown) / cos(lean))
    load = push / cos(lean)
    assert state.force("tyre.gap") == pytest.approx(push)
    assert state.force("W.z") == pytest.approx(100.0 - load)
    assert state.force("wheel.p.about_x") == pytest.approx(-load * (0.3 - crown) * tan(lean))
    # at rest it does not push to the side
    assert state.force("tyre.across") == 0.0


def test_a_rolling_wheel_that_leans_pushes_to_the_side():
    model = wheel(lean=0.1).replace(fixed=["tyre.g"], inputs={"W.x": fx.Ramp(20.0), "W.y": 0.0, "W.z": 0.3})
    motion = fx.simulate(model, until=1e-3, samples=2)
    assert motion.force("tyre.across")[0] == pytest.approx(-5e3 * 0.1, rel=1e-4)
    assert motion.force("tyre.spin")[0] == pytest.approx(0.02 * 5e3 * 0.1, rel=1e-4)


def test_a_wheel_in_the_air_is_left_alone():
    model = wheel(height=0.4).replace(fixed=["tyre.g"], start={"W.y'": 1.0})
    motion = fx.simulate(model, until=0.1, samples=11)
    np.testing.assert_allclose(motion["W.z"], 0.4 - 5.0 * motion.t**2, atol=1e-9)
    np.testing.assert_allclose(motion["W.y"], motion.t, atol=1e-9)


def test_a_damped_tyre_falls_freely_until_it_touches():
    """The damper of a tyre in the air does not act, and the moment of contact is located."""
    height, gap = 0.36, 0.05
    model = wheel(height, c=2e4).replace(fixed=["tyre.g", "W.x", "W.y"], start={"W.z'": -2.0})
    landing = (-2.0 + (4.0 + 20.0 * gap) ** 0.5) / 10.0
    motion = fx.simulate(model, until=1.9 * landing, samples=401)
    falling = motion.t <= landing
    np.testing.assert_allclose(
        motion["W.z"][falling], (height - 2.0 * motion.t - 5.0 * motion.t**2)[falling], atol=1e-9
    )
    assert not motion.force("tyre.gap")[falling].any()
    assert motion.force("tyre.gap")[~falling][0] > 2e4 * 2.0


def test_the_radial_spring_is_damped_while_it_is_pressed():
    model = wheel(c=300.0).replace(fixed=["tyre.g", "W.x", "W.y"], inputs={"W.z": fx.Ramp(-0.5, value=0.3)})
    motion = fx.simulate(model, until=0.01, samples=3)
    np.testing.assert_allclose(motion.force("tyre.gap"), 2e5 * (0.01 + 0.5 * motion.t) + 150.0, rtol=1e-9)
