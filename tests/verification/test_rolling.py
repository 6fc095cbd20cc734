"""Wheels that roll without slip: motions and linear equations against closed forms and published numbers."""

from itertools import pairwise
from math import cosh, pi, sqrt, tanh

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass
from flexura.planar import Wheel as Runner
from references.rolling_models import caster, disc

# ── knife edges in the plane ─────────────────────────────────────────────────────────────────────────────────────────


def sleigh(spin: float, speed: float, arm: float = 0.7, mass: float = 2.0, inertia: float = 0.3) -> fx.Model:
    """A knife edge behind a mass, at the origin and along x."""
    return fx.Model(
        nodes={"C": (0, 0), "G": (arm, 0)},
        elements={
            "arm": Beam("C", "G", fx.Section(), rigid=True),
            "mass": Mass("arm.q", mass, inertia=inertia),
            "edge": Runner("arm.p", "arm.p"),
        },
        released=["edge.along"],
        start={"arm.p.phi'": spin, "C.x'": speed},
    )


def test_chaplygins_sleigh_turns_into_its_straight_line():
    """Energy is kept, and the spin dies out: u = √(2E/m) tanh τ, ω = √(2E/J) / cosh τ with J about the edge."""
    spin, speed, arm, mass, inertia = 1.5, -1.0, 0.7, 2.0, 0.3
    about = inertia + mass * arm**2
    energy = 0.5 * mass * speed**2 + 0.5 * about * spin**2
    begin = np.arctanh(speed / sqrt(2.0 * energy / mass))
    motion = fx.simulate(sleigh(spin, speed), 4.0, samples=201, method=fx.DormandPrince(tolerance=1e-11))
    tau = begin + arm * sqrt(2.0 * energy * mass) / about * motion.t
    forward = motion["C.x'"] * np.cos(motion["arm.p.phi"]) + motion["C.y'"] * np.sin(motion["arm.p.phi"])
    assert forward == pytest.approx(sqrt(2.0 * energy / mass) * np.array([*map(tanh, tau)]), abs=1e-9)
    assert motion["arm.p.phi'"] == pytest.approx(sqrt(2.0 * energy / about) / np.array([*map(cosh, tau)]), abs=1e-9)
    assert np.abs(motion.energy["total"] - energy).max() < 1e-9
    across = -motion["C.x'"] * np.sin(motion["arm.p.phi"]) + motion["C.y'"] * np.cos(motion["arm.p.phi"])
    assert np.abs(across).max() < 1e-12


# ── discs in space ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_disc_below_its_critical_speed_wobbles_for_ever():
    """[Schwab2002, section 3.6]: turns, lean and forces of catalogue 4.6; energy to 1e-8."""
    thrown = disc(start={"disc.p.about_y'": 0.4116, "disc.p.about_x'": -0.01})
    motion = fx.simulate(thrown, 87.0, samples=8701, method=fx.DormandPrince(tolerance=1e-10))
    axle = motion.orientation("disc.p", "cosines")[:, :, 1]
    lean = np.degrees(np.arcsin(axle[:, 2]))
    assert np.abs(lean).max() == pytest.approx(48.06041, abs=1e-4)
    tops = [
        k
        for k in range(1, len(lean) - 1)
        if abs(lean[k]) > 30.0 and abs(lean[k - 1]) < abs(lean[k]) >= abs(lean[k + 1])
    ]
    assert [after - before for before, after in pairwise(motion.t[tops])] == pytest.approx([16.516] * 4, abs=0.011)
    weight, along, across = (motion.force(f"wheel.{name}") for name in ("height", "along", "across"))
    assert (np.abs(weight).min(), np.abs(weight).max()) == pytest.approx((0.897730, 1.360895), abs=2e-6)
    assert np.abs(across).max() == pytest.approx(0.709868, abs=2e-6)
    assert (np.hypot(along, across) / np.abs(weight)).max() == pytest.approx(0.521618, abs=2e-6)
    assert np.abs(motion.energy["total"] - motion.energy["total"][0]).max() < 1e-10


def test_caster_shimmies_by_kinematics_alone():
    """A frequency of 0.800786 rad/s; without inertia 2π/7.83651, however stiff the fork."""
    system = fx.linearise(caster(10.0, 1.0))
    assert len(system.coordinates) == 1
    assert len(system.rolls.coordinates) == 3
    assert system.frequencies[0] == pytest.approx(0.800786, abs=1e-6)
    assert 2.0 * pi / fx.linearise(caster(10.0, 1e-7)).frequencies[0] == pytest.approx(7.83651, abs=5e-6)
    assert 2.0 * pi / fx.linearise(caster(1e9, 1.0)).frequencies[0] == pytest.approx(7.83651, abs=5e-6)


def test_what_rolls_refuses_what_it_cannot():
    model = disc()
    with pytest.raises(fx.ModelError, match="explicit method"):
        fx.simulate(model, 1.0, method=fx.KennedyCarpenter())
    with pytest.raises(fx.ModelError, match="depends on the history"):
        fx.periodic(model, 1.0)
    system = fx.linearise(model)
    with pytest.raises(fx.ModelError, match="a slip has a rate only"):
        system.output("wheel.across")
    with pytest.raises(fx.ModelError, match="with root_locus"):
        fx.sensitivity(model, "elements.disc.mass")
    with pytest.raises(fx.ModelError, match="no undamped modes"):
        system.effective_mass((1.0, 0.0, 0.0))
