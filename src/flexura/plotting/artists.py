"""Matplotlib artists of a mechanism (links, nodes, supports), which can be moved to any frame."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.plotting import style
from flexura.plotting.contact_marks import ContactMarks
from flexura.plotting.force_marks import ForceMarks
from flexura.plotting.rails import draw_rails
from flexura.plotting.scene_frames import span, upward
from flexura.plotting.strokes import Strokes
from flexura.plotting.view import Sight
from flexura.results.scene import Scene

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.path import Path

Array = NDArray[np.float64]


class Mechanism(Protocol):
    """Interface of the artists of a mechanism; ``show`` moves them to a frame, so that an animation makes them once."""

    def show(self, frame: int) -> None: ...

    @property
    def artists(self) -> list[Artist]:
        """Moving artists, from back to front."""
        ...


def mechanism(ax: Axes, sight: Sight, strength: float = 1.0, nodes: bool = True) -> Mechanism:
    """Artist of a mechanism: lines in the plane, strokes sorted by depth in space."""
    return (Lines if sight.scene.dimension == 2 else Strokes)(ax, sight, strength, nodes)


class Lines:
    """Artists of a mechanism in the plane."""

    def __init__(self, ax: Axes, sight: Sight, strength: float = 1.0, nodes: bool = True) -> None:
        self.scene = scene = sight.scene
        self.links: list[tuple[Line2D, Array]] = []
        self.nodes: list[tuple[Line2D, list[Array]]] = []
        self.marks = ContactMarks(ax, scene, strength)
        self.forces = ForceMarks(ax, scene if nodes else replace(scene, forces=()))

        # each element in its colour, with round ends as a link has; one without extent is a small block
        least = 1e-9 * span(scene)
        for number, (name, polylines) in enumerate(scene.lines.items()):
            shade, width = style.mix(style.colour(number), strength), style.LINK * scene.widths.get(name, 1.0)
            for line in polylines:
                block = bool(np.nanmax(np.ptp(line[0], axis=0)) <= least)
                link = ax.plot([], [], color=shade, lw=width, solid_capstyle="round", zorder=3 + strength)[0]
                if block:
                    link.set(marker="s", ms=9.0, markevery=[0])
                self.links.append((link, line))
        if nodes:
            edge = style.mix(style.INK, strength)
            for names, face in ((pins(scene), style.PAPER), (scene.welds, edge)):
                dots = ax.plot([], [], "o", ms=5.5, mfc=face, mec=edge, mew=1.2, zorder=6)[0]
                self.nodes.append((dots, [scene.points[name] for name in names]))

    def show(self, frame: int) -> None:
        """Move the artists to a frame."""
        for link, line in self.links:
            link.set_data(line[frame, :, 0], line[frame, :, 1])
        for dots, places in self.nodes:
            dots.set_data(*np.array([place[frame] for place in places]).reshape(-1, 2).T)
        self.marks.show(frame)
        self.forces.show(frame)

    @property
    def artists(self) -> list[Artist]:
        """Moving artists, from back to front."""
        moving = [*(link for link, _ in self.links), *(dots for dots, _ in self.nodes)]
        return [*moving, *self.marks.artists, *self.forces.artists]


def pins(scene: Scene) -> list[str]:
    """Names of the points that are drawn as rings: all except welds, which are filled."""
    return [name for name in scene.points if name not in scene.welds]


def ground(ax: Axes, sight: Sight, frame: int = 0) -> None:
    """Draw the symbol of the ground at every support, on the side away from the machine, and rails of sliding nodes."""
    scene = sight.scene
    draw_rails(ax, scene, sight.rails)
    for name in scene.supports:
        x, y = scene.points[name][frame, :2]
        symbol = support(hanging=hangs(scene, name))
        ax.plot([x], [y], marker=symbol, ms=30.0, mfc=style.mix(style.INK, 0.06), mec=style.MUTED, mew=1.0, zorder=2)


def hangs(scene: Scene, name: str) -> bool:
    """True if the parts attached to a point lie mostly below it, over all frames."""
    place, least = scene.points[name], 1e-6 * span(scene)
    falls = []
    for line in chain.from_iterable(scene.lines.values()):
        for near, far in ((line[:, 0], line[:, -1]), (line[:, -1], line[:, 0])):
            reach = np.linalg.norm(far - near, axis=1)
            if np.allclose(near[0], place[0], rtol=0.0, atol=least) and np.all(reach > least):
                falls.append(float(np.mean((far - near) @ upward(scene) / reach)))
    return bool(falls) and float(np.mean(falls)) < -0.5


def support(hanging: bool = False) -> Path:
    """Outline of the symbol of the ground, with its tip at the origin, upside down if the machine hangs from it."""
    from matplotlib.path import Path

    triangle = [(0.0, 0.0), (-0.42, -0.62), (0.42, -0.62), (0.0, 0.0)]
    strokes = [((-0.72, -0.62), (0.72, -0.62))]
    strokes += [((x, -0.62), (x - 0.2, -0.84)) for x in (-0.46, -0.2, 0.06, 0.32, 0.58)]

    # the unseen far corner keeps the size of the sign: markers are scaled by their largest coordinate
    vertices = np.array([*triangle, *chain.from_iterable(strokes), (1.0, 1.0)])
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY, *[Path.MOVETO, Path.LINETO] * 6, Path.MOVETO]
    return Path(vertices * (1.0, -1.0) if hanging else vertices, np.array(codes, dtype=np.uint8))
