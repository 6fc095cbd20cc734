"""Marks of contacts: a dot at every closed contact of a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexura.plotting import style
from flexura.results.scene import Scene

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

CLOSED = "#b3001b"
"""Colour of a closed contact."""
SIZE = 5.0
"""Diameter of its dot on paper [pt]."""


class ContactMarks:
    """Dots where surfaces touch; ``show`` moves them to a frame."""

    def __init__(self, ax: Axes, scene: Scene, strength: float = 1.0) -> None:
        self.places = [place for place in scene.touching.values() if place.size]
        shade = style.mix(CLOSED, strength)
        self.dots = ax.plot([], [], "o", ms=SIZE, mfc=shade, mec=style.PAPER, mew=0.8, zorder=8)[0]

    def show(self, frame: int) -> None:
        """Move the dots to a frame."""
        found = [place[frame] for place in self.places]
        closed = [row[:2] for rows in found for row in rows if np.all(np.isfinite(row))]
        x, y = np.array(closed).reshape(-1, 2).T
        self.dots.set_data(x, y)

    @property
    def artists(self) -> list[Artist]:
        """The dots, if there can be any."""
        return [self.dots] if self.places else []
