"""How space is looked at: a rotation, the plane as a special case, a floor under everything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.plotting.artists import hangs
from flexura.plotting.floor import floor_lines, round_step, upright
from flexura.plotting.scene_frames import bounds, each
from flexura.plotting.view import USUAL, axes, look
from flexura.results.scene import Scene

FRONT, TOP = (-np.pi / 2, 0.0), (-np.pi / 2, np.pi / 2)
UPS = [(0.0, 0.0, 1.0), (0.0, 9.81, 0.0), (-2.0, 0.0, 0.0), (0.3, -0.4, 0.2), (1.0, 1e-3, 0.0)]


@pytest.mark.parametrize("up", UPS)
@pytest.mark.parametrize("view", [USUAL, FRONT, TOP, (0.0, 0.0), (2.5, -1.2), (-40.0, -np.pi / 2)])
def test_a_view_is_a_rotation(view, up) -> None:
    turn = axes(*view, up)
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), rtol=0.0, atol=1e-15)
    np.testing.assert_allclose(np.cross(turn[0], turn[1]), turn[2], rtol=0.0, atol=1e-15)
    # the viewer stands as high as said, and keeps his head up
    right, upwards, towards = turn @ (np.array(up) / np.linalg.norm(up))
    np.testing.assert_allclose([right, upwards, towards], [0.0, np.cos(view[1]), np.sin(view[1])], atol=1e-15)


def test_azimuth_and_elevation_are_those_of_the_viewer() -> None:
    azimuth, elevation = 0.7, 0.3
    place = [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    np.testing.assert_allclose(axes(azimuth, elevation)[2], place, rtol=0.0, atol=1e-15)


@pytest.mark.parametrize(("view", "up"), [(TOP, (0.0, 0.0, 1.0)), (FRONT, (0.0, 1.0, 0.0))])
def test_from_plus_z_the_plane_looks_as_it_is(scene, view, up) -> None:
    assert look(scene).scene is scene
    seen = look(embedded(scene, up), view).scene
    assert (scene.dimension, seen.dimension) == (2, 3)
    for name, (line,) in scene.lines.items():
        np.testing.assert_allclose(seen.lines[name][0][..., :2], line, rtol=0.0, atol=1e-15)
        np.testing.assert_allclose(seen.lines[name][0][..., 2], 0.0, rtol=0.0, atol=1e-15)


def embedded(scene: Scene, up: tuple[float, float, float]) -> Scene:
    flat = each(scene, scene.t, lambda place: np.concatenate([place, np.zeros_like(place[..., :1])], axis=-1))
    return replace(flat, up=up)


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ((45.0, 30.0), "view: nobody looks from azimuth 45 and elevation 30; give both in radians, the elevation from"),
        ((np.nan, 0.0), "view: nobody looks from azimuth nan and elevation 0"),
        ((0.0, np.nan), "view: nobody looks from azimuth 0 and elevation nan"),
    ],
)
def test_an_impossible_view_is_refused(spatial, view, said) -> None:
    with pytest.raises(ModelError) as error:
        look(spatial, view)
    assert said in str(error.value)


def test_what_makes_no_sense_is_refused(scene, spatial) -> None:
    with pytest.raises(ModelError, match=r"^view: the scene is in the plane; leave the view out: there is only one$"):
        look(scene, TOP)
    with pytest.raises(ModelError, match=r"^scene: \(0.0, 0.0, 0.0\) is not a direction; give the way up"):
        look(replace(spatial, up=(0.0, 0.0, 0.0)))


@pytest.mark.parametrize("up", UPS)
def test_the_floor_lies_under_everything(spatial, up) -> None:
    tilted = replace(spatial, up=up)
    lines, step = floor_lines(tilted)
    level = each(tilted, tilted.t, lambda place: place @ upright(up).T)
    (low, high), marks = bounds(level), lines @ upright(up).T
    np.testing.assert_allclose(marks[..., 2], low[2], rtol=0.0, atol=1e-12)
    assert np.all(marks.min(axis=(0, 1))[:2] <= low[:2] + 1e-12)
    assert np.all(marks.max(axis=(0, 1))[:2] >= high[:2] - 1e-12)
    np.testing.assert_allclose(marks[..., :2] / step, np.round(marks[..., :2] / step), rtol=0.0, atol=1e-9)


@pytest.mark.parametrize(
    ("size", "step"), [(1.0, 1.0), (0.999, 0.5), (0.02, 0.02), (4.9, 2.0), (5e6, 5e6), (7e-4, 5e-4)]
)
def test_the_step_of_the_floor_is_a_round_number(size, step) -> None:
    assert round_step(size) == pytest.approx(step, rel=1e-12)


def test_what_hangs_in_space_is_below_its_support(spatial) -> None:
    bar = np.array([[[0.0, 0.0, 0.0], [0.1, 0.1, -1.0]]])
    hanging = Scene(np.zeros(1), {"bar": (bar,)}, {"top": bar[:, 0]}, ("top",))
    assert hangs(hanging, "top")
    assert not hangs(replace(hanging, up=(0.0, 0.0, -2.0)), "top")
    assert hangs(look(hanging, FRONT).scene, "top")
    assert not hangs(spatial, "O")


def test_a_scene_knows_its_dimension(scene, spatial) -> None:
    empty = Scene(np.zeros(1), {}, {}, ())
    assert [s.dimension for s in (empty, scene, spatial, replace(spatial, points={}))] == [2, 2, 3, 3]
