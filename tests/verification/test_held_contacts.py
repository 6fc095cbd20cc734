"""Contacts with force laws in steps of explicit methods: kinks are met at the cost of few steps, and none is missed."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass, PointContact
from flexura.spatial import Body, PinSleeve

JUMPING = fx.KelvinVoigt(1e6, 100.0)


def dropped(contact: fx.KelvinVoigt, height: float = 0.01, speed: float = 0.0) -> fx.Model:
    """A mass above a floor, 1 kg under gravity."""
    return fx.Model(
        nodes={"floor": (0, 0), "ball": (0, height)},
        elements={"ground": PointContact("floor", "ball", contact), "body": Mass("ball", 1.0)},
        fixed=["floor", "ball.x"],
        start={"ball.y'": speed},
        gravity=(0, -9.81),
    )


def rattling() -> fx.Model:
    """A pin that tumbles in its sleeve."""
    law = fx.KelvinVoigt(1e6, 20.0)
    turning = {"pin.p.about_x'": 0.8, "pin.p.about_y'": -0.5, "pin.p.about_z'": 30.0, "P.z'": 0.02, "P.x'": 0.01}
    return fx.Model(
        nodes={"O": (0, 0, 0.2), "P": (0, 0, 0)},
        elements={
            "rack": Body("O", 1.0),
            "sleeve": PinSleeve("rack.p", "pin.p", 0.1, 0.02, 1e-4, 1e-4, law, law, direction=(0, 0, 1)),
            "pin": Body("P", 2.0, Jxx=2e-3, Jyy=2e-3, Jzz=1e-3),
        },
        fixed=["O", "rack.p"],
        start=turning,
    )


def test_a_bounce_costs_few_steps():
    """Both kinks of a bounce, with the steps of the contact itself; 1300 evaluations before contacts were held."""
    motion = fx.simulate(dropped(JUMPING), 0.4, samples=401, method=fx.DormandPrince())
    bounces = len(fx.contact_phases(motion, "ground.gap").phases)
    exact = fx.simulate(dropped(JUMPING), 0.4, samples=401, method=fx.DormandPrince(1e-13))
    assert bounces >= 4
    assert motion.statistics["evaluations"] < 400 * bounces
    assert np.abs(motion["ball.y"] - exact["ball.y"]).max() < 1e-9


def test_a_force_ends_where_it_would_pull():
    """The speed after a bounce with a damper, in closed form: the force ends before the surfaces part."""
    k, c, v = 1e6, 800.0, 0.3
    wave, decay = np.sqrt(k - c * c / 4.0), c / 2.0
    # k x + c x' = 0 with x = v/w exp(-d t) sin wt
    angle = np.pi - np.arctan2(c * wave, k - c * decay)
    left = v * np.exp(-decay * angle / wave) * (np.cos(angle) - decay / wave * np.sin(angle))
    model = dropped(fx.KelvinVoigt(k, c), height=1e-3, speed=-v).replace(gravity=(0, 0))
    motion = fx.simulate(model, 0.02, method=fx.DormandPrince())
    assert motion["ball.y'"][-1] == pytest.approx(-left, rel=1e-8)
    assert motion.force("ground.gap").min() >= 0.0


@pytest.mark.parametrize("depth", [1e-4, 1e-6])
def test_a_graze_within_a_step_is_seen(depth):
    """A mass on a soft spring that dips into a stiff floor by little, for a small part of its period."""
    model = dropped(fx.KelvinVoigt(1e6), height=1.0).replace(
        gravity=(0, 0), loads={"ball.y": fx.Expression("-(ball.y)")}
    )
    model = model.replace(nodes={"floor": (0, -1.0 + depth), "ball": (0, 1.0)})
    motion = fx.simulate(model, 6.0, samples=601, method=fx.DormandPrince())
    exact = fx.simulate(model, 6.0, samples=601, method=fx.DormandPrince(1e-13, largest_step=1e-2))
    free = fx.simulate(model.replace(released=["ground.gap"]), 6.0, samples=601, method=fx.DormandPrince())
    assert np.abs(free["ball.y'"] - exact["ball.y'"]).max() > 10 * np.abs(motion["ball.y'"] - exact["ball.y'"]).max()


def test_a_rattling_pin_costs_few_evaluations():
    """15 072 evaluations by the same method before contacts were held, with errors as large."""
    motion = fx.simulate(rattling(), 0.05, samples=501, method=fx.DormandPrince())
    exact = fx.simulate(rattling(), 0.05, samples=501, method=fx.DormandPrince(1e-12))
    assert motion.outcome is fx.Outcome.DONE
    assert motion.statistics["evaluations"] < 5_000
    for gap in ("far", "near", "far_cap", "near_cap"):
        force = exact.force(f"sleeve.{gap}")
        assert np.abs(motion.force(f"sleeve.{gap}") - force).max() < 1e-5 * force.max()
