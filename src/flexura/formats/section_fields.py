"""Fields on the shapes of a motion: section forces and stresses along beams, contact forces of elements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.model.links import is_slender
from flexura.model.names import Address
from flexura.results.motion import Motion
from flexura.results.scene import drawn_values

Array = NDArray[np.float64]
POINTS = 9
"""points along a part of an element"""
VERTEX, POLYLINE, POLYGON = 1, 4, 7
"""kinds of cells"""

WORDS = {
    "N": "axial_force",
    "T": "torsion_moment",
    "M": "bending_moment",
    "My": "bending_moment_y",
    "Mz": "bending_moment_z",
}
"""names of section forces in files"""


@dataclass(frozen=True)
class Fields:
    """Grid of lines, faces and nodes, with fields over time."""

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
    lines, drawn, owners, types = list[Array](), list[Array](), list[int](), list[int]()
    forces, contact = list[dict[str, Array]](), list[Array]()
    elements = list(names.parts)
    for number, whole in enumerate(elements):
        for part in names.parts[whole]:
            outlines = names.drawing.outline(part, values, POINTS)
            for line, first in zip(outlines, names.drawing.outline(part, at_rest, POINTS), strict=True):
                face = is_face(first, POINTS)
                count = line.shape[1] - face
                lines.append(_space(line[:, :count]))
                drawn.append(_space(first[:, :count]))
                owners.append(number)
                types.append(POLYGON if face else POLYLINE)
                forces.append(_section_forces(motion, part, count))
                contact.append(_contact_force(motion, part))
    for node in names.model.nodes:
        place = np.stack([values[Address("coordinate", node, c)] for c in names.place_components], axis=-1)
        lines.append(_space(place[:, None]))
        drawn.append(_space(np.array(names.positions[node])[None, None]))
        owners.append(-1)
        types.append(VERTEX)
        forces.append({})
        contact.append(np.zeros(times))
    counts = [line.shape[1] for line in lines]
    places = np.concatenate(lines, axis=1) if lines else np.zeros((times, 0, 3))
    points: dict[str, Array] = {"displacement": places - (np.concatenate(drawn, axis=1) if drawn else 0.0)}
    for word in dict.fromkeys(word for each in forces for word in each):
        blank = [each.get(word, np.zeros((times, count))) for each, count in zip(forces, counts, strict=True)]
        points[word] = np.concatenate(blank, axis=1)
    kinds, ends = np.array(types, dtype=np.uint8), np.cumsum(counts)
    return Fields(
        places, np.arange(sum(counts)), ends, kinds, np.array(owners), elements, points,
        {"contact_force": np.stack(contact, axis=1)} if contact else {},
    )  # fmt: skip


def is_face(line: Array, points: int) -> bool:
    """True for the edge of a plate or a box, which returns to its first corner; curves have ``points`` or more."""
    return 4 <= line.shape[1] < points and np.array_equal(line[0, 0], line[0, -1])


def _space(line: Array) -> Array:
    """Places with three coordinates."""
    flat = np.asarray(line, dtype=float)
    return flat if flat.shape[-1] == 3 else np.concatenate([flat, np.zeros((*flat.shape[:-1], 1))], axis=-1)


def _section_forces(motion: Motion, part: str, count: int) -> dict[str, Array]:
    """Axial force [N], torsion and bending moments [N·m] along a part; largest normal stress [Pa] of a shape."""
    if not is_slender(motion.names, part):
        # tension is positive, and the force of a strain is minus its stress
        known = "elongation" in motion.names.elements[part].strains
        return {"axial_force": np.repeat(-motion.force(f"{part}.elongation")[:, None], count, axis=1)} if known else {}
    section = motion.section(part, np.linspace(0.0, 1.0, count).tolist())
    found = {word: section.forces[own] for own, word in WORDS.items() if own in section.forces}
    if section.stresses:
        found["normal_stress"] = np.abs(section.stresses["axial"]) + section.stresses["bending"]
    return found


def _contact_force(motion: Motion, part: str) -> Array:
    """Sum of the normal forces across the gaps of an element."""
    total = np.zeros(len(motion.t))
    for gap in motion.names.elements[part].gaps:
        total = total + motion.force(f"{part}.{gap}")
    return total
