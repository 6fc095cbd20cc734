"""Machines at rest under sampled controllers, whose actions are limited."""

from math import sin

import pytest
from scipy.optimize import brentq

import flexura as fx
from flexura.planar import Beam, Mass

ARM, LINK, BOB = 0.5, 1.2, 0.8
WEIGHT = 9.81 * (LINK * ARM * ARM / 2 + BOB * ARM)
"""Largest moment of the weights."""


def pendulum(law, reference, limit):
    """Pendulum that a motor lifts from its lowest position."""
    motor = fx.Sampled(100.0, law, ("arm.p.phi",), ("arm.p.phi",), (reference,), limits=(limit,))
    elements = {"arm": Beam("O", "A", fx.Section(rhoA=LINK), rigid=True), "bob": Mass("A", BOB)}
    nodes = {"O": (0, 0), "A": (0, -ARM)}
    return fx.Model(nodes=nodes, elements=elements, fixed=["O"], gravity=(0, -9.81), sampled={"motor": motor})


LAWS = {
    # gain between error and moment at rest: without end for an integral
    "PID": (fx.PID(15.0, 40.0, 1.0, filter=0.01), None),
    "PD": (fx.PID(15.0, kd=1.0), 15.0),
    "feedback": (fx.Discrete(((15.0,),)), 15.0),
    "lag": (fx.Discrete(((15.0,),), ((0.5,),), ((0.1,),), ((2.0,),)), 15.0 + 2.0 * 0.1 / 0.5),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_motor_carries_the_arm(name):
    law, gain = LAWS[name]
    rest = fx.equilibrium(pendulum(law, 1.4, 10.0))
    angle = 1.4 if gain is None else brentq(lambda phi: gain * (1.4 - phi) - WEIGHT * sin(phi), 0.0, 1.4, xtol=1e-15)
    assert rest["arm.p.phi"] == pytest.approx(angle, rel=1e-10)
    motion = fx.simulate(pendulum(law, 1.4, 10.0), 0.1, start=rest, samples=3)
    assert motion["arm.p.phi"] == pytest.approx(angle, abs=1e-9)


@pytest.mark.parametrize("name", LAWS)
def test_a_motor_that_is_too_weak_has_no_such_equilibrium(name):
    law, _ = LAWS[name]
    with pytest.raises(fx.AnalysisError, match=r"motor.u1 is [45]\.\d+ in this equilibrium, beyond its limit of 1; "):
        fx.equilibrium(pendulum(law, "1.4", 1.0))
