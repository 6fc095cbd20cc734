"""A drum that rolls and unwinds its cable over 9.5 turns, through the belt element, against the closed forms."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Belt
from references import cable_drum as closed

CLOSE = 1e-10
"""The largest deviation seen is 2.3e-11, of the energy; the target is 1e-8."""


@pytest.fixture(scope="module")
def case():
    return closed.CableDrum(turns=10.0, mass=1.4, radius=0.8, speed=1.2)


@pytest.fixture(scope="module")
def motion(case):
    # the cable is laid from P on the ground to the bottom of the drum: a belt without a pulley at its first end
    drum = Belt(
        "P",
        "C",
        radius_p=0.0,
        radius_q=-case.radius,
        rhoA=case.mass / (2.0 * np.pi * case.radius),
        wound_q=2.0 * np.pi * case.radius * case.turns,
    )
    model = fx.Model(
        nodes={"P": (-0.5, -case.radius), "C": (0.0, 0.0)},
        elements={"cable": drum},
        fixed=["P", "cable.p.phi", "C.y"],
        start={"cable.q.phi'": -case.speed},
    )
    until = closed.time(case, 19.0 * np.pi)
    return fx.simulate(model, until, samples=381, method=fx.DormandPrince(tolerance=1e-12))


@pytest.fixture(scope="module")
def phi(motion):
    """The angle that the drum has rolled: clockwise, as it runs to the right."""
    return -motion["cable.q.phi"]


def deviation(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


def test_it_rolls_nine_and_a_half_turns(case, motion, phi):
    assert phi[-1] == pytest.approx(19.0 * np.pi, rel=CLOSE)
    assert deviation(motion["C.x"], case.radius * phi) < 1e-14


def test_the_angular_velocity_rises_as_the_cable_comes_to_rest(case, motion, phi):
    assert -motion["cable.q.phi'"] == pytest.approx(closed.angular_velocity(case, phi), rel=CLOSE)
    assert deviation(-motion["cable.q.phi''"], closed.angular_acceleration(case, phi)) < CLOSE


def test_the_ground_holds_the_cable(case, motion, phi):
    assert deviation(-motion.force("P.x"), closed.tension(case, phi)) < CLOSE


def test_the_ground_carries_the_drum(case, motion, phi):
    assert deviation(motion.force("C.y"), closed.normal_force(case, phi)) < CLOSE


def test_the_energy_stays(motion):
    kinetic = motion.energy["kinetic"]
    assert np.abs(kinetic / kinetic[0] - 1.0).max() < CLOSE
