"""Fields on the shapes of a motion: section forces and stresses along beams, contact forces of elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.shapes import Box, Circle, IBeam, Rectangle, Shape, Tube
from flexura.model.names import Address
from flexura.results.motion import Motion
from flexura.results.scene import drawn_values

Array = NDArray[np.float64]
POINTS = 9
"""points along a part of an element"""


@dataclass(frozen=True)
class Fields:
    """Grid of lines and nodes, with fields over time."""

    places: Array
    """times, points, 3"""
    connectivity: NDArray[np.int64]
    offsets: NDArray[np.int64]
    types: NDArray[np.uint8]
    owners: NDArray[np.int64]
    """number of the element of each cell, -1 for nodes"""
    elements: list[str]
    points: dict[str, Array]
    """times, points (, 3)"""
    cells: dict[str, Array]
    """times, cells"""


def fields_of(motion: Motion) -> Fields:
    """Shapes of all parts of elements and all nodes of a motion, and their fields."""
    names, times = motion.names, len(motion.t)
    values = {a: motion.position[0][:, i] for i, a in enumerate(motion.nodal_coordinates)}
    at_rest = drawn_values(names)
    lines, drawn, owners = list[Array](), list[Array](), list[int]()
    forces, contact = list[dict[str, Array]](), list[Array]()
    elements = list(names.parts)
    for number, whole in enumerate(elements):
        for part in names.parts[whole]:
            outlines = names.drawing.outline(part, values, POINTS)
            for line, first in zip(outlines, names.drawing.outline(part, at_rest, POINTS), strict=True):
                lines.append(_space(line))
                drawn.append(_space(first))
                owners.append(number)
                forces.append(_section_forces(motion, part, line.shape[1]))
                contact.append(_contact_force(motion, part))
    for node in names.model.nodes:
        place = np.stack([values[Address("coordinate", node, c)] for c in names.place_components], axis=-1)
        lines.append(_space(place[:, None]))
        drawn.append(_space(np.array(names.positions[node])[None, None]))
        owners.append(-1)
        forces.append({})
        contact.append(np.zeros(times))
    counts = [line.shape[1] for line in lines]
    places = np.concatenate(lines, axis=1) if lines else np.zeros((times, 0, 3))
    points: dict[str, Array] = {"displacement": places - (np.concatenate(drawn, axis=1) if drawn else 0.0)}
    for word in dict.fromkeys(word for each in forces for word in each):
        blank = [each.get(word, np.zeros((times, count))) for each, count in zip(forces, counts, strict=True)]
        points[word] = np.concatenate(blank, axis=1)
    types = np.array([4 if owner >= 0 else 1 for owner in owners], dtype=np.uint8)
    return Fields(
        places, np.arange(sum(counts)), np.cumsum(counts), types, np.array(owners), elements, points,
        {"contact_force": np.stack(contact, axis=1)} if contact else {},
    )  # fmt: skip


def _space(line: Array) -> Array:
    """Places with three coordinates."""
    flat = np.asarray(line, dtype=float)
    return flat if flat.shape[-1] == 3 else np.concatenate([flat, np.zeros((*flat.shape[:-1], 1))], axis=-1)


def _section_forces(motion: Motion, part: str, count: int) -> dict[str, Array]:
    """Axial force [N], torsion and bending moments [N·m] along a part, linear between its ends; largest stress [Pa]."""
    element = motion.names.elements[part]
    strains, s = element.strains, np.linspace(0.0, 1.0, count)
    if "elongation" not in strains:
        return {}
    length = motion.names.drawing.length(part)
    # tension is positive, and the force of a strain is minus its stress
    stress = {word: -motion.force(f"{part}.{word}") for word in strains}
    found = {"axial_force": np.repeat(stress["elongation"][:, None], count, axis=1)}
    if "torsion" in stress:
        found["torsion_moment"] = np.repeat(length * stress["torsion"][:, None], count, axis=1)
    for word, own in (
        ("bending_moment", "bending"),
        ("bending_moment_y", "bending_y"),
        ("bending_moment_z", "bending_z"),
    ):
        if f"{own}_p" in stress:
            ends = [length * stress[f"{own}_{end}"][:, None] for end in "pq"]
            found[word] = ends[0] * (1.0 - s) + ends[1] * s
    largest = _largest_stress(element, found)
    return found if largest is None else {**found, "normal_stress": largest}


def _largest_stress(element: Any, forces: dict[str, Array]) -> Array | None:
    """Largest normal stress over a section that is a shape; the corners of rectangles and boxes count."""
    section = vars(element).get("section")
    if not isinstance(section, Shape):
        return None
    y, z = _reach(section)
    total = np.abs(forces["axial_force"]) / section.area
    about_z = forces.get("bending_moment", forces.get("bending_moment_z"))
    about_y = forces.get("bending_moment_y")
    bends = [(about_z, y / section.Iz), (about_y, z / section.Iy)]
    parts = [np.abs(moment) * factor for moment, factor in bends if moment is not None]
    if isinstance(section, Circle | Tube):
        return np.asarray(total + np.sqrt(sum(part**2 for part in parts))) if parts else total
    return np.asarray(total + sum(parts))


def _reach(section: Shape) -> tuple[float, float]:
    """Largest distances from the axes, along y and z."""
    if isinstance(section, Circle):
        return section.diameter / 2.0, section.diameter / 2.0
    if isinstance(section, Tube):
        return section.outer / 2.0, section.outer / 2.0
    if isinstance(section, Rectangle | IBeam | Box):
        return section.height / 2.0, section.width / 2.0
    raise TypeError(type(section).__name__)


def _contact_force(motion: Motion, part: str) -> Array:
    """Sum of the normal forces across the gaps of an element."""
    total = np.zeros(len(motion.t))
    for gap in motion.names.elements[part].gaps:
        total = total + motion.force(f"{part}.{gap}")
    return total
