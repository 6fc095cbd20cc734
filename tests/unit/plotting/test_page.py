"""The page: one small file, safe whatever the names are, that says what the scene says."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from flexura.plotting import animate
from flexura.plotting.page import PARTS, SCRIPTS, simplified, thinned
from flexura.plotting.scene_frames import resample
from flexura.plotting.view import USUAL, axes, look
from flexura.results.scene import Scene


def embedded(text: str) -> dict:
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])


def numbers(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4")


def test_the_page_holds_the_scene(scene, tmp_path) -> None:
    signals = {"B.x": (scene.points["B"][:, 0], "m")}
    data = embedded(animate(scene, tmp_path / "a.html", trace=["B"], signals=signals).read_text("utf-8"))
    assert (data["title"], data["trace"], data["speed"]) == ("Slider-crank", ["B"], 1.0)
    rod = data["lines"][1]["runs"][0]
    assert rod["shape"] == [100, 17, 2]
    np.testing.assert_allclose(numbers(rod["numbers"]), scene.lines["rod"][0].ravel(), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(numbers(data["signals"][0]["values"]), scene.points["B"][:, 0], rtol=1e-6)
    assert data["supports"] == [{"name": "O", "hanging": False}]


def test_the_page_holds_a_scene_in_space(spatial, tmp_path) -> None:
    data = embedded(animate(spatial, tmp_path / "a.html", trace=["A"], view=(0.1, 0.2)).read_text("utf-8"))
    coil, space = data["lines"][3]["runs"][0], data["space"]
    assert coil["shape"] == [60, 121, 3]
    np.testing.assert_allclose(numbers(coil["numbers"]), spatial.lines["coil"][0].ravel(), rtol=1e-6, atol=1e-8)
    assert (space["view"], space["step"], space["upright"]) == ([0.1, 0.2], 0.05, np.eye(3).tolist())
    assert data["supports"] == [{"name": "O", "hanging": False}, {"name": "top", "hanging": True}]


def test_the_plane_says_nothing_of_space(scene, tmp_path) -> None:
    assert "space" not in embedded(animate(scene, tmp_path / "a.html").read_text("utf-8"))


@pytest.mark.parametrize("kind", ["scene", "spatial"])
def test_the_page_needs_no_network(kind, tmp_path, request) -> None:
    text = animate(request.getfixturevalue(kind), tmp_path / "a.html").read_text("utf-8")
    assert not re.search(r"https?:|src=|href=|@import|url\(|@@", text)


def test_a_hundred_frames_of_ten_bending_lines_stay_small(scene, tmp_path) -> None:
    rod = scene.lines["rod"]
    many = replace(scene, lines={f"rod {i}": rod for i in range(10)})
    assert animate(many, tmp_path / "a.html").stat().st_size < 300_000


def test_a_long_motion_is_thinned(scene, tmp_path) -> None:
    t = np.linspace(0.0, 10.0, 50_001)
    point = np.column_stack([np.cos(t), np.sin(t)])
    signal = np.where(np.arange(len(t)) == 25_003, 9.0, np.sin(t))
    text = animate(Scene(t, {}, {"P": point}, ()), tmp_path / "a.html", signals={"peak": (signal, "N")}).read_text(
        "utf-8"
    )
    data = embedded(text)
    assert len(data["t"]) == 502  # twice 25 a second, and the ends
    assert numbers(data["signals"][0]["values"]).max() == 9.0


def test_names_cannot_break_out_of_the_page(scene, tmp_path) -> None:
    evil = "</script><script>alert(1)</script>"
    odd = replace(scene, title=evil, points={evil: scene.points["A"]}, supports=())
    text = animate(odd, tmp_path / "a.html").read_text("utf-8")
    assert "<script>alert" not in text
    assert embedded(text)["points"][0]["name"] == evil


def test_what_adds_nothing_is_left_out() -> None:
    s = np.linspace(0.0, 1.0, 9)
    bar = np.stack([np.column_stack([s * np.cos(a), s * np.sin(a)]) for a in (0.0, 1.0, 2.0)])
    assert simplified(bar, 1e-9).shape == (3, 2, 2)
    assert simplified(bar[[0, 0, 0]], 1e-9).shape == (1, 2, 2)
    assert simplified(bar**2, 1e-9).shape == (3, 9, 2)  # straight, but uneven: what is thinned must be without doubt
    assert simplified(np.sin(3.0 * bar), 1e-9).shape == (3, 9, 2)


def test_thinning_keeps_peaks_and_order() -> None:
    t = np.arange(10_000.0)
    values = np.zeros(10_000)
    values[[1234, 5678]] = 1.0, -1.0
    few_t, few = thinned(t, values, 400)
    assert len(few_t) <= 402
    assert np.all(np.diff(few_t) > 0.0)
    assert (few.max(), few.min(), few_t[0], few_t[-1]) == (1.0, -1.0, 0.0, 9999.0)


@pytest.mark.skipif(shutil.which("node") is None, reason="runs the page's own arithmetic, which needs node")
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_the_page_sees_the_same_between_frames(count) -> None:
    t = np.array([0.0, 0.1, 0.4, 0.5, 1.0, 1.3, 2.0])[:count]
    place = np.column_stack([np.cos(2.0 * t), np.sin(2.0 * t)])
    times = np.linspace(t[0], t[-1], 23)
    program = f"""{(PARTS / "data.js").read_text("utf-8")}
    const track = Object.assign(Object.create(Track.prototype), {{ frames: {count}, vertices: 1, size: 2,
      numbers: Float64Array.from({place.ravel().tolist()}) }});
    const seen = {times.tolist()}.map((time) => track.place(blendAt({t.tolist()}, time), 0));
    console.log(JSON.stringify(seen));"""
    seen = json.loads(subprocess.run(["node", "-e", program], check=True, capture_output=True, text=True).stdout)
    expected = resample(Scene(t, {}, {"P": place}, ()), times).points["P"]
    np.testing.assert_allclose(seen, np.broadcast_to(expected, (23, 2)), rtol=0.0, atol=1e-12)


@pytest.mark.skipif(shutil.which("node") is None, reason="runs the page's own camera, which needs node")
@pytest.mark.parametrize(("view", "up"), [(USUAL, (0.0, 0.0, 1.0)), ((2.0, -1.1), (0.2, 3.0, -0.5))])
def test_the_page_looks_from_where_figures_look(spatial, tmp_path, view, up) -> None:
    tilted = replace(spatial, up=up)
    page = animate(tilted, tmp_path / "a.html", view=view).read_text("utf-8")
    places = tilted.lines["coil"][0][7]
    program = f"""{" ".join((PARTS / name).read_text("utf-8") for name in ("data.js", "camera.js", "space.js"))}
    const data = {json.dumps(embedded(page))};
    data.space.floor = new Track(data.space.floor);
    const camera = new SpaceCamera(data), places = {places.tolist()};
    camera.resize(800, 600);
    const see = () => places.map((place) => camera.project(place)), first = see(), {{ axes, scale }} = camera;
    const held = camera.held.map((place) => camera.project(place));
    camera.drag(100, -30); camera.pan(9, 9); camera.zoom(2, 50, 60);
    const moved = see();
    camera.reset();
    console.log(JSON.stringify({{ axes, scale, first, moved, again: see(), held }}));"""
    seen = json.loads(subprocess.run(["node", "-"], input=program, check=True, capture_output=True, text=True).stdout)
    np.testing.assert_allclose(seen["axes"], axes(*view, up), rtol=0.0, atol=1e-15)

    # pixels are metres times a scale, downwards, from some origin; the depth counts from the middle
    first, expected = np.array(seen["first"]), look(tilted, view).scene.lines["coil"][0][7]
    metres = np.diff(first[:, :3], axis=0) / [seen["scale"], -seen["scale"], 1.0]
    np.testing.assert_allclose(metres, np.diff(expected, axis=0), rtol=0.0, atol=1e-12)
    assert not np.allclose(seen["moved"], first, rtol=0.0, atol=1.0)
    np.testing.assert_allclose(seen["again"], first, rtol=0.0, atol=1e-9)
    held = np.array(seen["held"])[:, :2]
    np.testing.assert_allclose(held.min(axis=0) + held.max(axis=0), [800.0, 600.0], rtol=0.0, atol=1e-9)
    assert np.all(held.min(axis=0) > 47.0)


@pytest.mark.skipif(shutil.which("node") is None, reason="node reads the scripts")
@pytest.mark.parametrize("name", SCRIPTS)
def test_the_scripts_can_be_read(name) -> None:
    assert subprocess.run(["node", "--check", PARTS / name], check=False).returncode == 0
