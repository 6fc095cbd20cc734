"""A scene: the shapes of a motion, ready to be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    """The names of the nodes that are held in all directions."""
    title: str = ""
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    """Upward direction in space, of any length; in the plane it is y."""
    guides: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Node name → the axes (0 is x) along which a node that is held in other directions is free."""
    touching: Mapping[str, Array] = field(default_factory=dict)
    """Element name → the places of its contacts, (n, m, d); not numbers where they are open."""

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
    held = {a for name in names.model.fixed for a in names.expand(name) if a.kind == "coordinate"}
    free = {
        name: tuple(i for i, c in enumerate(names.place_components) if Address("coordinate", name, c) not in held)
        for name in names.model.nodes
    }
    supports = tuple(name for name, axes in free.items() if not axes)
    guides = {name: axes for name, axes in free.items() if 0 < len(axes) < len(names.place_components)}
    gravity = np.array(names.model.gravity)
    up = {"up": tuple(-gravity)} if gravity.size == 3 and gravity.any() else {}
    touching = {
        name: names.drawing.touching(name, values) for name, element in names.elements.items() if element.contacts
    }
    closed = {name: places for name, places in touching.items() if places.size}
    return Scene(t, lines, nodes, supports, names.model.title, **up, guides=guides, touching=closed)


def drawn_values(names: Names) -> dict[Address, Array]:
    """Coordinates of a model as it is drawn, each as a history of one moment."""
    values = {
        Address("coordinate", name, component): np.array([value])
        for name, position in names.positions.items()
        for component, value in zip(names.place_components, position, strict=True)
    }
    return values | {
        Address("coordinate", name, component): np.array([value])
        for name in names.orientations
        for component, value in zip(names.turn_components, names.oriented.unturned, strict=True)
    }


def drawn(names: Names, points: int) -> Scene:
    """Scene of a model as it is drawn."""
    return build_scene(names, np.zeros(1), drawn_values(names), points)
