"""Animation of a scene: GIF, MP4, or a page that plays in a browser."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.plotting.movie import write_gif, write_mp4
from flexura.plotting.page import write_page
from flexura.plotting.scene_frames import distinct, traced
from flexura.plotting.view import USUAL, View, look
from flexura.results.figure_registry import draws
from flexura.results.scene import Scene

Array = NDArray[np.float64]

SHORTEST, LONGEST = 2.0, 20.0
"""Shortest and longest playing time of an animation at the speed of the motion [s]."""
MOST_FRAMES = 6000


@draws("animate")
def animate(
    scene: Scene,
    path: str | Path,
    trace: Iterable[str] = (),
    speed: float | None = None,
    fps: float = 25.0,
    size: tuple[int, int] | None = None,
    signals: Mapping[str, tuple[Array, str]] | None = None,
    view: View | None = None,
) -> Path:
    """Write the motion as an animation; the ending of ``path`` chooses ``.gif``, ``.mp4`` or ``.html``.

    ``trace`` names the points whose paths are shown. ``speed`` one plays as it happens, less plays slower; without it
    a motion too fast or too slow to watch is slowed down or hurried by a round number. ``size`` is in pixels; a page
    takes the size of its window. ``signals`` (name → values at the scene's times, unit) are curves below a page.
    A scene in space is seen from the azimuth and elevation of ``view`` [rad]; a page begins there and can be turned.
    """
    path, names, frames = Path(path), traced(scene, trace), distinct(scene)
    sight = look(frames, view)
    pace = choose_speed(float(scene.t[-1] - scene.t[0])) if speed is None else speed
    if not (math.isfinite(pace) and pace > 0.0 and math.isfinite(fps) and fps > 0.0):
        raise ModelError("animate", f"speed {pace} and fps {fps} do not make a movie", "give numbers above zero")

    match path.suffix.lower():
        case ".html" | ".htm":
            curves = {name: (scene.t, values, unit) for name, (values, unit) in (signals or {}).items()}
            write_page(frames, path, names, pace, fps, curves, view or USUAL)
        case ".gif" | ".mp4" as kind:
            if signals:
                raise ModelError(str(path), "a movie shows no signals", "write a page (.html), or leave signals out")
            write = write_gif if kind == ".gif" else write_mp4
            write(sight, _times(scene, pace, fps, path), path, names, pace, fps, size)
        case other:
            raise ModelError(str(path), f"'{other}' is no kind of animation", "let it end in .gif, .mp4 or .html")
    return path


def choose_speed(duration: float) -> float:
    """Speed of an animation: 1 if real time is suitable, else the next of 2, 5, 10, … or of their inverses."""
    if duration <= 0.0 or SHORTEST <= duration <= LONGEST:
        return 1.0
    needed = SHORTEST / duration if duration < SHORTEST else duration / LONGEST
    decade = 10.0 ** math.floor(math.log10(needed))
    factor = next(step * decade for step in (1.0, 2.0, 5.0, 10.0) if step * decade >= needed * (1.0 - 1e-12))
    return 1.0 / factor if duration < SHORTEST else factor


def _times(scene: Scene, speed: float, fps: float, path: Path) -> Array:
    """Times of the frames of a movie."""
    start, end = float(scene.t[0]), float(scene.t[-1])
    count = (end - start) / speed * fps + 1.0
    if count > MOST_FRAMES:
        remedy = f"give a speed of {(end - start) * fps / MOST_FRAMES:.2g} or more, or a smaller fps"
        raise ModelError(str(path), f"the movie would have {count:.3g} frames", remedy)
    return start + np.arange(int(count + 1e-9), dtype=np.float64) * (speed / fps)
