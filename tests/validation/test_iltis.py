"""The Bombardier Iltis: at rest, steered and over a bump, against a public Robotran model and other programs.

The Robotran results are those of the public project ``ovankerm/IAVSD_ILTIS`` (first commit); the others stand in
[Schwab2002, Table 3.2].
"""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from references import iltis

CAR = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "iltis.py"))
CORNERS, RADIUS = CAR["CORNERS"], CAR["RADIUS"]

ROBOTRAN = {
    "rise": (-7.083e-3, 2e-6),
    "pitch": (np.radians(0.1465), np.radians(3e-4)),
    "front tyre": (3831.31, 0.05),
    "rear tyre": (3591.91, 0.05),
    "front shock": (-335.29, 0.1),
    "rear shock": (-241.64, 0.1),
    "front leaf": (-3068.62, 0.1),
    "rear leaf": (-2885.51, 0.1),
    "front rod": (-1408.51, 0.2),
    "rear rod": (-1335.52, 0.2),
}
"""Equilibrium, with what the digits and the shape of the tread leave open."""

OTHERS = {
    "rise": (-7.100e-3, -7.094e-3),
    "front tyre": (3834.63, 3831.32),
    "rear tyre": (3588.60, 3591.91),
    "front shock": (-336.54, -335.51),
    "rear shock": (-240.43, -241.76),
    "front leaf": (-3071.13, -3069.15),
    "rear leaf": (-2883.07, -2885.75),
    "front rod": (-1406.13, -1404.68),
    "rear rod": (-1331.68, -1333.80),
}
"""NEWEUL and SIMPACK."""


def at_rest(model: fx.Model) -> dict[str, float]:
    """Displacement and pitch of the cabin and the forces, tension positive but for the loads of tyres."""
    state = fx.equilibrium(model)
    found = {"rise": state["C.z"] - 0.57, "pitch": float(state.orientation("cabin.p", "vector")[1])}
    for axle, corner in (("front", "fr"), ("rear", "rr")):
        found |= {
            f"{axle} tyre": state.force(f"tyre_{corner}.gap"),
            f"{axle} shock": -state.force(f"shock_{corner}.elongation"),
            f"{axle} leaf": state.force(f"leaf_{corner}.across_z"),
            f"{axle} rod": -state.force(f"rod_{corner}.elongation"),
        }
    return found


@pytest.fixture(scope="module")
def standing():
    return at_rest(CAR["standing"]())


@pytest.mark.parametrize("name", ROBOTRAN)
def test_equilibrium_is_that_of_robotran(standing, name):
    value, within = ROBOTRAN[name]
    assert standing[name] == pytest.approx(value, rel=0.0, abs=within)


@pytest.mark.parametrize("name", OTHERS)
def test_equilibrium_is_near_that_of_other_programs(standing, name):
    for other in OTHERS[name]:
        assert standing[name] == pytest.approx(other, rel=0.015)


def test_equilibrium_on_sharp_treads_is_the_minimum_of_the_energy():
    model = CAR["standing"]()
    for corner in CORNERS:
        model = model.with_parameter(f"elements.tyre_{corner}.crown", 0.0)
    found, expected = at_rest(model), iltis.equilibrium(crown=0.0)
    for name, value in expected.items():
        # the drawn length of the shock absorbers is rounded to 1e-8 m
        assert found[name] == pytest.approx(value, rel=1e-6, abs=1e-9), name


def test_it_starts_at_rest():
    state = fx.equilibrium(CAR["standing"]())
    for name, value in CAR["AT_REST"].items():
        if name == "cabin.p":
            np.testing.assert_allclose(state.orientation(name, "vector"), value.vector, atol=1e-9)
        else:
            assert state[name] == pytest.approx(value, abs=1e-9), name


# ── steered ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def yaw_rate(motion: fx.Motion) -> np.ndarray:
    """The rate of the last of the angles pitch, roll, yaw, as the source has them."""
    _, roll, yaw = motion.orientation("cabin.p", "angles", "YXZ").T
    x, y, z = (motion[f"cabin.p.about_own_{axis}'"] for axis in "xyz")
    return z + (np.sin(yaw) * x + np.cos(yaw) * y) * np.tan(roll)


TIMES = [0.0, 0.02, 0.499, *np.arange(0.8, 0.9, 0.005).round(3), 2.0, 5.0]


@pytest.fixture(scope="module")
def steered():
    return fx.simulate(CAR["model"], times=TIMES)


def at(motion: fx.Motion, t: float) -> float:
    return float(yaw_rate(motion)[np.argmin(abs(motion.t - t))])


def test_yaw_rate_while_the_rack_moves_is_that_of_robotran(steered):
    assert at(steered, 0.02) == pytest.approx(-2.080562e-04, rel=1e-4)
    assert at(steered, 0.499) == pytest.approx(-7.455626e-02, rel=1e-4)


def test_largest_yaw_rate_is_that_of_robotran(steered):
    # when the rack stops, the wheels give what they turned with to the car, which Robotran leaves out: 1e-4 rad/s
    rates, t = yaw_rate(steered), steered.t
    top = int(abs(rates).argmax())
    assert rates[top] == pytest.approx(-0.103026, abs=2e-4)
    assert t[top] == pytest.approx(0.843, abs=0.005)


def test_steady_yaw_rate_is_that_of_robotran(steered):
    assert at(steered, 2.0) == pytest.approx(-0.083202, abs=3e-5)
    assert at(steered, 5.0) == pytest.approx(-0.084841, abs=3e-5)
    # it coasts: the side forces on steered wheels slow it down
    assert np.hypot(steered["C.x'"][-1], steered["C.y'"][-1]) == pytest.approx(np.hypot(27.51252, 11.06744), abs=0.003)


