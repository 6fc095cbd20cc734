"""Pin in a sleeve with caps: statics in closed form, and a tumbling pin [Deck1992]."""

from math import cos, hypot, sin

import numpy as np
import pytest
from scipy.optimize import brentq

import flexura as fx
from flexura.spatial import Body, PinSleeve

WEIGHT = 20.0
HALF, RADIUS, ROOM, CAP = 0.03, 0.01, 50e-6, 80e-6
STIFF = 1e8


def pin(size=1.0, damping=0.0, friction=None, **more):
    law = fx.KelvinVoigt(STIFF / size, damping)
    sleeve = PinSleeve(
        "rack.p",
        "pin.p",
        2.0 * HALF * size,
        RADIUS * size,
        ROOM * size,
        CAP * size,
        contact=law,
        end_contact=law,
        friction=friction,
    )
    body = {"mass": 2.0, "Jxx": 2e-3 * size**2, "Jyy": 2e-3 * size**2, "Jzz": 1e-3 * size**2}
    return fx.Model(
        nodes={"O": (0, 0, 0.2 * size), "P": (0, 0, 0)},
        elements={"rack": Body("O", 1.0), "sleeve": sleeve, "pin": Body("P", **(body | more.pop("body", {})))},
        fixed=["O", "rack.p"],
        **more,
    )


@pytest.mark.parametrize("size", [1.0, 1e2])
@pytest.mark.parametrize("lever", [0.05, 0.2])
def test_weight_beside_the_pin(size, lever):
    # both edges press on the sleeve with F = k (h sin ψ - c), the edge of the lower face on the cap with the weight W;
    # moments about the centre of the pin: 2 h F cos ψ = W ((a - r) cos ψ + h sin ψ)
    k, h, r, c, a = STIFF / size, HALF * size, RADIUS * size, ROOM * size, lever * size

    def moment(tilt):
        edge = k * (h * sin(tilt) - c)
        return 2.0 * h * edge * cos(tilt) - WEIGHT * ((a - r) * cos(tilt) + h * sin(tilt))

    tilt = brentq(moment, c / h, 0.1, xtol=1e-16)
    model = pin(size, body={"centre": (a, 0, 0)}, gravity=(0, 0, -WEIGHT / 2.0))
    state = fx.equilibrium(model)
    edge = k * (h * sin(tilt) - c)
    assert state.force("sleeve.far") == pytest.approx(edge, rel=1e-6)
    assert state.force("sleeve.near") == pytest.approx(edge, rel=1e-6)
    assert state.force("sleeve.near_cap") == pytest.approx(WEIGHT, rel=1e-6)
    assert state.force("sleeve.far_cap") == 0.0
    # the pin may turn about its axis, which leans by ψ
    e0, e1, e2, e3 = state.orientation("pin.p")
    assert hypot(2.0 * (e1 * e3 + e0 * e2), 2.0 * (e2 * e3 - e0 * e1)) == pytest.approx(sin(tilt), rel=1e-6)


def test_tumbling_pin_touches_everywhere():
    turning = {"pin.p.about_x'": 0.8, "pin.p.about_y'": -0.5, "pin.p.about_z'": 30.0, "P.z'": 0.02, "P.x'": 0.01}
    motion = fx.simulate(pin(start=turning), 0.05, samples=2001)
    assert motion.outcome is fx.Outcome.DONE
    for contact in ("far", "near", "far_cap", "near_cap"):
        force = motion.force(f"sleeve.{contact}")
        assert force.max() > 1.0
        assert np.mean(force == 0.0) > 0.1
    assert motion.imbalance < 1e-6
    # in flight all energy is kinetic
    gaps = np.array([motion[f"sleeve.{contact}"] for contact in ("far", "near", "far_cap", "near_cap")])
    flying = motion.energy["kinetic"][gaps.min(axis=0) > 0.0]
    assert flying == pytest.approx(flying[0], rel=1e-6)


def test_friction_at_the_edges_dissipates():
    turning = {"pin.p.about_x'": 0.8, "pin.p.about_z'": 30.0, "P.z'": 0.02}
    motion = fx.simulate(pin(start=turning, friction=fx.Friction(0.2, 1e-3)), 0.02, samples=501)
    assert motion.imbalance < 1e-6
    assert motion["pin.p.about_own_z'"][-1] < 29.9


def test_upright_pin_rests_on_its_cap():
    """Pin and sleeve are parallel: the gap of the cap is that of the end face, and open contacts leave no trace."""
    k, c, mass, play = 1e6, 20.0, 2.0, 1e-4
    law = fx.KelvinVoigt(k, c)
    sleeve = PinSleeve("base.p", "pin.p", 0.06, 0.01, 1e-4, play, contact=law, end_contact=law)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "P": (0, 0, 0)},
        elements={"base": Body("O", 1.0), "pin": Body("P", mass, 1e-3, 1e-3, 1e-3), "sleeve": sleeve},
        fixed=["O", "base.p"],
        gravity=(0, 0, -9.81),
    )
    assert fx.equilibrium(model)["P.z"] == pytest.approx(-play - mass * 9.81 / k, rel=1e-9)
    motion = fx.simulate(model, 0.02, samples=401)
    # the first blow, with the speed of free fall: k s + c ṡ at the time at which it is largest
    speed, omega, zeta = np.sqrt(2.0 * 9.81 * play), np.sqrt(k / mass), c / (2.0 * np.sqrt(k * mass))
    t = np.linspace(0.0, np.pi / omega, 20001)
    root, sink = omega * np.sqrt(1.0 - zeta**2), mass * 9.81 / k
    fade = np.exp(-zeta * omega * t)
    second = (speed - zeta * omega * sink) / root
    s = sink + fade * (second * np.sin(root * t) - sink * np.cos(root * t))
    force = k * s + c * np.gradient(s, t)
    assert fx.contact_phases(motion, "sleeve.near_cap").peak == pytest.approx(force.max(), rel=1e-5)
    assert motion.imbalance < 1e-6
