"""Robots of URDF and MJCF files against MuJoCo, and closed loops against a planar model."""

import numpy as np
import pytest

import flexura as fx
from flexura import planar
from flexura.formats.robots import read_mjcf, read_urdf
from references.robots import (
    ARM,
    CRANE,
    FOUR_BAR,
    GRIPPER,
    LEG,
    ODD_MJCF,
    ODD_URDF,
    PARALLEL,
    SATELLITE,
    installed_robots,
    mujoco_motion,
    without_meshes,
)

pytest.importorskip("mujoco")
METHOD = fx.DormandPrince(tolerance=1e-10)


def compare(model, text, start, until=1.0, steps=4000):
    """Values of joints of an imported model and of MuJoCo over a second."""
    values, centres = mujoco_motion(text, start, until, samples=11, steps=steps)
    given = {}
    for name, (q, v) in start.items():
        word = "travel" if type(model.elements[name]).__name__ == "Slider" else "rotation"
        given |= {f"{name}.{word}": q, f"{name}.{word}'": v}
    motion = fx.simulate(model.replace(start=given), until=until, samples=11, method=METHOD)
    assert motion.outcome.good
    assert motion.statistics["joint coordinates"] >= len(values)
    worst = 0.0
    for name, expected in values.items():
        word = "travel" if type(model.elements[name]).__name__ == "Slider" else "rotation"
        worst = max(worst, np.abs(motion[f"{name}.{word}"] - expected).max())
    assert worst < 1e-7, worst
    return motion, centres


def test_an_arm_of_a_urdf_file(tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM)
    imported = read_urdf(tmp_path / "arm.urdf", stop_stiffness=0.0)
    assert imported.losses == ()
    start = {"pan": (0.3, 1.0), "lift": (-0.4, 0.5), "extend": (0.05, 0.2), "wrist": (0.7, -2.0)}
    compare(imported.model, ARM, start)


def test_a_crane_of_an_mjcf_file(tmp_path):
    (tmp_path / "crane.xml").write_text(CRANE)
    imported = read_mjcf(tmp_path / "crane.xml", stop_stiffness=0.0)
    assert imported.losses == ()
    compare(imported.model, CRANE, {"rail": (0.05, 0.3), "swing": (0.3, 0.5), "sway": (-0.2, 1.0), "turn": (0.5, 3.0)})


STYLES = {
    "frames, default classes in classes, repeated sections, a total mass": (LEG, "xml", {
        "yaw": (0.3, 0.4), "pitch": (-0.2, 1.0), "knee": (0.5, -1.0), "ankle": (0.1, 0.5), "shoulder": (0.2, 1.0),
    }),
    "degrees, turns about axes of the parent, references, inertia from geoms, no gravity": (PARALLEL, "xml", {
        "left": (0.2, 1.0), "bend": (0.1, -0.6), "out": (0.02, 0.3),
    }),
    "links in any order, axes of any length": (GRIPPER, "urdf", {
        "lift": (0.4, 0.5), "close": (0.01, 0.1), "bend": (0.3, 1.0),
    }),
    "fixed joints, a link without inertia, turned inertias, skew axes": (ODD_URDF, "urdf", {
        "j1": (0.2, 0.5), "j2": (-0.3, 1.0),
    }),
    "frames in frames, an order of turns, a spring with a reference": (ODD_MJCF, "xml", {
        "ja": (0.2, 0.5), "jb": (-0.3, 1.0), "jc": (0.02, 0.1),
    }),
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_other_styles_of_writing(style, tmp_path):
    text, ending, start = STYLES[style]
    path = tmp_path / f"robot.{ending}"
    path.write_text(text)
    imported = (read_mjcf if ending == "xml" else read_urdf)(path, stop_stiffness=0.0)
    assert imported.losses == ()
    compare(imported.model, text, start)


def test_a_free_satellite_with_a_ball_joint(tmp_path):
    (tmp_path / "satellite.xml").write_text(SATELLITE)
    imported = read_mjcf(tmp_path / "satellite.xml")
    motion, centres = compare(imported.model, SATELLITE, {"fold": (0.4, 1.0)})
    body = imported.model.elements["hub"]
    place = np.stack([motion[f"hub_o.{axis}"] for axis in "xyz"], axis=1)
    turned = motion.orientation("hub.p", "cosines")
    found = place + turned @ np.array(body.centre)
    np.testing.assert_allclose(found, centres["hub"], atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("name", installed_robots())
def test_robots_of_an_installed_package(name, tmp_path):
    text = without_meshes(installed_robots()[name].read_text())
    (tmp_path / "robot.urdf").write_text(text)
    with np.errstate(all="raise"):
        model = read_urdf(tmp_path / "robot.urdf", stop_stiffness=0.0).model
    joints = [n for n, e in model.elements.items() if type(e).__name__ in {"Hinge", "Slider"}]
    start = {joint: (0.1 + 0.1 * i, 0.3 - 0.1 * i) for i, joint in enumerate(joints[:4])}
    # light wrists whip: the error of MuJoCo with 4000 steps is 4e-6
    compare(model, text, start, steps=20_000)


def test_a_closed_loop_is_the_planar_linkage(tmp_path):
    # the world's x and z are the plane; a positive rotation about y turns z to x
    (tmp_path / "four_bar.xml").write_text(FOUR_BAR)
    spatial = read_mjcf(tmp_path / "four_bar.xml").model.replace(start={"drive.rotation'": 1.0})
    masses = {"crank": (0.3, 0.5), "coupler": (np.hypot(0.8, 0.3), 1.0), "rocker": (0.6, 0.8)}
    bodies = {name: spatial.elements[name] for name in masses}
    flat = fx.Model(
        nodes={"O": (0, 0), "A": (0, 0.3), "B": (0.8, 0.6), "C": (0.8, 0)},
        elements={
            "crank": planar.Body("O", 0.5, bodies["crank"].Jyy, centre=(0, 0.15), points=("A",)),
            "coupler": planar.Body("A", 1.0, bodies["coupler"].Jyy, centre=(0.4, 0.15), points=("B",)),
            "rocker": planar.Body("C", 0.8, bodies["rocker"].Jyy, centre=(0, 0.3), points=("B",)),
        },
        fixed=["O", "C"],
        start={"crank.p.phi'": -1.0},
        gravity=(0, -9.81),
    )
    motions = [fx.simulate(model, until=0.5, samples=6, method=METHOD) for model in (spatial, flat)]
    np.testing.assert_allclose(motions[0]["drive.rotation"], -motions[1]["crank.p.phi"], atol=1e-7)
    np.testing.assert_allclose(motions[0]["close.x"], motions[1]["B.x"], atol=1e-7)


def test_limits_are_stops(tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM.replace('lower="-2.5"', 'lower="-0.2"'))
    model = fx.load_urdf(tmp_path / "arm.urdf", stop_stiffness=1e4).replace(start={"lift.rotation'": -1.0})
    motion = fx.simulate(model.replace(gravity=(0, 0, 0)), until=1.0, samples=201)
    # the energy ½ J ω² of the lifted part, below 1 J, presses the stop by less than sqrt(2/K)
    assert -0.2 - np.sqrt(2.0 / 1e4) < motion["lift.rotation"].min() < -0.2
