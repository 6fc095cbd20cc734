"""Sketches of elements: how they are drawn with their nodes, and the displacement that each strain measures."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from inspect import getsource
from pathlib import Path
from typing import Any

import numpy as np
from element_examples import Example
from numpy.typing import NDArray

import flexura as fx
from flexura.algebra import Vector
from flexura.elements.element import Element
from flexura.model.names import Address, Names
from flexura.plotting import style
from flexura.plotting.artists import mechanism
from flexura.plotting.label_placement import name_points
from flexura.plotting.scene_frames import window
from flexura.plotting.view import Sight, look
from flexura.results.scene import Scene, build_scene, drawn_values

Array = NDArray[np.float64]

SIZE, COLUMNS = 2.1, 4
"""Side of a panel in inches, and panels in a row."""
SHIFT = 0.3
"""Displacement in a panel, against the size of the element, or rotation in rad."""
MOST = 8
"""Strains of one element that are shown."""
AXIS = 0.22
"""Length of the axes of orientations, against the size of the element."""


def sketch(path: Path, example: Example, space: str) -> None:
    """Write the sketch of an element as an SVG image, unless the file holds it."""
    element = example.element(space)
    key = sha256((repr(example) + getsource(type(element)) + Path(__file__).read_text(encoding="utf-8")).encode())
    mark = f"<!-- {key.hexdigest()} -->"
    if path.exists() and path.read_text(encoding="utf-8").rstrip().endswith(mark):
        return
    names = Names(fx.Model(dict(zip("ABC", example.places, strict=False)), {"e": element}, space=space))
    scenes = {"": _scene(names, {})} | {name: _scene(names, shift) for name, shift in displacements(names)}
    rows = -(-len(scenes) // COLUMNS)
    figure = style.figure(height=SIZE * rows, width=SIZE * min(len(scenes), COLUMNS))
    panels = np.ravel(figure.subplots(rows, min(len(scenes), COLUMNS)))
    for ax, (title, scene) in zip(panels, scenes.items(), strict=False):
        _panel(ax, look(scene), title)
    for ax in panels[len(scenes) :]:
        ax.set_axis_off()
    figure.savefig(path, metadata={"Date": None})
    path.write_text(path.read_text(encoding="utf-8") + mark + "\n", encoding="utf-8")


def _panel(ax: Any, sight: Sight, title: str) -> None:
    """One pose over the drawn one; without a title the drawn one with the names of its nodes."""
    low, high = window(sight.scene, margin=0.35)
    centre, half = (low + high) / 2, float(np.max(high - low)) / 2
    ax.set(xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half, centre[1] + half), aspect="equal")
    ax.set_axis_off()
    if title:
        mechanism(ax, sight, 0.25, nodes=False).show(0)
        ax.set_title(title, fontsize=style.TEXT, color=style.INK)
    mechanism(ax, sight).show(1)
    if not title:
        name_points(ax, sight.scene, 1, 2 * half / (72.0 * SIZE))


def _scene(names: Names, shift: dict[Address, float]) -> Scene:
    """The drawn position and a displaced one; points have the names of the slots of the element."""
    values = {a: np.array([v[0], v[0] + shift.get(a, 0.0)]) for a, v in drawn_values(names).items()}
    scene = build_scene(names, np.array([0.0, 1.0]), values, points=33)
    slots = {end.position: slot for slot, end in names.attachments["e"].items()}
    together: dict[str, Array] = {}
    for node, place in scene.points.items():
        together[slots.get(node, node)] = place
    widths = {**scene.widths, **dict.fromkeys("xyz", 0.4)}
    return Scene(scene.t, scene.lines | _triads(names, values), together, (), widths=widths)


def _triads(names: Names, values: dict[Address, Array]) -> dict[str, tuple[Array, ...]]:
    """The axes of the orientations that the element has, by their names."""
    given, times = names.drawing._histories("e", values)
    found: dict[str, list[Array]] = {}
    for node in given:
        for name, axis in zip("xyz", ("t", "n", "b"), strict=True):
            if hasattr(node, axis) and hasattr(node, "r"):
                ends = (node.r, node.r + AXIS * _size(names) * getattr(node, axis))
                line = np.stack([np.stack([np.broadcast_to(c, times) for c in end], axis=-1) for end in ends], axis=1)
                found.setdefault(name, []).append(line)
    return {name: tuple(lines) for name, lines in found.items()}


def _size(names: Names) -> float:
    """Size of the element as drawn."""
    return float(np.ptp(np.array(list(names.positions.values())), axis=0).max()) or 0.5


def displacements(names: Names) -> list[tuple[str, dict[Address, float]]]:
    """For each strain, the displacement of the nodes after the first that changes it, and no other strain, most."""
    drawing, element = names.drawing, names.elements["e"]
    if element.coordinates or not element.strains:
        return []
    addresses = drawing.addresses("e")
    first = len(drawing.node_kinds("e")[0].coordinates)
    at = np.array([drawn_values(names)[a][0] for a in addresses], dtype=float)
    jacobian = np.array([_strains(names, at, i, 1e-6) - _strains(names, at, i, -1e-6) for i in range(len(at))]).T / 2e-6
    free = slice(first if len(drawing.node_kinds("e")) > 1 else 0, None)
    size, found = _size(names), []
    for k, strain in enumerate(element.strains[:MOST]):
        column = np.linalg.pinv(jacobian[:, free])[:, k]
        if np.linalg.norm(jacobian[:, free] @ column) < 0.5:
            continue
        # places by their own size, rotations in radians
        scale = SHIFT * (size if _unit(element, k) == "m" else 1.0)
        moved = np.zeros(len(at))
        moved[free] = column / max(np.abs(jacobian[:, free] @ column).max(), 1e-12) * scale
        shift: dict[Address, float] = {}
        for address, change in zip(addresses, moved, strict=True):
            shift[address] = shift.get(address, 0.0) + float(change)
        found.append((strain, shift))
    return found


def _unit(element: Element, k: int) -> str:
    units: Sequence[str] = element.units
    return units[k] if k < len(units) else "m"


def _strains(names: Names, at: Array, i: int, change: float) -> Array:
    """Strains of the element with one coordinate changed."""
    moved = at.copy()
    moved[i] += change
    values = {a: np.array([v]) for a, v in zip(names.drawing.addresses("e"), moved, strict=True)}
    given, _ = names.drawing._histories("e", values)
    element = names.elements["e"].placed(names.drawing.numbers("e"))
    strains: Vector = element.strain(*given)
    return np.array([float(np.ravel(strain)[0]) for strain in strains])
