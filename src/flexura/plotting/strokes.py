"""Frame of a scene in space as strokes: links cut into pieces, masses and nodes as dots, drawn from back to front.

Distant parts are thinner and paler, and an outline in the colour of the paper shows which of two links is in front.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.plotting import style
from flexura.plotting.contact_marks import ContactMarks
from flexura.plotting.force_marks import ForceMarks
from flexura.plotting.scene_frames import bounds, span
from flexura.plotting.view import Sight

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

MASS, RIM, FACE = 11.0, 6.7, 4.3
"""Diameters of dots on paper [pt]: a mass, a node, and the inner part of a node."""
PALEST, THINNEST = 0.62, 0.7
"""The strength and the width of what is farthest; the nearest has one."""
PIECES = 24
"""The pieces into which a link as long as the scene is cut."""


class Stroke(NamedTuple):
    """Line over time, (n, m, 3), with its colour and widths."""

    line: Array
    cuts: list[Array]
    """Its pieces, each by the places along it of their vertices: vertex and part, as one number."""
    colour: str
    width: float
    lift: float = 0.0
    """By how much it is taken for nearer than it is: what lies in one place has an order too."""


class Strokes:
    """Artists of a mechanism in space; ``show`` moves them to a frame and sorts them."""

    def __init__(self, ax: Axes, sight: Sight, strength: float = 1.0, nodes: bool = True) -> None:
        from matplotlib.collections import LineCollection
        from matplotlib.colors import to_rgb
        from matplotlib.patheffects import withStroke

        self.sight = sight
        self.strokes = [*links(sight), *(dots(sight) if nodes else ())]
        self.colours = np.array([to_rgb(style.mix(stroke.colour, strength)) for stroke in self.strokes]).reshape(-1, 3)
        self.widths = np.array([stroke.width for stroke in self.strokes])
        self.lifts = np.array([stroke.lift for stroke in self.strokes])
        self.range = depths(sight)

        # only a pose drawn in full casts a shadow
        rim = withStroke(linewidth=style.LINK + 1.8, foreground=style.PAPER, capstyle="butt")
        self.drawn = LineCollection([], capstyle="round", snap=False, zorder=3 + strength, path_effects=[rim])
        self.shadow = LineCollection(
            [], color=style.mix(style.INK, 0.12), lw=2.0, capstyle="round", snap=False, zorder=1
        )
        self.artists: list[Artist] = [self.shadow, self.drawn] if nodes else [self.drawn]
        for artist in self.artists:
            ax.add_artist(artist)
        self.marks = ContactMarks(ax, sight.scene, strength)
        self.forces = ForceMarks(ax, sight.scene if nodes else replace(sight.scene, forces=()))
        self.artists += [*self.marks.artists, *self.forces.artists]

    def show(self, frame: int) -> None:
        """Move everything to a frame."""
        pieces = [along(stroke.line[frame], at) for stroke in self.strokes for at in stroke.cuts]
        owner = np.repeat(np.arange(len(self.strokes)), [len(stroke.cuts) for stroke in self.strokes])
        order, near = sort(pieces, self.lifts[owner], self.range)

        # from back to front
        owner, near = owner[order], near[order]
        self.drawn.set_segments([pieces[i][:, :2] for i in order])
        self.drawn.set_color([*(1.0 - (1.0 - self.colours[owner]) * (PALEST + (1.0 - PALEST) * near)[:, None])])
        self.drawn.set_linewidth([*(self.widths[owner] * (THINNEST + (1.0 - THINNEST) * near))])
        lines = (line[frame] for polylines in self.sight.scene.lines.values() for line in polylines)
        self.shadow.set_segments([drop(self.sight, line)[:, :2] for line in lines if len(line) > 1])
        self.marks.show(frame)
        self.forces.show(frame)


def links(sight: Sight) -> Iterator[Stroke]:
    """Strokes of the elements, each in its colour; an element without extent is a ball."""
    size = span(sight.scene)
    for number, (name, polylines) in enumerate(sight.scene.lines.items()):
        width = style.LINK * sight.scene.widths.get(name, 1.0)
        for line in polylines:
            if np.nanmax(np.ptp(line[0], axis=0)) <= 1e-9 * size:
                yield dot(line[:, 0], style.colour(number), MASS, size, 0.51)
            else:
                yield Stroke(line, cuts(line, size / PIECES), style.colour(number), width)


def dots(sight: Sight) -> Iterator[Stroke]:
    """Strokes of the nodes: rings, filled where parts are welded together."""
    size = span(sight.scene)
    for name, place in sight.scene.points.items():
        yield dot(place, style.INK, RIM, size, 0.52)
        if name not in sight.scene.welds:
            yield dot(place, style.PAPER, FACE, size, 0.53)


def dot(place: Array, colour: str, width: float, size: float, lift: float) -> Stroke:
    """A stroke so short that only its round ends are seen; the lift is in pieces, half a one clears what ends there."""
    short = 1e-5 * size * np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    return Stroke(place[:, None] + short, [np.array([0.0, 1.0])], colour, width, lift * size / PIECES)


def cuts(line: Array, longest: float) -> list[Array]:
    """Cut a line over time into pieces: between distant vertices, else at the last vertex within reach."""
    lengths = np.nanmax(np.linalg.norm(np.diff(line, axis=1), axis=2), axis=0)
    counts = np.maximum(np.ceil(lengths / longest - 1e-9), 1.0).astype(int)
    at = np.concatenate([*(i + np.arange(count) / count for i, count in enumerate(counts)), [float(len(counts))]])

    # short stretches are kept together, which is quicker to draw
    starts, reach = [0], 0.0
    for i, length in enumerate(np.repeat(lengths / counts, counts)):
        if i and reach + length > longest * (1.0 + 1e-9):
            starts.append(i)
            reach = 0.0
        reach += length
    return [at[first : last + 1] for first, last in zip(starts, [*starts[1:], len(at) - 1], strict=True)]


def along(line: Array, at: Array) -> Array:
    """Points along a line (m, 3), each given by a vertex and a fraction."""
    vertex = np.minimum(at.astype(int), len(line) - 2)
    part = (at - vertex)[:, None]
    return np.asarray((1.0 - part) * line[vertex] + part * line[vertex + 1])


def depths(sight: Sight) -> tuple[float, float]:
    """Farthest and nearest depth over all frames, at least half the extent of the scene apart."""
    low, high = (float(corner[2]) for corner in bounds(sight.scene))
    return min(low, high - 0.5 * span(sight.scene)), high


def sort(pieces: list[Array], lifts: Array, reach: tuple[float, float]) -> tuple[NDArray[np.intp], Array]:
    """Order of pieces (m, 3) from back to front, and the nearness of each from 0 to 1."""
    depth = np.array([piece[:, 2].mean() for piece in pieces])
    low, high = reach
    return np.argsort(depth + lifts, kind="stable"), np.clip((depth - low) / (high - low), 0.0, 1.0)


def drop(sight: Sight, places: Array) -> Array:
    """Projections of points (…, 3) onto the floor."""
    up = np.array(sight.scene.up)
    return np.asarray(places - ((places - sight.floor[0, 0]) @ up)[..., None] * up)
