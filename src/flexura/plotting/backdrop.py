"""Backdrop of a spatial scene: the floor and the directions of x, y and z."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.plotting import style
from flexura.plotting.view import Sight

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ARM = 24.0
"""The length of an axis of the tripod on paper [pt]."""


def backdrop(ax: Axes, sight: Sight) -> None:
    """Draw the floor with the size of its squares, and the tripod."""
    if sight.scene.dimension == 2:
        return
    from matplotlib.collections import LineCollection

    ax.add_artist(LineCollection(list(sight.floor[..., :2]), color=style.GRID, lw=0.8, capstyle="round", zorder=0.5))
    note = style.words(color=style.MUTED, fontsize=style.SMALL)
    ax.text(0.985, 0.02, f"grid {sight.step:g} m", transform=ax.transAxes, ha="right", va="bottom", **note)
    tripod(ax, sight)


def tripod(ax: Axes, sight: Sight) -> None:
    """The directions of x, y and z in the lower left corner, the nearest drawn last."""
    foot = np.array([1.5 * ARM, 1.4 * ARM])
    for i in np.argsort(sight.axes[2]):
        arm = sight.axes[:2, i]
        shade = style.mix(style.INK, 0.75 + 0.25 * float(sight.axes[2, i]))
        arrow = {"arrowstyle": "-", "color": shade, "lw": 1.3, "shrinkA": 0.0, "shrinkB": 0.0}
        corner: dict[str, Any] = {"xycoords": "axes points", "textcoords": "axes points", "zorder": 8}
        ax.annotate("", tuple(foot + ARM * arm), tuple(foot), arrowprops=arrow, **corner)
        if np.linalg.norm(arm) > 0.2:
            place = tuple(foot + (ARM + 7.0 / np.linalg.norm(arm)) * arm)
            words = style.words(color=shade, fontsize=style.SMALL, ha="center", va="center")
            ax.annotate("xyz"[i], place, place, **words, **corner)