@pytest.mark.slow
@pytest.mark.parametrize(("speed", "rate"), [(10.0, -0.062530), (20.0, -0.085641)])
def test_steady_yaw_rates_at_other_speeds_are_those_of_robotran(speed, rate):
    model = CAR["model"].replace(
        inputs={"guide.travel": CAR["model"].inputs["guide.travel"]}
        | {f"axle_{corner}.rotation": fx.Ramp(speed / RADIUS[corner]) for corner in CORNERS},
        start={**CAR["model"].start, "C.x'": speed},
    )
    motion = fx.simulate(model, times=[0.0, 5.0], method=fx.DormandPrince(1e-6))
    assert at(motion, 5.0) == pytest.approx(rate, abs=1e-5)


def test_tyres_in_the_turn_have_the_forces_of_the_law(steered):
    for corner in CORNERS:
        load = steered.force(f"tyre_{corner}.gap") / np.cos(steered[f"tyre_{corner}.camber"])
        camber, height = steered[f"tyre_{corner}.camber"], steered[f"W_{corner}.z"]
        aside = steered[f"tyre_{corner}.across'"] - height * steered[f"tyre_{corner}.camber'"]
        angle = np.arctan(aside / steered[f"tyre_{corner}.forward'"])
        for i in range(len(steered.t)):
            force, moment = iltis.calspan(load[i], angle[i], camber[i])
            # the speed below which angles mean little leaves 1e-5
            assert steered.force(f"tyre_{corner}.across")[i] == pytest.approx(force, rel=3e-5, abs=1e-2)
            assert steered.force(f"tyre_{corner}.spin")[i] == pytest.approx(moment, rel=3e-5, abs=1e-3)


@pytest.mark.slow
def test_what_rolls_along_turns_a_little_less(steered):
    # the wheels then have to be sped up and slowed down in the turn
    still = ["C.y'", "C.z'", *(f"cabin.p.about_{a}'" for a in "xyz"), *(f"leaf_{c}.across_z'" for c in CORNERS)]
    rolling = CAR["model"].replace(
        released=(),
        inputs={"guide.travel": CAR["model"].inputs["guide.travel"]},
        start={**CAR["model"].start, **dict.fromkeys(still, 0.0)},
    )
    motion = fx.simulate(rolling, times=[0.0, 0.85, 2.0])
    assert at(motion, 0.85) == pytest.approx(-0.1030, abs=0.0012)
    assert at(motion, 2.0) == pytest.approx(at(steered, 2.0), rel=5e-3)
    assert max(np.abs(motion[f"tyre_{c}.along'"]).max() for c in CORNERS) < 1e-6


@pytest.mark.slow
def test_without_side_slip_it_turns_faster(steered):
    motion = fx.simulate(CAR["without_slip"](), times=[0.0, 2.9, 3.0])
    assert max(abs(motion["tyre_fl.across'"]).max(), abs(motion["tyre_rl.across'"]).max()) < 1e-6
    assert motion["cabin.p.about_z'"][-1] == pytest.approx(motion["cabin.p.about_z'"][-2], rel=1e-3)
    assert abs(at(motion, 3.0)) > 1.2 * abs(at(steered, 5.0))


@pytest.mark.slow
def test_where_no_wheel_may_slip_the_front_wheels_spread():
    # a wheel that heads outwards has to move outwards, and bounces to where it heads outwards the more
    d, speed = 1e-5, 30.0
    up, down = iltis.corner(d), iltis.corner(-d)
    heading = down.axle[0] - up.axle[0]
    aside = up.hub[1] - down.hub[1] + 0.356 * (up.axle[2] - down.axle[2])
    still = ["C.y'", "C.z'", *(f"cabin.p.about_{a}'" for a in "xyz"), *(f"leaf_{c}.across_z'" for c in CORNERS)]
    held = CAR["model"].replace(
        fixed=[*CAR["model"].fixed, "guide.travel", *(f"tyre_{corner}.across" for corner in CORNERS)],
        inputs={f"axle_{corner}.rotation": fx.Ramp(speed / RADIUS[corner]) for corner in CORNERS},
        start={"C.x'": speed, **dict.fromkeys(still, 0.0)},
    )
    roots = fx.linearise(held).eigenvalues
    assert roots.real.max() == pytest.approx(speed * heading / aside, rel=1e-5)


# ── over a bump ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_over_a_bump():
    # Robotran's spring measures the height above the road, and not the distance from it: up to 3 mm less
    model = CAR["model"].replace(
        fixed=[*CAR["model"].fixed, "guide.travel"],
        inputs={f"axle_{corner}.rotation": fx.Ramp(5.0 / RADIUS[corner]) for corner in CORNERS},
        start={**CAR["model"].start, "C.x'": 5.0},
    )
    for corner in CORNERS:
        model = model.with_parameter(f"elements.tyre_{corner}.road", fx.Bump(0.2, 5.0, start=0.97))
    motion = fx.simulate(model, until=1.1, samples=111)
    pitch = motion.orientation("cabin.p", "angles", "YXZ")[:, 0]
    assert motion["C.z"].max() == pytest.approx(0.690687, abs=0.003)
    assert pitch.max() == pytest.approx(0.133343, abs=0.002)
    assert motion.t[pitch.argmax()] == pytest.approx(1.033, abs=0.01)
    assert np.abs(motion["C.y"]).max() < 1e-9
