"""Frames between the frames, and the room they take."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.plotting.scene_frames import bounds, distinct, moving, paths, resample, traced, window
from flexura.results.scene import Scene


def test_bounds_hold_every_frame(scene) -> None:
    low, high = bounds(scene)
    assert low[0] == pytest.approx(-0.15, abs=1e-3)  # the crank to the left
    assert high[0] == 0.15 + 0.306  # stretched


def test_bounds_pass_over_what_is_not_known(scene) -> None:
    hole = scene.points["A"].copy()
    hole[3] = np.nan
    assert np.all(np.isfinite(bounds(replace(scene, points={"A": hole}))))


def test_an_empty_scene_is_refused() -> None:
    with pytest.raises(ModelError, match=r"^scene: there is nothing to draw; give the model an element or a node$"):
        bounds(Scene(np.zeros(1), {}, {}, ()))


def test_the_window_is_never_a_slit(still) -> None:
    low, high = window(still)
    width, height = high - low
    assert width >= 0.3 * height


def test_resampling_keeps_the_frames(scene) -> None:
    again = resample(scene, scene.t)
    np.testing.assert_allclose(again.lines["rod"][0], scene.lines["rod"][0], rtol=0.0, atol=1e-15)


def test_resampling_follows_a_parabola_exactly_also_between_uneven_frames() -> None:
    t = np.array([0.0, 0.1, 0.4, 0.5, 1.0])
    place = np.column_stack([t**2, 1.0 - 3.0 * t**2])
    times = np.linspace(0.0, 1.0, 41)
    point = resample(Scene(t, {}, {"P": place}, ()), times).points["P"]
    np.testing.assert_allclose(point, np.column_stack([times**2, 1.0 - 3.0 * times**2]), rtol=0.0, atol=1e-14)


def test_a_repeated_time_counts_once(still) -> None:
    place = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    once = distinct(Scene(np.array([0.0, 1.0, 1.0, 2.0]), {}, {"P": place}, ()))
    assert once.t.tolist() == [0.0, 1.0, 2.0]
    assert once.points["P"][:, 0].tolist() == [0.0, 2.0, 3.0]


def test_paths_of_one_frame_and_of_no_points(scene, still) -> None:
    assert len(paths(still, ("end",)).points["end"]) == 1
    assert paths(scene, ()).points == {}


def test_only_what_moves_is_traced_by_itself(scene) -> None:
    assert moving(scene) == ("A", "B", "C")


def test_a_misspelt_point_is_named(scene) -> None:
    assert traced(scene, "A") == ("A",)
    with pytest.raises(ModelError, match=r"^trace: there is no point 'a'; did you mean 'A'\?$"):
        traced(scene, ["a"])
