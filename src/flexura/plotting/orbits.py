"""Figure of the paths of points, in the plane or in space."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flexura.plotting import style
from flexura.plotting.histories import Recorded, path, require_names
from flexura.plotting.scene_frames import bounds
from flexura.plotting.scenes import scene_axes
from flexura.plotting.strokes import drop
from flexura.plotting.view import Sight, View, look
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@draws("orbits")
def orbits(motion: Recorded, *points: str, view: View | None = None) -> Figure:
    """The paths of points on equal axes; a dot marks the start.

    In space they are seen from the azimuth and elevation of ``view`` [rad], with their shadows on the floor.
    """
    require_names(points, "plot_orbits", "points", "B")
    scene = motion.scene(points=2)
    axes = "xyz"[: scene.dimension]
    places = {point: np.column_stack([motion[f"{point}.{axis}"] for axis in axes]) for point in points}
    sight = look(replace(scene, lines={}, points=places, supports=(), guides={}), view)
    figure, ax = _plane(sight) if scene.dimension == 2 else _space(sight)
    for number, (point, seen) in enumerate(sight.scene.points.items()):
        path(ax, seen[:, 0], seen[:, 1], number, style.plain(point))
    style.legend(ax)
    return figure


def _plane(sight: Sight) -> tuple[Figure, Axes]:
    """Axes wider than the paths where these are slender."""
    low, high = bounds(sight.scene)
    across, up = np.maximum(high - low, 1e-12)
    figure = style.figure(height=0.9 + 4.8 * float(np.clip(up / across, 0.4, 1.1)), width=6.4)
    ax = figure.subplots()
    style.dress(ax)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel("x [m]", **style.words())
    ax.set_ylabel("y [m]", **style.words())
    style.entitle(figure, sight.scene.title)
    return figure, ax


def _space(sight: Sight) -> tuple[Figure, Axes]:
    """The floor, with the shadows of the paths."""
    figure, ax = scene_axes(sight)
    for place in sight.scene.points.values():
        ax.plot(*drop(sight, place)[:, :2].T, color=style.mix(style.INK, 0.15), lw=style.CURVE, zorder=1)
    return figure, ax
