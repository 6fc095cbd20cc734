"""Wheels that yield in their plane and sideways."""

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Body, Wheel

ACCURATE = fx.DormandPrince(tolerance=1e-11)


def disc(*, fixed=(), loads=None, start=None, **wheel) -> fx.Model:
    """A thin disc of unit mass and radius, upright on the ground, weight one."""
    return fx.Model(
        nodes={"W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "disc": Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25),
            "wheel": Wheel("disc.p", "C", "G", **wheel),
        },
        fixed=["wheel.g", *fixed],
        gravity=(0, 0, -1),
        loads=loads or {},
        start=start or {},
    )


UPRIGHT = [f"disc.p.e{i}" for i in range(4)]


def test_wheel_is_pressed_flat_by_its_weight_and_sideways_by_a_push():
    state = fx.equilibrium(disc(fixed=UPRIGHT, loads={"W.y": 0.1}, k_radial=50.0, k_lateral=20.0))
    assert state["wheel.radial"] == pytest.approx(-1.0 / 50.0, abs=1e-12)
    assert state["W.z"] == pytest.approx(1.0 - 1.0 / 50.0, abs=1e-12)
    assert state["wheel.lateral"] == pytest.approx(-0.1 / 20.0, abs=1e-12)
    assert state["W.y"] - state["C.y"] == pytest.approx(0.1 / 20.0, abs=1e-12)


def test_wheel_bounces_and_sways_on_its_springs():
    """Upright and not turning: frequencies √(k/m) in and across its plane, with the damping c/2m."""
    k, c, side = 50.0, 0.8, 20.0
    model = disc(fixed=UPRIGHT, k_radial=k, c_radial=c, k_lateral=side)
    motion = fx.simulate(model, 3.0, samples=61, method=ACCURATE)
    decay, rate = c / 2.0, np.sqrt(k - c**2 / 4.0)
    swing = np.exp(-decay * motion.t) * (np.cos(rate * motion.t) + decay / rate * np.sin(rate * motion.t))
    assert motion["wheel.radial"] == pytest.approx(-(1.0 - swing) / k, abs=1e-10)
    assert motion.force("wheel.height") == pytest.approx(motion.force("wheel.radial"), abs=1e-10)
    roots = fx.linearise(model, at=fx.equilibrium(model)).eigenvalues
    for root in (-decay + 1j * rate, 1j * np.sqrt(side)):
        assert np.abs(roots - root).min() < 1e-9


@pytest.mark.parametrize("soft", [("k_radial",), ("k_lateral",), ("k_radial", "k_lateral")])
def test_stiff_wheel_rolls_as_a_rigid_one(soft):
    """Leaning over and turning: off by the first order in 1/k, once what was thrown does not shake the springs."""
    start = {"disc.p.about_y'": 0.8, "disc.p.about_x'": -0.1, "W.x'": 0.8, "W.y'": 0.1, "W.z'": 0.0}

    def path(**k):
        motion = fx.simulate(disc(start=start, **k), 3.0, samples=31, method=ACCURATE)
        assert np.abs(motion.energy["balance"]).max() < 1e-10
        return np.column_stack([motion["C.x"], motion["C.y"], motion["W.z"]])

    rigid = path()
    off = [np.abs(path(**dict.fromkeys(soft, k)) - rigid).max() for k in (1e3, 1e4)]
    assert off[0] < 0.01
    assert off[0] / off[1] == pytest.approx(10.0, rel=0.15)


def test_friction_goes_with_the_load_of_the_spring():
    """A locked wheel that bounces: the force is μ times that of the spring at every moment, and never pulls."""
    mu, k, slow = 0.4, 30.0, 1e-3
    model = disc(fixed=UPRIGHT, start={"W.x'": 2.0}, k_radial=k, friction=fx.Coulomb(mu, slow))
    motion = fx.simulate(model, 1.5, samples=151, method=ACCURATE)
    pressed = motion.force("wheel.radial")
    assert pressed.max() > 1.9
    assert pressed.min() > -1e-9
    slip = motion["wheel.along'"]
    assert motion.force("wheel.along") == pytest.approx(-mu * pressed * slip / np.sqrt(slip**2 + slow**2), abs=1e-10)
    assert motion["W.x''"] == pytest.approx(motion.force("wheel.along"), abs=1e-10)
