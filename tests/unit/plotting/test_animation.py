"""Movies: frames, times, files whole or not at all."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from flexura.errors import ModelError
from flexura.plotting import animate, movie
from flexura.plotting.animation import choose_speed


@pytest.mark.parametrize(
    ("duration", "speed"),
    [(0.0, 1.0), (2.0, 1.0), (20.0, 1.0), (1.0, 0.5), (0.25, 0.1), (2e-3, 1e-3), (60.0, 5.0), (3600.0, 200.0)],
)
def test_a_motion_too_fast_or_slow_to_watch_is_changed_by_a_round_number(duration: float, speed: float) -> None:
    assert choose_speed(duration) == pytest.approx(speed, rel=1e-12)


def test_a_gif_lasts_as_long_as_the_motion(scene, tmp_path) -> None:
    path = animate(scene, tmp_path / "crank.gif", trace=["B"], fps=15, size=(320, 180))
    with Image.open(path) as gif:
        assert gif.size == (320, 180)
        assert gif.info["loop"] == 0
        lasting = 0
        for frame in range(gif.n_frames):
            gif.seek(frame)
            lasting += gif.info["duration"]
    assert lasting == pytest.approx(2000, abs=1000 / 15 + 5)  # the last frame stays for one frame


def test_speed_sets_the_number_of_frames(scene, tmp_path) -> None:
    with Image.open(animate(scene, tmp_path / "slow.gif", speed=0.5, fps=5, size=(160, 90))) as gif:
        assert gif.n_frames == 21


def test_the_paper_is_white(scene, tmp_path) -> None:
    with Image.open(animate(scene, tmp_path / "white.gif", fps=2, size=(160, 90))) as gif:
        assert gif.convert("RGB").getpixel((1, 45)) == (255, 255, 255)


def test_one_frame_is_a_picture(still, tmp_path) -> None:
    with Image.open(animate(still, tmp_path / "still.gif", trace="end")) as gif:
        assert gif.n_frames == 1


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="MP4 needs ffmpeg")
def test_an_mp4_is_written(scene, tmp_path) -> None:
    path = animate(scene, tmp_path / "crank.mp4", fps=10, size=(321, 181))
    assert path.read_bytes()[4:8] == b"ftyp"
    assert (
        subprocess.run([shutil.which("ffmpeg"), "-v", "error", "-i", path, "-f", "null", "-"], check=False).returncode
        == 0
    )


def test_without_ffmpeg_the_remedy_is_said(scene, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(movie.shutil, "which", lambda name: None)
    with pytest.raises(
        ModelError, match=r"ffmpeg, which makes MP4, is not found; install it, or write \.gif or \.html$"
    ):
        animate(scene, tmp_path / "crank.mp4")


def test_a_failing_encoder_leaves_no_file(scene, tmp_path, monkeypatch) -> None:
    broken = shutil.which("false")
    monkeypatch.setattr(movie.shutil, "which", lambda name: broken)
    with pytest.raises(ModelError, match="ffmpeg failed: exit code 1"):
        animate(scene, tmp_path / "crank.mp4", size=(160, 90))
    assert list(tmp_path.iterdir()) == []


def test_a_movie_that_breaks_off_leaves_the_old_one(scene, tmp_path, monkeypatch) -> None:
    path = tmp_path / "crank.gif"
    path.write_text("old")
    monkeypatch.setattr(movie, "film", lambda *args: iter([np.zeros((9, 16, 3), np.uint8), "not a picture"]))
    with pytest.raises(AttributeError):
        animate(scene, path)
    assert (path.read_text(), list(tmp_path.iterdir())) == ("old", [path])


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("a.avi", {}, "a.avi: '.avi' is no kind of animation; let it end in .gif, .mp4 or .html"),
        ("a.gif", {"speed": 0.0}, "animate: speed 0.0 and fps 25.0 do not make a movie; give numbers above zero"),
        ("a.gif", {"speed": float("nan")}, "animate: speed nan and fps 25.0 do not make a movie"),
        ("a.gif", {"speed": 1e-4}, "the movie would have 5e+05 frames; give a speed of 0.0083 or more"),
        ("a.gif", {"trace": ["Z"]}, "trace: there is no point 'Z'; options are O, A, B, C"),
        ("a.gif", {"signals": {"B.x": (np.zeros(100), "m")}}, "a movie shows no signals; write a page (.html)"),
        ("a.html", {"signals": {"B.x": (np.zeros(3), "m")}}, "signals: B.x: it has 3 values, the scene has 100 frames"),
        ("none/a.html", {}, "none; make it first"),
    ],
)
def test_mistakes_are_told_with_a_remedy(scene, tmp_path, name, options, said) -> None:
    with pytest.raises(ModelError) as error:
        animate(scene, tmp_path / name, **options)
    assert said in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_repeated_times_do_no_harm(scene, tmp_path) -> None:
    twice = replace(scene, t=np.concatenate([scene.t[:50], scene.t[49:-1]]))
    assert animate(twice, tmp_path / "event.gif", trace=["A"], fps=5, size=(160, 90)).exists()
