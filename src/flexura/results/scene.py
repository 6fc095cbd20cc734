"""A scene: the shapes of a motion, ready to be drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Scene:
    """What there is to draw: lines and points over time."""

    t: Array
    """The n times, rising."""
    lines: dict[str, tuple[Array, ...]]
    """Element name → its polylines, each (n, m, 2)."""
    points: dict[str, Array]
    """Node name → its places, (n, 2)."""
    supports: tuple[str, ...]
    """The names of the fixed nodes."""
    title: str = ""
