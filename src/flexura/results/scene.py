"""A scene: the shapes of a motion, ready to be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from flexura.model.names import Address, Names

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


def build_scene(names: Names, t: Array, values: Mapping[Address, Array], points: int) -> Scene:
    """Evaluate the outlines of all elements on the histories of their nodes."""
    lines: dict[str, tuple[Array, ...]] = {}
    for whole, parts in names.parts.items():
        polylines: list[list[Array]] = []
        each = max(points // len(parts), 5)
        for part in parts:
            for number, line in enumerate(names.drawing.outline(part, values, each)):
                if number < len(polylines):
                    polylines[number].append(line[:, 1:])
                else:
                    polylines.append([line])
        if polylines:
            lines[whole] = tuple(np.concatenate(pieces, axis=1) for pieces in polylines)
    nodes = {
        name: np.stack([values[Address("coordinate", name, c)] for c in names.place_components], axis=-1)
        for name in names.model.nodes
    }
    fixed = {a.owner for name in names.model.fixed for a in names.expand(name) if a.kind == "coordinate"}
    supports = tuple(name for name in names.model.nodes if name in fixed)
    gravity = np.array(names.model.gravity)
    up = {"up": tuple(-gravity)} if gravity.size == 3 and gravity.any() else {}
    return Scene(t, lines, nodes, supports, names.model.title, **up)
