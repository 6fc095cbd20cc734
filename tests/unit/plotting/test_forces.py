"""Arrows of forces: they are the forces of mechanics, drawn to the scale of their legend."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from flexura.plotting.scene_frames import resample
from flexura.results.force_arrows import ForceArrow, metres_per_newton
from flexura.results.motion import Motion
from flexura.results.scene import Scene
from unit.plotting.test_page import embedded, numbers

MASS, G = 2.0, 9.81


def forces(scene: Scene, kind: str) -> dict[str, np.ndarray]:
    """Sum of the arrows of a kind at each node or element."""
    found: dict[str, np.ndarray] = {}
    for arrow in scene.forces:
        if arrow.kind == kind:
            found[arrow.name] = found.get(arrow.name, 0.0) + arrow.force
    return found


@pytest.fixture(scope="module")
def sliding() -> Motion:
    """A ball that is pushed along a floor with friction, where it comes to rest."""
    law = fx.KelvinVoigt(1e4, 50.0)
    model = fx.Model(
        title="Ball",
        nodes={"G": (0, 0), "B": (0, 0.3)},
        elements={
            "ball": planar.Mass("B", MASS),
            "floor": planar.PointContact("G", "B", law, radius=0.1, friction=fx.Friction(0.2)),
        },
        fixed=["G"],
        loads={"B.x": 3.0},
        gravity=(0, -G),
    )
    return fx.simulate(model, until=3.0, samples=201)


def test_a_ball_at_rest_is_carried_by_its_floor(sliding: Motion) -> None:
    scene = sliding.scene(forces=True)
    carried = [-3.0, MASS * G]
    np.testing.assert_allclose(forces(scene, "contact")["floor"][-1], carried, rtol=1e-6)
    np.testing.assert_allclose(forces(scene, "reaction")["G"][-1], carried, rtol=1e-6)
    np.testing.assert_array_equal(forces(scene, "load")["B"], np.tile([3.0, 0.0], (201, 1)))
    (contact,) = (arrow for arrow in scene.forces if arrow.kind == "contact")
    np.testing.assert_allclose(contact.place[-1, 1], sliding["B.y"][-1] - 0.1, atol=1e-9)


def test_a_point_that_touches_is_lit(sliding: Motion) -> None:
    places = sliding.scene().touching["floor"][:, 0]
    assert np.isfinite(places[:, 0]).tolist() == (sliding["floor.gap"] <= 0.0).tolist()
    np.testing.assert_allclose(places[-1], [sliding["B.x"][-1], sliding["B.y"][-1] - 0.1], atol=1e-9)


LAW = fx.KelvinVoigt(1e5, 20.0)
PLANE = {
    "line": planar.PointContact("O", "B", LAW, normal=(0.6, 0.8), friction=fx.Friction(0.3)),
    "circle": planar.PointContact("O", "B", LAW, "circle", size=0.3, radius=0.05),
    "ring": planar.PointContact("O", "B", LAW, "ring", size=0.7, radius=0.05, friction=fx.Friction(0.1, 1e-3)),
    "clearance": planar.Clearance("O", "B", 0.01, LAW, friction=fx.Friction(0.2, 1e-3), radius=0.05),
}


@pytest.mark.parametrize("name", PLANE)
def test_contact_force_and_weight_give_the_acceleration(name: str) -> None:
    """The arrow of any contact on a mass is its mass times its acceleration without that of the weight."""
    model = fx.Model(
        nodes={"O": (0, 0), "B": (0.2, 0.5)},
        elements={"joint": PLANE[name], "body": planar.Mass("B", MASS)},
        fixed=["O"],
        start={"B.x'": 0.4, "B.y'": -0.1},
        gravity=(0, -G),
    )
    motion = fx.simulate(model, until=0.6, samples=121)
    drawn = forces(motion.scene(forces=True), "contact")["joint"]
    acting = MASS * (np.column_stack([motion["B.x''"], motion["B.y''"]]) + np.array([0.0, G]))
    assert np.abs(acting).max() > 1.0
    np.testing.assert_allclose(drawn, acting, rtol=0.0, atol=2e-6 * np.abs(acting).max())


SPACE = {
    "ball": spatial.Ball("O", "B", LAW, radius=0.1, friction=fx.Friction(0.3)),
    "socket": spatial.BallSocket("O", "B", 0.01, LAW, radius=0.1),
}


@pytest.mark.parametrize("name", SPACE)
def test_contact_force_and_weight_give_the_acceleration_in_space(name: str) -> None:
    model = fx.Model(
        nodes={"O": (0, 0, 0), "B": (0.2, 0.1, 0.12)},
        elements={"joint": SPACE[name], "body": spatial.Mass("B", MASS)},
        fixed=["O"],
        start={"B.x'": 0.4, "B.y'": -0.1},
        gravity=(0, 0, -G),
    )
    motion = fx.simulate(model, until=0.3, samples=61)
    drawn = forces(motion.scene(forces=True), "contact")["joint"]
    acting = MASS * (np.column_stack([motion[f"B.{axis}''"] for axis in "xyz"]) + np.array([0.0, 0.0, G]))
    assert np.abs(acting).max() > 1.0
    np.testing.assert_allclose(drawn, acting, rtol=0.0, atol=2e-6 * np.abs(acting).max())


def test_arrows_have_the_scale_of_the_legend(sliding: Motion) -> None:
    figure = sliding.end.plot(forces=0.01)
    (ax,) = figure.axes
    tips = {tuple(quiver.get_facecolor()[0][:3].round(2)): (quiver.U, quiver.V) for quiver in ax.collections}
    assert len(tips) == 3  # reactions, loads, contact forces
    np.testing.assert_allclose(max(v.max() for _, v in tips.values()), 0.01 * MASS * G, rtol=1e-6)
    (key,) = (artist for artist in ax.get_children() if type(artist).__name__ == "QuiverKey")
    np.testing.assert_allclose(key.U, 0.01 * float(key.text.get_text().removesuffix(" N")))
    assert {"reactions", "loads", "contact forces"} <= {text.get_text() for text in ax.texts}


def test_the_scale_suits_the_picture_and_impacts_do_not_hide_the_rest() -> None:
    t = np.linspace(0.0, 1.0, 101)
    push = np.column_stack([0.0 * t, np.where(t == 0.5, 1e5, 20.0)])
    arrow = ForceArrow("A", "reaction", 0.0 * push, push)
    assert metres_per_newton([arrow], 2.0) == pytest.approx(0.25 * 2.0 / 80.0)
    assert metres_per_newton([arrow._replace(force=np.minimum(push, 30.0))], 2.0) == pytest.approx(0.25 * 2.0 / 30.0)
    assert metres_per_newton([], 2.0) == 0.0


def test_a_scale_below_zero_is_refused(sliding: Motion) -> None:
    with pytest.raises(fx.ModelError, match=r"forces: arrows of -1 m/N cannot be drawn"):
        sliding.scene(forces=-1.0)


def test_forces_are_straight_between_frames(sliding: Motion) -> None:
    scene = sliding.scene(forces=True)
    times = (scene.t[1:] + scene.t[:-1]) / 2.0
    for before, after in zip(scene.forces, resample(scene, times).forces, strict=True):
        np.testing.assert_allclose(after.force, (before.force[1:] + before.force[:-1]) / 2.0, rtol=0.0, atol=1e-9)


def test_movies_and_poses_show_forces(sliding: Motion, tmp_path: Path) -> None:
    few = replace(sliding, events=()).only(slice(0, 200, 40))
    for options in ({}, {"forces": True}):
        few.animate(str(tmp_path / f"{len(options)}.gif"), fps=4, size=(160, 120), **options)
    assert (tmp_path / "0.gif").read_bytes() != (tmp_path / "1.gif").read_bytes()
    poses = sliding.plot_poses(3, forces=True)
    assert sum(type(artist).__name__ == "Quiver" for artist in poses.axes[0].collections) == 3


def test_pages_hold_forces(sliding: Motion, tmp_path: Path) -> None:
    sliding.write_page(path=tmp_path / "page.html")
    data = embedded((tmp_path / "page.html").read_text("utf-8"))
    assert data["showForces"] is False
    assert sorted(arrow["kind"] for arrow in data["forces"]) == ["contact", "load", "reaction"]
    (contact,) = (arrow for arrow in data["forces"] if arrow["kind"] == "contact")
    np.testing.assert_allclose(numbers(contact["force"]["numbers"])[-2:], [-3.0, MASS * G], rtol=1e-5)
    sliding.animate(str(tmp_path / "bare.html"))
    assert embedded((tmp_path / "bare.html").read_text("utf-8"))["forces"] == []
    sliding.animate(str(tmp_path / "forces.html"), forces=True)
    assert embedded((tmp_path / "forces.html").read_text("utf-8"))["showForces"] is True
