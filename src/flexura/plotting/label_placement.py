"""Placement of names in a drawing, beside their parts and without overlap."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flexura.plotting import style
from flexura.plotting.artists import hangs
from flexura.plotting.scene_frames import span
from flexura.results.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

# the eight ways a name can go, best liked first
WAYS = np.array([(1, 1), (0, 1), (-1, 1), (1, 0), (-1, 0), (0, -1), (1, -1), (-1, -1)], dtype=float)
WAYS /= np.linalg.norm(WAYS, axis=1)[:, None]

NEAR, CLEAR = 8.0, 9.0
"""Distances on paper [pt]: of a name from its part, and of the middle of a name from everything else."""
ALONG = 0.95
"""Cosine of the angle to a line below which a name does not lie on it."""
OFFSETS = (NEAR, 14.0, 22.0)
"""Distances of the name of an element from its line that are tried, the nearest first."""


def name_points(ax: Axes, scene: Scene, frame: int, point: float) -> list[Array]:
    """Write the names of the points, those in one place in one line of text; ``point`` is a printer's point in metres.

    Returns the places that the names take.
    """
    taken: list[Array] = []
    together = list(_together(scene, frame))
    for names, place in together:
        text = ", ".join(names)
        others = [other[None] for _, other in together if other is not place] + taken
        boxes = [_box(text, place, way * NEAR, point) for way in WAYS]
        rooms = np.array([_room(box, others) for box in boxes]) / point
        chosen = _freest(_taken_ways(scene, frame, place), rooms)
        _write(ax, text, place, WAYS[chosen] * NEAR, style.INK, "bold")
        taken.append(boxes[chosen])
    return taken


def name_elements(ax: Axes, scene: Scene, frame: int, point: float, names: list[Array]) -> None:
    """Write the name of each element beside it, in its colour, clear of the drawing and of earlier names."""
    dense = {name: [_dense(line[frame, :, :2]) for line in lines] for name, lines in scene.lines.items()}
    taken = [line for lines in dense.values() for line in lines] + names
    taken += [place[frame, None, :2] for place in scene.points.values()]
    taken += [_ground(scene, frame, name, point) for name in scene.supports]
    corners = np.array([ax.get_xlim(), ax.get_ylim()]).T
    for number, (name, lines) in enumerate(dense.items()):
        if lines:
            longest = max(lines, key=lambda line: float(np.sum(np.ptp(line, axis=0))))
            foot, offset = _clearest(name, longest, np.concatenate(taken), corners, point)
            _write(ax, name, foot, offset, style.mix(style.colour(number), 0.85, style.INK), "normal")
            taken.append(_box(name, foot, offset, point))


def _taken_ways(scene: Scene, frame: int, place: Array) -> Array:
    """Directions around a point that are occupied by lines or by the symbol of the ground."""
    least = 1e-6 * span(scene)
    lines = [line[frame, :, :2] for line in chain.from_iterable(scene.lines.values())]
    fixed = [name for name in scene.supports if np.linalg.norm(scene.points[name][frame, :2] - place) < least]
    ways = list(_directions(lines, place, least))
    ways += [np.array([0.0, 1.0 if hangs(scene, name) else -1.0]) for name in fixed]
    return np.array(ways).reshape(-1, 2)


def _together(scene: Scene, frame: int) -> Iterator[tuple[list[str], Array]]:
    """Points of a frame, with all names at each position."""
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
    """Directions in which lines leave a position, at their vertices and between them."""
    for line in lines:
        start, step = line[:-1], np.diff(line, axis=0)
        length = np.linalg.norm(step, axis=1)
        start, step, length = start[length > least], step[length > least], length[length > least]
        way = step / length[:, None]
        along = np.clip(np.sum((place - start) * way, axis=1), 0.0, length)
        for i in np.flatnonzero(np.linalg.norm(start + along[:, None] * way - place, axis=1) < least):
            yield from [way[i]] * bool(along[i] < length[i]) + [-way[i]] * bool(along[i] > 0.0)


def _freest(ways: Array, rooms: Array) -> int:
    """Direction farthest from the given ones in which a name has room [pt], or else the one with the most room."""
    nearness = np.max(WAYS @ ways.T, axis=1, initial=-1.0).round(3)
    order = [int(i) for i in np.argsort(nearness, kind="stable") if nearness[i] < ALONG] or [0]
    return next((i for i in order if rooms[i] > CLEAR), max(order, key=lambda i: rooms[i]))


def _room(box: Array, others: list[Array]) -> float:
    """Least distance of a name from other places and names."""
    return min((float(np.min(np.linalg.norm(box[:, None] - other, axis=2))) for other in others), default=np.inf)


def _dense(line: Array, count: int = 33) -> Array:
    """Line with equally spaced vertices."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    at = np.linspace(0.0, along[-1], count)
    return np.column_stack([np.interp(at, along, column) for column in line.T])


