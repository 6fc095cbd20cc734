"""Drawings of a mechanism: one frame with its names, or many frames over each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexura.errors import ModelError
from flexura.plotting import style
from flexura.plotting.artists import ground, mechanism
from flexura.plotting.backdrop import backdrop
from flexura.plotting.label_placement import name_elements, name_points
from flexura.plotting.scene_frames import moving, traced, window
from flexura.plotting.view import Sight, View, look
from flexura.results.figure_registry import draws
from flexura.results.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@draws("draw")
def draw(scene: Scene, frame: int = 0, names: bool = True, view: View | None = None) -> Figure:
    """The mechanism in one frame, with the names of its nodes and elements.

    A scene in space is seen from the azimuth and elevation of ``view`` [rad].
    """
    frames = len(scene.t)
    if not -frames <= frame < frames:
        raise ModelError("draw", f"there is no frame {frame}", f"frames go from 0 to {frames - 1}")
    sight = look(scene, view)
    figure, ax = scene_axes(sight)
    ground(ax, sight, frame)
    mechanism(ax, sight).show(frame)
    if names:
        point = _metres(ax, 1.0)
        name_elements(ax, sight.scene, frame, point, name_points(ax, sight.scene, frame, point))
    return figure


@draws("poses")
def poses(scene: Scene, count: int = 8, trace: Iterable[str] | None = None, view: View | None = None) -> Figure:
    """Frames over each other, fading into the past, with the paths of points (by default of all that move).

    A scene in space is seen from the azimuth and elevation of ``view`` [rad].
    """
    if count < 1:
        raise ModelError("poses", f"{count} poses cannot be drawn", "give a count of one or more")
    paths = moving(scene) if trace is None else traced(scene, trace)
    sight = look(scene, view)
    figure, ax = scene_axes(sight)
    ground(ax, sight)

    for name in paths:
        ax.plot(*sight.scene.points[name][:, :2].T, color=style.FAINT, lw=style.TRACE, zorder=1)
    # counted back from the last, which is drawn in full
    frames = np.searchsorted(scene.t, np.linspace(scene.t[-1], scene.t[0], count))[::-1]
    for strength, frame in zip(np.linspace(1.0, 0.16, count)[::-1], frames, strict=True):
        mechanism(ax, sight, float(strength), nodes=bool(strength == 1.0)).show(int(frame))
    return figure


def scene_axes(sight: Sight) -> tuple[Figure, Axes]:
    """Equal axes in metres that contain every frame, on a figure of the same proportions; without marks in space."""
    low, high = window(sight.whole, margin=0.12 if sight.scene.dimension == 2 else 0.07)
    width, height = high - low
    figure = style.figure(height=0.7 + float(np.clip(height / width, 0.3, 1.0)) * (style.WIDTH - 0.7))
    ax = figure.subplots()
    style.dress(ax)
    ax.set_aspect("equal", adjustable="box")
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    if sight.scene.dimension == 2:
        ax.set_xlabel("x [m]", **style.words(color=style.MUTED))
        ax.set_ylabel("y [m]", **style.words(color=style.MUTED))
    else:
        ax.set_axis_off()
    style.entitle(figure, sight.scene.title)
    backdrop(ax, sight)
    return figure, ax


def _metres(ax: Axes, points: float) -> float:
    """A length on scene_axes, in printer's points, as a length in the scene."""
    low, high = ax.get_xlim()
    return points / 72.0 * (high - low) / (style.WIDTH - 0.7)
