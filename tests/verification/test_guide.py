"""Block on a rod with eight tips: statics, sliding and impacts."""

from math import cos, sin

import numpy as np
import pytest
from scipy.optimize import brentq

import flexura as fx
from flexura.elements.spatial.guide import TIPS
from flexura.spatial import Body, Guide

WIDTH, SPAN, ROOM, OFFSET = 0.0127, 0.0165, 6.35e-5, 3.8e-3


def block(law, rod="square", friction=None, offset=OFFSET, **more):
    guide = Guide(
        "base.p", "block.p", WIDTH, SPAN, ROOM, law, friction=friction, rod=rod, offset=offset, y_axis=(0, 0, 1)
    )
    return fx.Model(
        nodes={"O": (0, 0, 0), "B": (0, 0, 0)},
        elements={"base": Body("O", 1.0), "guide": guide, "block": Body("B", 0.2, 2e-5, 3e-5, 4e-5)},
        **{"fixed": ["O", "base.p"]} | more,
    )


@pytest.mark.parametrize(("way", "sides"), [(1.0, ("left", "right")), (-1.0, ("top", "bottom"))])
def test_torque_about_the_rod_presses_four_tips(way, sides):
    # tips at the height w/2 + c and by the offset b beside: g = (w/2 + c) cos φ - b sin φ - w/2, and M = -4 F dg/dφ
    k, torque, room = 1e7, 2.0, 0.5 * WIDTH + ROOM

    def gap(turn):
        return room * cos(turn) - OFFSET * sin(turn) - 0.5 * WIDTH

    turn = brentq(lambda a: -4.0 * k * gap(a) * (room * sin(a) + OFFSET * cos(a)) - torque, 0.0, 0.1, xtol=1e-15)
    model = block(fx.KelvinVoigt(k), loads={"block.p.about_x": way * torque}, fixed=["O", "base.p", "B.x"])
    state = fx.equilibrium(model)
    for tip in TIPS:
        expected = -k * gap(turn) if tip.startswith(sides) else 0.0
        assert state.force(f"guide.{tip}") == pytest.approx(expected, rel=1e-6)
    assert 2.0 * state["block.p.e1"] * state["block.p.e0"] == pytest.approx(way * sin(turn), rel=1e-6)


@pytest.mark.parametrize("rod", ["square", "round"])
def test_friction_stops_a_block(rod):
    # the weight rests on the two tips above the rod, whatever the moment of friction makes of their shares
    mu, speed, g = 0.1, 0.05, 9.81
    sag = ROOM + 0.2 * g / (2.0 * 1e7)
    law, start = fx.KelvinVoigt(1e7, 200.0), {"B.x'": speed, "B.z": -sag}
    model = block(law, rod, fx.Friction(mu, 0.0), 0.0, gravity=(0, 0, -g), start=start)
    until = 0.8 * speed / (mu * g)
    motion = fx.simulate(model, until, samples=201)
    assert motion["B.x'"][-1] == pytest.approx(speed - mu * g * until, rel=1e-3)
    pressed = [tip for tip in TIPS if motion.force(f"guide.{tip}")[-1] > 0.0]
    assert pressed == ["top_far", "top_near"]
    assert sum(motion.force(f"guide.{tip}")[-1] for tip in TIPS) == pytest.approx(0.2 * g, rel=1e-3)


def test_eight_impacting_tips():
    start = {"B.x'": 0.3, "B.y'": 0.05, "B.z'": 0.3, "block.p.about_x'": 4.0, "block.p.about_z'": 3.0}
    model = block(fx.Restitution(0.5), gravity=(0, 0, -9.81), start=start)
    motion = fx.simulate(model, 0.2, samples=2001)
    assert motion.outcome is fx.Outcome.DONE
    assert motion.t[-1] == pytest.approx(0.2)
    assert min(motion[f"guide.{tip}"].min() for tip in TIPS) > -1e-9
    assert len({event.signal for event in motion.impacts}) == 8
    assert np.diff(motion.energy["total"]).max() < 1e-9
