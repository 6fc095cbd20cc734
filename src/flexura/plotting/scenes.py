"""The mechanism drawn: one pose with its names, or many poses over each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexura.errors import ModelError
from flexura.plotting import style
from flexura.plotting.artists import Mechanism, ground
from flexura.plotting.frames import moving, traced, window
from flexura.plotting.naming import name_elements, name_points
from flexura.results.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(scene: Scene, frame: int = 0, names: bool = True) -> Figure:
    """The mechanism in one frame, with the names of its nodes and elements."""
    frames = len(scene.t)
    if not -frames <= frame < frames:
        raise ModelError("draw", f"there is no frame {frame}", f"frames go from 0 to {frames - 1}")
    figure, ax = _paper(scene)
    ground(ax, scene, frame)
    Mechanism(ax, scene).show(frame)
    if names:
        name_elements(ax, scene, frame, reach=_metres(ax, 14.0))
        name_points(ax, scene, frame)
    return figure


def poses(scene: Scene, count: int = 8, trace: Iterable[str] | None = None) -> Figure:
    """Poses over each other, fading into the past, with the paths of points (all that move, unless told)."""
    if count < 1:
        raise ModelError("poses", f"{count} poses cannot be drawn", "give a count of one or more")
    paths = moving(scene) if trace is None else traced(scene, trace)
    figure, ax = _paper(scene)
    ground(ax, scene)

    for name in paths:
        ax.plot(*scene.points[name].T, color=style.FAINT, lw=style.TRACE, zorder=1)
    # counted back from the last, which is drawn in full
    frames = np.searchsorted(scene.t, np.linspace(scene.t[-1], scene.t[0], count))[::-1]
    for strength, frame in zip(np.linspace(1.0, 0.16, count)[::-1], frames, strict=True):
        Mechanism(ax, scene, float(strength), nodes=bool(strength == 1.0)).show(int(frame))
    return figure


def _paper(scene: Scene) -> tuple[Figure, Axes]:
    """Equal axes in metres that hold every frame, on a figure of the same proportions."""
    low, high = window(scene)
    width, height = high - low
    figure = style.figure(height=0.7 + float(np.clip(height / width, 0.3, 1.0)) * (style.WIDTH - 0.7))
    ax = figure.subplots()
    style.dress(ax)
    ax.set_aspect("equal", adjustable="box")
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    ax.set_xlabel("x [m]", **style.words(color=style.MUTED))
    ax.set_ylabel("y [m]", **style.words(color=style.MUTED))
    style.entitle(figure, scene.title)
    return figure, ax


def _metres(ax: Axes, points: float) -> float:
    """A length on paper, in printer's points, as a length in the scene."""
    low, high = ax.get_xlim()
    return points / 72.0 * (high - low) / (style.WIDTH - 0.7)
