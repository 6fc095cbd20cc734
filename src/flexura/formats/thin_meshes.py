"""Meshes of shells and beams as parts: each cell becomes an element of this package, welded to its neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.analyses.linear.reduce import finite_elements
from flexura.elements.spatial.beam import Beam
from flexura.elements.spatial.shell import Shell
from flexura.errors import ModelError
from flexura.laws.materials import Material
from flexura.laws.sections import AnySection, Section
from flexura.model.model import Model
from flexura.substructures.finite_elements import FiniteElements

_TRIANGLES: dict[str, tuple[tuple[int, ...], ...]] = {"triangle": ((0, 1, 2),), "quad": ((0, 1, 2), (0, 2, 3))}
"""Triangles of each kind of face, by its corners."""


def thin_part(mesh: Any, material: Material, thickness: float, section: AnySection | None) -> FiniteElements:
    """Part of the faces of a mesh as shells, and of its lines as beams; a node has the name of its number."""
    points = np.asarray(mesh.points, dtype=float)
    points = np.hstack([points, np.zeros((len(points), 3 - points.shape[1]))])
    faces, lines = list[tuple[int, ...]](), list[tuple[int, ...]]()
    for block in mesh.cells:
        cells = np.asarray(block.data)
        if thickness and block.type in _TRIANGLES:
            faces += [tuple(cell[list(corners)].tolist()) for cell in cells for corners in _TRIANGLES[block.type]]
        if section is not None and block.type == "line":
            lines += [tuple(cell.tolist()) for cell in cells]
    if not faces and not lines:
        kinds = ", ".join(dict.fromkeys(block.type for block in mesh.cells)) or "no cells"
        what = f"the mesh has {kinds}, and neither solids, nor triangles with a thickness, nor lines with a section"
        raise ModelError("mesh", what, "mesh tetrahedra or hexahedra, or give the thickness of faces or a section")

    first = dict[int, str]()

    def end(node: int, own: str) -> str:
        """The node for its first element, whose end is that of all others."""
        if node in first:
            return first[node]
        first[node] = own
        return f"n{node}"

    elements: dict[str, Any] = {}
    for k, cell in enumerate(faces):
        p, q, r = (end(node, f"shell_{k}.{slot}") for node, slot in zip(cell, ("p", "q", "r"), strict=True))
        elements[f"shell_{k}"] = Shell(p, q, r, thickness, material)
    for k, cell in enumerate(lines):
        assert section is not None
        p, q = (end(node, f"beam_{k}.{slot}") for node, slot in zip(cell, ("p", "q"), strict=True))
        elements[f"beam_{k}"] = Beam(p, q, section, None if isinstance(section, Section) else material)
    model = Model(nodes={f"n{i}": tuple(points[i].tolist()) for i in first}, elements=elements, space="spatial")
    part = finite_elements(model)
    part.names = {str(i): part.names[f"n{i}"] for i in sorted(first)}
    return part
