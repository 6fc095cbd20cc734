"""Scene: the shapes of a motion, ready to be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.model.names import Address, Names
from flexura.results.force_arrows import ForceArrow, metres_per_newton

Array = NDArray[np.float64]

AXIS_LENGTH = 0.08
"""Drawn length of the axis of a hinge, relative to the size of the model."""


@dataclass(frozen=True)
class Scene:
    """Lines and points to draw over time, in the plane (d = 2) or in space (d = 3)."""

    t: Array
    """The n increasing times."""
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
    """Node name → the axes (0 is x) along which a node held in other directions is free."""
    touching: Mapping[str, Array] = field(default_factory=dict)
    """Element name → the places of its contacts, (n, m, d); NaN where they are open."""
    widths: Mapping[str, float] = field(default_factory=dict)
    """Element name → width of its lines, relative to that of a link."""
    welds: tuple[str, ...] = ()
    """Names of the nodes without a joint: elements are welded together there, or clamped to the ground."""

    forces: tuple[ForceArrow, ...] = ()
    """Reactions, loads and contact forces to draw as arrows."""
    force_scale: float = 0.0
    """Length of an arrow for each newton [m/N]."""

    @property
    def dimension(self) -> int:
        """Two in the plane, three in space, by the number of components."""
        places = chain(self.points.values(), chain.from_iterable(self.lines.values()))
        return next((place.shape[-1] for place in places), 2)


def build_scene(
    names: Names,
    t: Array,
    values: Mapping[Address, Array],
    points: int,
    pressed: Mapping[str, NDArray[np.bool_]] | None = None,
) -> Scene:
    """Evaluate the outlines of all elements on the histories of their nodes.

    ``pressed`` is true when the contacts of an element have a force, (times, contacts).
    """
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
            polylines += [[line] for line in _axis_lines(names, part, values)]
        # attachments of an element, such as the arms of a body, are drawn as parts of it
        owner = whole.partition(".")[0]
        if polylines:
            lines[owner] = (*lines.get(owner, ()), *(np.concatenate(pieces, axis=1) for pieces in polylines))
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
    up: dict[str, Any] = {"up": tuple(-gravity)} if gravity.size == 3 and gravity.any() else {}
    touching = {
        name: names.drawing.touching(name, values, (pressed or {}).get(name, False))
        for name, element in names.elements.items()
        if element.contacts
    }
    closed = {name: places for name, places in touching.items() if places.size}
    widths = {name: element.line_width for name, element in names.model.elements.items() if element.line_width != 1.0}
    return Scene(
        t,
        lines,
        nodes,
        supports,
        names.model.title,
        **up,
        guides=guides,
        touching=closed,
        widths=widths,
        welds=_welds(names, supports, held),
    )


def _axis_lines(names: Names, part: str, values: Mapping[Address, Array]) -> list[Array]:
    """Axis of a joint as a short line, proportional to the drawn model."""
    if (found := names.drawing.axis(part, values)) is None:
        return []
    places = np.array(list(names.positions.values()))
    place, axis = found
    half = AXIS_LENGTH / 2.0 * (float(np.ptp(places, axis=0).max()) or 1.0) * axis
    return [np.stack([place - half, place + half], axis=1)]


def _welds(names: Names, supports: tuple[str, ...], held: set[Address]) -> tuple[str, ...]:
    """Nodes without a joint: elements meet there and turn together, or a support also holds their orientations."""
    found: dict[str, list[Any]] = {name: [] for name in names.model.nodes}
    for part, slots in names.attachments.items():
        for end in slots.values():
            if not names.elements[part].internal and end.position in found:
                found[end.position].append(end.orientation)

    def welded(name: str) -> bool:
        ends = found[name]
        if name in supports:
            turns = {Address("coordinate", end, c) for end in ends for c in names.turn_components}
            return bool(ends) and None not in ends and turns <= held
        return len(ends) > 1 and None not in ends and len(set(ends)) == 1

    return tuple(filter(welded, found))


def drawn_values(names: Names) -> dict[Address, Array]:
    """Coordinates of a model in the drawn position, each as a history of one moment."""
    values = {
        Address("coordinate", name, component): np.array([value])
        for name, position in names.positions.items()
        for component, value in zip(names.place_components, position, strict=True)
    }
    return (
        values
        | {
            Address("coordinate", name, component): np.array([value])
            for name in names.orientations
            for component, value in zip(names.turn_components, names.oriented.unturned, strict=True)
        }
        | {
            Address("coordinate", name, component): np.zeros(1)
            for name, element in names.elements.items()
            for component in element.coordinates
        }
    )


def drawn(names: Names, points: int) -> Scene:
    """Scene of a model in the drawn position."""
    return build_scene(names, np.zeros(1), drawn_values(names), points)


def with_forces(scene: Scene, arrows: tuple[ForceArrow, ...], scale: bool | float) -> Scene:
    """Scene with arrows, at a scale [m/N] or, with True, at one chosen by its size."""
    places = [place.reshape(-1, place.shape[-1]) for lines in scene.lines.values() for place in lines]
    rows = np.concatenate([*places, *scene.points.values()])
    size = float(np.ptp(rows[np.isfinite(rows).all(axis=1)], axis=0).max()) or 1.0
    chosen = metres_per_newton(arrows, size) if scale is True else float(scale)
    if not (np.isfinite(chosen) and chosen >= 0.0):
        raise ModelError("forces", f"arrows of {chosen:g} m/N cannot be drawn", "give True, or a length above zero")
    return replace(scene, forces=arrows, force_scale=chosen)
