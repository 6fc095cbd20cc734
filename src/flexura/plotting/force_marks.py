"""Arrows of forces to scale, with a legend of the scale and of their colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.plotting import style
from flexura.plotting.contact_marks import CLOSED
from flexura.plotting.floor import round_step
from flexura.results.force_arrows import ForceArrow
from flexura.results.scene import Scene

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

COLOURS = {"reaction": "#0069a5", "load": "#1b7f3b", "contact": CLOSED}
WORDS = {"reaction": "reactions", "load": "loads", "contact": "contact forces"}
_KEY = 0.14
"""Longest arrow of the legend, in parts of the width of the picture."""
_SHAFT = 0.024
"""Width of a shaft on paper [in]."""


class ForceMarks:
    """Arrows of the forces of a scene; ``show`` moves them to a frame."""

    def __init__(self, ax: Axes, scene: Scene) -> None:
        self.scale = scene.force_scale
        self.groups: list[tuple[Any, list[ForceArrow]]] = []
        if self.scale == 0.0:
            return
        look: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 1.0, "units": "inches", "width": _SHAFT}
        head: dict[str, Any] = {"headwidth": 4.0, "headlength": 5.0, "headaxislength": 4.6, "minlength": 0.3}
        for kind, colour in COLOURS.items():
            arrows = [arrow for arrow in scene.forces if arrow.kind == kind]
            if arrows:
                zeros = np.zeros(len(arrows))
                drawn = ax.quiver(zeros, zeros, zeros, zeros, color=colour, zorder=7, **look, **head)
                self.groups.append((drawn, arrows))
        self._explain(ax, scene)

    def _explain(self, ax: Axes, scene: Scene) -> None:
        """Write the legend: an arrow of a round force, and the names of the colours."""
        if not self.groups:
            return
        # the legend measures arrows by the limits of the data, which artists that move do not have yet
        ax.update_datalim(np.column_stack([ax.get_xlim(), ax.get_ylim()]))
        across = float(np.ptp(ax.get_xlim()))
        force = round_step(_KEY * across / self.scale)
        part, row = force * self.scale / across, 1.4 * style.SMALL
        level = row * (1.0 if scene.dimension == 2 else 2.2)
        height = 72.0 / ax.figure.dpi * float(ax.bbox.height)
        inks = {"color": style.INK, "labelcolor": style.INK}
        key: dict[str, Any] = {"coordinates": "axes", "labelpos": "W", "zorder": 8.0, **inks}
        font: dict[str, Any] = {"size": style.SMALL}
        drawn = self.groups[0][0]
        ax.quiverkey(drawn, 0.98 - part, level / height, force * self.scale, f"{force:g} N", fontproperties=font, **key)
        for number, (_, arrows) in enumerate(self.groups):
            words = style.words(color=COLOURS[arrows[0].kind], fontsize=style.SMALL, ha="right", va="center", zorder=8)
            place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
            ax.annotate(WORDS[arrows[0].kind], (0.98, 0.0), (0.0, level + row * (number + 1)), **place, **words)

    def show(self, frame: int) -> None:
        """Move the arrows to a frame."""
        for drawn, arrows in self.groups:
            drawn.set_offsets(np.array([arrow.place[frame, :2] for arrow in arrows]))
            tips = self.scale * np.array([arrow.force[frame, :2] for arrow in arrows])
            drawn.set_UVC(*tips.T)

    @property
    def artists(self) -> list[Artist]:
        """The arrows."""
        return [drawn for drawn, _ in self.groups]
