"""Rails: the guides of nodes that are held in some directions and slide along one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flexura.plotting import style
from flexura.plotting.scene_frames import span
from flexura.results.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

_OVERHANG = 0.05
"""part of the size of the scene by which a rail is longer than the way on it, at each end"""
_BELOW = 9.0
"""distance of a rail in the plane from its node, on paper [pt]"""
_HATCH = 5.0


def rails(scene: Scene) -> dict[str, Array]:
    """Both ends of the rail of each node that slides along one axis, (2, d)."""
    found = {}
    for name, axes in scene.guides.items():
        way = scene.points[name]
        way = way[np.isfinite(way).all(axis=1)]
        if len(axes) != 1 or not len(way):
            continue
        ends = np.stack([way.min(axis=0), way.max(axis=0)])
        reach = np.zeros(way.shape[1])
        reach[axes[0]] = _OVERHANG * span(scene)
        found[name] = ends + np.stack([-reach, reach])
    return found


def draw_rails(ax: Axes, scene: Scene, seen: dict[str, Array]) -> None:
    """Draw rails at the ends that are seen: in the plane beside the node, with hatching; in space through it."""
    from matplotlib.transforms import ScaledTranslation

    for ends in seen.values():
        place = ax.transData
        if scene.dimension == 2:
            level = abs(ends[1, 0] - ends[0, 0]) > abs(ends[1, 1] - ends[0, 1])
            aside = (0.0, -_BELOW / 72.0) if level else (-_BELOW / 72.0, 0.0)
            place = ax.transData + ScaledTranslation(*aside, ax.figure.dpi_scale_trans)
            hatch = np.linspace(ends[0], ends[1], 14)[1:-1]
            mark = [(0.0, 0.0), (-0.7, -1.0)] if level else [(0.0, 0.0), (-1.0, -0.7)]
            ax.plot(*hatch.T, ls="", marker=mark, ms=_HATCH, mec=style.MUTED, mew=0.8, transform=place, zorder=2)
        ax.plot(*ends[:, :2].T, color=style.MUTED, lw=1.0, transform=place, zorder=2)
