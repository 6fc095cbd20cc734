"""Placement of names in a drawing: beside their parts, without overlap."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flexura.plotting import style
from flexura.plotting.artists import hangs
from flexura.plotting.frames import span
from flexura.results.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

# the eight ways a name can go, best liked first
WAYS = np.array([(1, 1), (0, 1), (-1, 1), (1, 0), (-1, 0), (0, -1), (1, -1), (-1, -1)], dtype=float)
WAYS /= np.linalg.norm(WAYS, axis=1)[:, None]


def name_points(ax: Axes, scene: Scene, frame: int) -> None:
    """Write the names of the points; those in one place share a line of text."""
    for names, place in _together(scene, frame):
        away = _freest(_taken_ways(scene, frame, place))
        _write(ax, ", ".join(names), place, away, 8.0, style.INK, "bold")


def name_elements(ax: Axes, scene: Scene, frame: int, reach: float) -> None:
    """Write the name of each element beside it, in its colour; ``reach`` is the offset, in metres, that keeps clear."""
    dense = {name: [_dense(line[frame, :, :2]) for line in lines] for name, lines in scene.lines.items()}
    taken = [line for lines in dense.values() for line in lines]
    taken += [place[frame, None, :2] for place in scene.points.values()]
    for number, (name, lines) in enumerate(dense.items()):
        if lines:
            longest = max(lines, key=lambda line: float(np.sum(np.ptp(line, axis=0))))
            foot, away = _clearest(longest, np.concatenate(taken), reach) or _beside(scene, frame, longest[0])
            _write(ax, name, foot, away, 8.0, style.mix(style.colour(number), 0.85, style.INK), "normal")
            taken.append((foot + away * reach)[None])


def _beside(scene: Scene, frame: int, place: Array) -> tuple[Array, Array]:
    """Room for a second name in a place: of a block, next to that of its point."""
    ways = _taken_ways(scene, frame, place)
    return place, _freest(np.vstack([ways, _freest(ways)]))


def _taken_ways(scene: Scene, frame: int, place: Array) -> Array:
    """The directions in which a place is taken: by lines that leave it and by its ground."""
    least = 1e-6 * span(scene)
    lines = [line[frame, :, :2] for line in chain.from_iterable(scene.lines.values())]
    fixed = [name for name in scene.supports if np.linalg.norm(scene.points[name][frame, :2] - place) < least]
    ways = list(_directions(lines, place, least))
    ways += [np.array([0.0, 1.0 if hangs(scene, name) else -1.0]) for name in fixed]
    return np.array(ways).reshape(-1, 2)


def _together(scene: Scene, frame: int) -> Iterator[tuple[list[str], Array]]:
    """The points of a frame, with all names of each place."""
    groups: list[tuple[list[str], Array]] = []
    for name, place in scene.points.items():
        for names, other in groups:
            if np.linalg.norm(place[frame, :2] - other) < 1e-3 * span(scene):
                names.append(name)
                break
        else:
            groups.append(([name], place[frame, :2]))
    yield from groups


def _directions(lines: list[Array], place: Array, least: float) -> Iterator[Array]:
    """The directions in which lines leave a place."""
    for line in lines:
        for i in np.flatnonzero(np.linalg.norm(line - place, axis=1) < least):
            for j in (i - 1, i + 1):
                if 0 <= j < len(line) and (length := np.linalg.norm(line[j] - line[i])) > least:
                    yield (line[j] - line[i]) / length


def _freest(ways: Array) -> Array:
    """The way farthest from the given ones."""
    if not len(ways):
        return np.asarray(WAYS[0])
    nearness = np.max(WAYS @ ways.T, axis=1).round(3)
    return np.asarray(WAYS[np.argmin(nearness)])


def _dense(line: Array, count: int = 33) -> Array:
    """The line with evenly spread vertices."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    at = np.linspace(0.0, along[-1], count)
    return np.column_stack([np.interp(at, along, column) for column in line.T])


def _clearest(line: Array, taken: Array, reach: float) -> tuple[Array, Array] | None:
    """A foot on the line and the side of it where a name is farthest from everything; none on a line without length."""
    best, room = None, -1.0
    middle = len(line) // 2
    for i in (middle, middle - 5, middle + 5):
        chord = line[i + 1] - line[i - 1]
        if not (length := np.linalg.norm(chord)):
            continue
        normal = np.array([-chord[1], chord[0]]) / length
        for away in sorted((normal, -normal), key=lambda way: -way[1]):
            free = float(np.min(np.linalg.norm(taken - (line[i] + away * reach), axis=1)))
            if free > room * 1.05:
                best, room = (line[i], away), free
    return best


def _write(ax: Axes, text: str, place: Array, away: Array, offset: float, colour: str, weight: str) -> None:
    """Text beside a place, on its side of it, with a halo of paper."""
    from matplotlib.patheffects import withStroke

    sides = {-1: "right", 0: "center", 1: "left"}, {-1: "top", 0: "center", 1: "bottom"}
    ha, va = (words[int(np.sign(part)) * (abs(part) > 0.38)] for words, part in zip(sides, away, strict=True))
    ax.annotate(
        style.plain(text),
        (float(place[0]), float(place[1])),
        xytext=(float(away[0]) * offset, float(away[1]) * offset),
        textcoords="offset points",
        ha=ha,
        va=va,
        color=colour,
        fontsize=style.TEXT,
        fontweight=weight,
        zorder=7,
        path_effects=[withStroke(linewidth=2.5, foreground=style.PAPER)],
    )
