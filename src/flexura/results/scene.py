"""A scene: the shapes of a motion, ready to be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Scene:
    """Lines and points to draw over time, in the plane (d = 2) or in space (d = 3)."""

    t: Array
    """The n times, rising."""
    lines: dict[str, tuple[Array, ...]]
    """Element name → its polylines, each (n, m, d)."""
    points: dict[str, Array]
    """Node name → its places, (n, d)."""
    supports: tuple[str, ...]
    """The names of the fixed nodes."""
    title: str = ""
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    """Upward direction in space, of any length; in the plane it is y."""

    @property
    def dimension(self) -> int:
        """Two in the plane, three in space, as its places say."""
        places = chain(self.points.values(), chain.from_iterable(self.lines.values()))
        return next((place.shape[-1] for place in places), 2)
