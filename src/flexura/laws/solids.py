"""Shapes that rigid bodies are drawn with: boxes, cylinders, wireframes. They have no influence on the motion."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from math import cos, pi, sin
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.units import Positive, Unit
from flexura.laws.validation import validate

Place = tuple[float, float, float]
Centre = Annotated[Place, Unit("m", "vector from the node to the centre as drawn")]
Line = list[Place]
Floats = NDArray[np.float64]

ROUND = 24
"""Sides of a circle as drawn."""
SHARP = 0.35
"""Angle [rad] between the faces at an edge of a mesh from which on the edge is drawn."""


@dataclass(frozen=True)
class Cuboid:
    """Box with sides along x, y and z in the drawn position."""

    x: Annotated[float, Unit("m", "side along x"), Positive()]
    y: Annotated[float, Unit("m", "side along y"), Positive()]
    z: Annotated[float, Unit("m", "side along z"), Positive()]
    centre: Centre = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        validate(self)

    def lines(self) -> list[Line]:
        """Edges from the node, as drawn: bottom, top and the four between."""
        half = np.array([self.x, self.y, self.z]) / 2.0
        ring = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]
        bottom, top = ([_place(np.array(self.centre) + half * (a, b, side)) for a, b in ring] for side in (-1.0, 1.0))
        return [bottom, top, *([low, high] for low, high in zip(bottom[:4], top[:4], strict=True))]


@dataclass(frozen=True)
class Cylinder:
    """Circular cylinder about an axis through its middle."""

    diameter: Annotated[float, Unit("m", "diameter"), Positive()]
    length: Annotated[float, Unit("m", "length along the axis"), Positive()]
    axis: Annotated[Place, Unit("", "direction of the axis as drawn")] = (0.0, 0.0, 1.0)
    centre: Centre = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        validate(self)
        if not any(self.axis):
            raise ModelError("Cylinder.axis", "the axis has no direction", "give a vector such as (0, 0, 1)")

    def lines(self) -> list[Line]:
        """Both circles, from the node, and four lines between them."""
        along = np.array(self.axis) / np.linalg.norm(self.axis)
        first = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
        first /= np.linalg.norm(first)
        second, r = np.cross(along, first), self.diameter / 2.0
        turns = [2.0 * pi * k / ROUND for k in range(ROUND + 1)]
        near, far = (
            [_place(np.array(self.centre) + end * along + r * (cos(a) * first + sin(a) * second)) for a in turns]
            for end in (-self.length / 2.0, self.length / 2.0)
        )
        return [near, far, *([near[k], far[k]] for k in range(0, ROUND, ROUND // 4))]


@dataclass(frozen=True)
class Wireframe:
    """Straight lines between two places each, such as the edges of a part; ``Wireframe.from_file`` reads a mesh."""

    edges: Annotated[
        tuple[tuple[float, float, float, float, float, float], ...], Unit("m", "x, y, z of both ends of each edge")
    ]

    def __post_init__(self) -> None:
        validate(self)

    @staticmethod
    def from_file(path: str | Path, scale: float = 1.0) -> Wireframe:
        """Sharp edges of a surface mesh (.stl, .obj, .ply and others that meshio reads); ``scale`` is 1e-3 for mm."""
        try:
            meshio = import_module("meshio")
        except ImportError:
            what = "reading a mesh needs the package 'meshio', which is not installed"
            raise ModelError("Wireframe", what, "install it with: pip install 'flexura[meshes]'") from None
        try:
            mesh = meshio.read(path)
        except (OSError, ValueError, meshio.ReadError) as error:
            raise ModelError(f"{path}", f"this mesh cannot be read: {error}", "give a file that meshio reads") from None
        faces = [np.asarray(block.data) for block in mesh.cells if block.type == "triangle"]
        if not faces:
            raise ModelError(f"{path}", "this mesh has no triangles", "give the surface of the part")
        places, edges = sharp_edges(scale * np.asarray(mesh.points, dtype=float), np.concatenate(faces))
        return Wireframe(tuple((*_place(places[a]), *_place(places[b])) for a, b in edges))

    def lines(self) -> list[Line]:
        """The edges, from the node, as drawn."""
        return [[(a, b, c), (d, e, f)] for a, b, c, d, e, f in self.edges]


AnySolid = Cuboid | Cylinder | Wireframe


def sharp_edges(
    points: NDArray[np.float64], faces: NDArray[np.int64]
) -> tuple[NDArray[np.float64], list[tuple[int, int]]]:
    """Distinct places of a triangle mesh, and its edges that have one face, or two with an angle between them."""
    size = float(np.ptp(points, axis=0).max()) or 1.0
    _, first, same = np.unique(np.round(points / (1e-7 * size)), axis=0, return_index=True, return_inverse=True)
    places, corners = points[first], same.ravel()[faces]
    normals = np.cross(places[corners[:, 1]] - places[corners[:, 0]], places[corners[:, 2]] - places[corners[:, 0]])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    beside: dict[tuple[int, int], list[int]] = {}
    for number, face in enumerate(corners.tolist()):
        for a, b in zip(face, (face[1], face[2], face[0]), strict=True):
            beside.setdefault((min(a, b), max(a, b)), []).append(number)
    smooth = float(cos(SHARP))
    return places, [
        edge for edge, two in beside.items() if len(two) != 2 or float(normals[two[0]] @ normals[two[1]]) < smooth
    ]


def _place(at: Floats) -> Place:
    x, y, z = at.tolist()
    return x, y, z
