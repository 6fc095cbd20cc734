"""Floor under a scene in space: a square grid whose step is a round number."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.plotting.scene_frames import bounds, each, span
from flexura.results.scene import Scene

Array = NDArray[np.float64]


def upright(up: tuple[float, float, float]) -> Array:
    """Two level directions and the upward one, as the rows of a rotation; the first is x, or y where x is upright."""
    length = math.hypot(*up)
    if not (math.isfinite(length) and length > 0.0):
        raise ModelError("scene", f"{up} is not a direction", "give the way up as three numbers, not all zero")
    above = np.asarray(up, dtype=float) / length
    ahead = np.array([1.0, 0.0, 0.0]) if abs(above[0]) < 0.99 else np.array([0.0, 1.0, 0.0])
    first = ahead - (ahead @ above) * above
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(above, first), above])


def floor_lines(scene: Scene) -> tuple[Array, float]:
    """Lines of the floor, (k, 2, 3), and their distance; it extends under all frames, over half the scene at least."""
    turn = upright(scene.up)
    levelled = each(scene, scene.t, lambda place: place @ turn.T)
    low, high = bounds(levelled)
    step, least = round_step(span(scene) / 8.0), span(scene) / 4.0

    # whole steps, so that the lines lie on round coordinates
    centre, half = (low + high)[:2] / 2.0, np.maximum((high - low)[:2] / 2.0, least)
    first, last = np.floor((centre - half) / step + 1e-9), np.ceil((centre + half) / step - 1e-9)
    marks = [step * np.arange(a, b + 0.5) for a, b in zip(first, last, strict=True)]
    (x0, *_, x1), (y0, *_, y1) = marks
    lines = [((x, y0), (x, y1)) for x in marks[0]] + [((x0, y), (x1, y)) for y in marks[1]]
    grid = np.array([[(*end, low[2]) for end in line] for line in lines])
    return grid @ turn, step


def round_step(size: float) -> float:
    """The largest of 1, 2, 5, 10, … not above a number."""
    decade = 10.0 ** math.floor(math.log10(size))
    return decade * next((lead for lead in (5.0, 2.0) if lead * decade <= size * (1.0 + 1e-12)), 1.0)
