"""Page that plays a scene in a browser: one file that needs no network.

The parts of the page lie in the folder ``player``; numbers go in as 32-bit floats, coded as text.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.atomic_files import whole
from flexura.errors import ModelError
from flexura.plotting import style
from flexura.plotting.artists import hangs
from flexura.plotting.floor import floor_lines, upright
from flexura.plotting.rails import rails
from flexura.plotting.scene_frames import bounds, resample, span
from flexura.plotting.view import USUAL, View
from flexura.results.scene import Scene

Array = NDArray[np.float64]

PARTS = Path(__file__).with_name("player")
SCRIPTS = ("data.js", "camera.js", "stage.js", "forces.js", "space.js", "strip.js", "panel.js", "player.js")
MOST_FRAMES = 1000
MOST_SAMPLES = 4000


def write_page(
    scene: Scene,
    path: Path,
    trace: tuple[str, ...],
    speed: float,
    fps: float,
    signals: Mapping[str, tuple[Array, Array, str]],
    view: View = USUAL,
    panel: Mapping[str, Any] | None = None,
    show_forces: bool = True,
) -> None:
    """Write the page; signals (name → times, values, unit) are drawn below the scene, space is seen from the view.

    With a ``panel`` the page has one beside the scene: further signals, events, summary and model. Forces of the scene
    are arrows, which a button shows and hides; without ``show_forces`` they are hidden at first.
    """
    # twice the frames of a movie, for whoever slows it down
    wanted = min(2 * round((scene.t[-1] - scene.t[0]) / speed * fps) + 2, MOST_FRAMES)
    frames = scene if len(scene.t) <= wanted else resample(scene, np.linspace(scene.t[0], scene.t[-1], wanted))
    data = describe(frames) | {"trace": trace, "speed": speed, "showForces": show_forces}
    if scene.dimension == 3:
        data["space"] = surround(scene, view)
    data["signals"] = [packed_signal(name, scene.t[0], *signal) for name, signal in signals.items()]
    if panel is not None:
        data["panel"] = dict(panel)

    # the data first: it is the only part that is not ours, and may not end its own element
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    with whole(path) as draft:
        draft.write_text(join_parts(escape(scene.title or "Flexura"), text), encoding="utf-8")


def join_parts(title: str, data: str) -> str:
    """The parts of the page in one text."""
    script = "\n".join((PARTS / name).read_text(encoding="utf-8") for name in SCRIPTS)
    parts = {"title": title, "style": (PARTS / "style.css").read_text(encoding="utf-8"), "script": script, "data": data}
    pieces = (PARTS / "page.html").read_text(encoding="utf-8").split("@@")
    return "".join(parts[piece] if odd % 2 else piece for odd, piece in enumerate(pieces))


def describe(scene: Scene) -> dict[str, Any]:
    """The scene as names and packed numbers."""
    bare = replace(scene, forces=())
    low, high = bounds(bare)
    least = 1e-6 * span(bare)
    return {
        "title": scene.title,
        "t": [float(f"{time:.9g}") for time in scene.t],
        "low": low.tolist(),
        "high": high.tolist(),
        "palette": style.PALETTE,
        "lines": [
            {
                "name": name,
                "width": scene.widths.get(name, 1.0),
                "runs": [_packed(simplified(line, least)) for line in polylines],
            }
            for name, polylines in scene.lines.items()
        ],
        "points": [
            {"name": name, "weld": name in scene.welds, **_packed(place[:, None])}
            for name, place in scene.points.items()
        ],
        "touching": [_packed(place) for place in scene.touching.values()],
        "forces": [
            {
                "name": arrow.name,
                "kind": arrow.kind,
                "place": _packed(arrow.place[:, None]),
                "force": _packed(arrow.force[:, None]),
            }
            for arrow in scene.forces
        ],
        "forceScale": scene.force_scale,
        "supports": [{"name": name, "hanging": hangs(scene, name)} for name in scene.supports],
        "rails": [ends.tolist() for ends in rails(scene).values()],
    }


def surround(scene: Scene, view: View) -> dict[str, Any]:
    """Data of the surroundings in space for a page: level and upward directions, viewpoint, floor."""
    floor, step = floor_lines(scene)
    return {"upright": upright(scene.up).tolist(), "view": view, "floor": _packed(floor), "step": step}


def simplified(line: Array, least: float) -> Array:
    """Line without redundant data: inner vertices if it is always straight, further frames if it is at rest."""
    part = np.linspace(0.0, 1.0, line.shape[1])[None, :, None]
    straight = line[:, :1] + part * (line[:, -1:] - line[:, :1])
    if line.shape[1] > 2 and np.all(np.abs(line - straight) < least):
        line = line[:, [0, -1]]
    return line[:1] if np.all(np.abs(line - line[:1]) < least) else line


def thinned(t: Array, values: Array, most: int = MOST_SAMPLES) -> tuple[Array, Array]:
    """Fewer samples of a signal with the same appearance: the lowest and the highest of every interval."""
    if len(t) <= most:
        return t, values
    stretches = np.array_split(np.arange(len(t)), most // 2)
    extremes = [(piece[np.argmin(values[piece])], piece[np.argmax(values[piece])]) for piece in stretches]
    kept = np.unique([0, *np.ravel(extremes), len(t) - 1])
    return t[kept], values[kept]


def packed_signal(
    name: str, start: float, t: Array, values: Array, unit: str, most: int = MOST_SAMPLES
) -> dict[str, Any]:
    """Signal with its times since the start, thinned to a largest number of samples."""
    if np.shape(values) != t.shape:
        what = f"it has {np.size(values)} values, the scene has {len(t)} frames"
        raise ModelError(f"signals: {name}", what, "give one value for each time of the scene")
    known = np.isfinite(values)
    few_t, few = thinned(t[known], np.asarray(values, dtype=float)[known], most)
    return {"name": name, "unit": unit, "t": _coded(few_t - start), "values": _coded(few)}


def _packed(places: Array) -> dict[str, Any]:
    """Places (frames, vertices, coordinates) in a row, with their number of frames, vertices and coordinates."""
    return {"shape": places.shape, "numbers": _coded(places)}


def _coded(numbers: Array) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f4").tobytes()).decode("ascii")