def _ground(scene: Scene, frame: int, name: str, point: float) -> Array:
    """Points covered by the symbol of a support."""
    side = 1.0 if hangs(scene, name) else -1.0
    sign = np.array([(0.0, 6.0), (-9.0, 12.0), (0.0, 12.0), (9.0, 12.0)])
    return np.asarray(scene.points[name][frame, :2] + point * sign * (1.0, side))


def _clearest(text: str, line: Array, taken: Array, corners: Array, point: float) -> tuple[Array, Array]:
    """Point on the line and offset from it [pt] at which a name is clear of the drawing, or as clear as possible.

    A name stays between the ``corners`` of the figure.
    """
    best, room = (line[0], WAYS[0] * NEAR), -1.0
    for away in OFFSETS:
        for foot, way in _sides(line):
            box = _box(text, foot, way * away, point)
            if np.any(box < corners[0]) or np.any(box > corners[1]):
                continue
            free = float(np.min(np.linalg.norm(taken[:, None] - box, axis=2)))
            if free > 1.05 * room:
                best, room = (foot, way * away), free
        if room > CLEAR * point:
            break
    return best


def _sides(line: Array) -> Iterator[tuple[Array, Array]]:
    """Points on a line, from its middle outwards, with the directions to both sides; for a single point all ways."""
    size, chord = float(np.max(np.ptp(line, axis=0))), line[-1] - line[0]
    if not size:
        yield from ((line[0], way) for way in WAYS)
        return
    middle = len(line) // 2
    for i in (middle, middle - 5, middle + 5, middle - 10, middle + 10):
        # of a closed line the direction at the foot, of an open one, such as a coil, that from end to end
        along = chord if np.linalg.norm(chord) > 0.1 * size else line[i + 1] - line[i - 1]
        normal = np.array([-along[1], along[0]]) / (np.linalg.norm(along) or 1.0)
        yield from ((line[i], way) for way in sorted((normal, -normal), key=lambda way: -way[1]))


def _alignment(away: Array) -> tuple[int, int]:
    """Side of its point on which a text stands, horizontally and vertically: -1, 0 or 1."""
    way = away / (np.linalg.norm(away) or 1.0)
    across, up = (int(np.sign(part)) * (abs(part) > 0.38) for part in way)
    return int(across), int(up)


def _box(text: str, place: Array, offset: Array, point: float) -> Array:
    """Points along the middle of a text at an offset [pt] from a point, over its approximate length."""
    across, up = _alignment(offset)
    length = 0.58 * style.TEXT * len(text)
    middle = offset + np.array([across * length / 2, up * style.TEXT / 2])
    run = np.linspace(-length / 2, length / 2, 2 + len(text) // 2)
    return np.asarray(place + point * (middle + np.column_stack([run, np.zeros_like(run)])))


def _write(ax: Axes, text: str, place: Array, offset: Array, colour: str, weight: str) -> None:
    """Write a text beside a point, at an offset [pt], with an outline in the colour of the paper."""
    from matplotlib.patheffects import withStroke

    across, up = _alignment(offset)
    ax.annotate(
        style.plain(text),
        (float(place[0]), float(place[1])),
        xytext=(float(offset[0]), float(offset[1])),
        textcoords="offset points",
        ha=("right", "center", "left")[across + 1],
        va=("top", "center", "bottom")[up + 1],
        color=colour,
        fontsize=style.TEXT,
        fontweight=weight,
        zorder=7,
        path_effects=[withStroke(linewidth=2.5, foreground=style.PAPER)],
    )
