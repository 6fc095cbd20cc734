"""The rigid slider-crank under prescribed motion of the crank, against its closed form: every motion, every force."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Bearing, Mass
from references import slider_crank as closed

TIMES = np.linspace(0.0, 1.0, 101)
EXACT = 2e-12
"""The largest deviation seen is 3.5e-13, of the guide's force; the target is 1e-11."""

FREE = 3e-10
"""The largest deviation seen over five turns is 3.2e-11, of the speed."""


def draw(seed):
    """A slider-crank of random geometry, mass and gravity, and a crank that turns by φ₀ + ωt + ½αt² + ½t³."""
    random = np.random.default_rng(seed)
    crank = random.uniform(0.05, 0.3)
    rod = crank * random.uniform(1.5, 4.0)
    offset = random.uniform(-0.3, 0.3) * (rod - crank)
    rhoA_crank, rhoA_rod, slider = random.uniform(0.1, 2.0, 3)
    case = closed.SliderCrank(crank, rod, offset, rhoA_crank, rhoA_rod, slider, tuple(random.uniform(-10, 10, 2)))
    turning = np.polynomial.Polynomial([random.uniform(-np.pi, np.pi), *random.uniform(-20, 20, 2), 0.5])
    return case, turning


def follow(case, turning):
    """The motion of a model in which each pin is a bearing, so that its force has a name."""
    drawn = closed.kinematics(case, turning(0.0), 0.0, 0.0)
    A, B = tuple(drawn.A[0]), tuple(drawn.B[0])
    model = fx.Model(
        nodes={"O": (0.0, 0.0), "A": A, "A_rod": A, "B": B, "slider": B},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=case.rhoA_crank), rigid=True),
            "rod": Beam("A_rod", "B", fx.Section(rhoA=case.rhoA_rod), rigid=True),
            "pin": Bearing("crank.q", "rod.p"),
            "gudgeon": Bearing("rod.q", "slider"),
            "piston": Mass("slider", case.slider),
        },
        fixed=["O", "slider.y", "gudgeon.q.phi"],
        inputs={"crank.p.phi": fx.Polynomial((0.0, *turning.coef[1:]))},
        gravity=case.gravity,
    )
    return fx.kinematics(model, TIMES)


def on_second(motion, bearing, phi):
    """The force that a bearing puts on its second end, from its components in the frame of the first."""
    along, across = motion.force(f"{bearing}.along"), motion.force(f"{bearing}.across")
    c, s = np.cos(phi), np.sin(phi)
    return np.stack([along * c - across * s, along * s + across * c], axis=-1)


def deviation(found, expected):
    return np.abs(np.asarray(found) - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize("seed", range(10))
def test_motion_and_forces_are_those_of_the_closed_form(seed):
    case, turning = draw(seed)
    motion = follow(case, turning)
    crank = [turning.deriv(n)(TIMES) if n else turning(TIMES) for n in range(3)]
    k, f = closed.kinematics(case, *crank), closed.forces(case, *crank)

    # positions, velocities, accelerations
    start = closed.kinematics(case, turning(0.0), 0.0, 0.0).theta
    for primes, A, B, theta in zip(
        ("", "'", "''"), (k.A, k.A_v, k.A_a), (k.B, k.B_v, k.B_a), (k.theta - start, k.theta_v, k.theta_a), strict=True
    ):
        assert deviation(motion[f"A.x{primes}"], A[:, 0]) < EXACT
        assert deviation(motion[f"A.y{primes}"], A[:, 1]) < EXACT
        assert deviation(motion[f"slider.x{primes}"], B[:, 0]) < EXACT
        assert deviation(motion[f"rod.p.phi{primes}"], theta) < EXACT

    # the drive, and every joint
    assert deviation(motion.force("crank.p.phi"), f.torque) < EXACT
    assert deviation(motion.force("O.x"), f.O_on_crank[:, 0]) < EXACT
    assert deviation(motion.force("O.y"), f.O_on_crank[:, 1]) < EXACT
    assert deviation(on_second(motion, "pin", motion["crank.q.phi"]), f.A_on_rod) < EXACT
    assert deviation(on_second(motion, "gudgeon", motion["rod.q.phi"]), -f.B_on_rod) < EXACT
    assert deviation(motion.force("slider.y"), f.guide_on_slider) < EXACT
    assert np.abs(motion.force("gudgeon.q.phi")).max() == 0.0


def test_turning_freely_it_keeps_its_energy():
    # [Schwab2002 section 4.4.2] data without elasticity: five turns from 150 rad/s
    case = closed.SliderCrank(0.15, 0.30, rhoA_crank=0.2225, rhoA_rod=0.2225, slider=0.033375)
    bars = fx.Section(rhoA=0.2225)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
        elements={
            "crank": Beam("O", "A", bars, rigid=True),
            "rod": Beam("A", "B", bars, rigid=True),
            "piston": Mass("B", 0.033375),
        },
        fixed=["O", "B.y"],
        start={"crank.p.phi'": 150.0},
    )
    motion = fx.simulate(model, until=0.3, samples=61, method=fx.DormandPrince(tolerance=1e-11))
    phi, speed = closed.free_turning(case, 150.0, motion.t)
    assert deviation(motion["crank.p.phi"], phi) < FREE
    assert deviation(motion["crank.p.phi'"], speed) < FREE
    assert np.abs(motion.energy["total"] / motion.energy["total"][0] - 1.0).max() < FREE
