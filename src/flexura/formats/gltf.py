"""glTF 2.0: an animated scene in one binary file, for slides, browsers and Blender.

Lines of elements are chains of rods, plates and faces of boxes are filled, nodes are balls. Each rod is the same
cylinder and each half of a triangle the same right-angled triangle, moved by keys of translation, rotation and scale:
standard animation is enough to play them.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.atomic_files import whole
from flexura.errors import ModelError
from flexura.formats.section_fields import is_face
from flexura.results.result import Result
from flexura.results.scene import Scene
from flexura.results.state import State
from flexura.results.writers import writes

Array = NDArray[np.float64]

MOST_FRAMES = 600
POINTS = 13
"""points along an element"""
COLOURS = ((0.12, 0.47, 0.71), (1.0, 0.5, 0.05), (0.17, 0.63, 0.17), (0.84, 0.15, 0.16), (0.58, 0.4, 0.74))
FLOAT, SHORT, ARRAY, INDICES = 5126, 5123, 34962, 34963


@runtime_checkable
class Moving(Protocol):
    """Result with shapes over time."""

    def scene(self, points: int = 17) -> Scene: ...


@writes(".glb")
def write_glb(result: Result, path: Path, signals: Sequence[str] = ()) -> None:
    """Write the shapes of a result over time as an animated scene; at most 600 frames are taken."""
    moving = result.motion if isinstance(result, State) else result
    if not isinstance(moving, Moving) or type(result).__name__ == "Modes":
        what = f"a {type(result).__name__} has no shapes over time"
        raise ModelError(Path(path).name, what, "save a motion or a state")
    content = glb(moving.scene(POINTS))
    with whole(Path(path)) as draft:
        draft.write_bytes(content)


def glb(scene: Scene) -> bytes:
    """Binary glTF of a scene."""
    frames = np.unique(np.linspace(0, len(scene.t) - 1, min(len(scene.t), MOST_FRAMES)).round().astype(int))
    file = _File()
    times = scene.t[frames] - scene.t[frames[0]]
    clock = file.accessor(times[:, None], "SCALAR", bounds=True)
    size = _size(scene)
    rod, ball, triangle = (file.mesh(*_tube(8)), file.mesh(*_sphere(8, 6)), file.mesh(*_triangle()))
    for number, (name, lines) in enumerate(scene.lines.items()):
        colour = 1 + number % len(COLOURS)
        for line in lines:
            places = _space(line[frames])
            for k in range(places.shape[1] - 1):
                keys = _rods(places[:, k], places[:, k + 1], 0.006 * size)
                file.node(name, (rod, colour), keys, clock)
            for k in range(1, places.shape[1] - 2) if is_face(line, POINTS) else ():
                for keys in _halves(places[:, [0, k, k + 1]]):
                    file.node(name, (triangle, colour), keys, clock)
    for name, places in scene.points.items():
        still = _space(places[frames])
        scale = np.full_like(still, 0.01 * size)
        turn = np.tile([0.0, 0.0, 0.0, 1.0], (len(still), 1))
        file.node(name, (ball, 0), (still, turn, scale), clock)
    return file.packed(scene.dimension == 3, scene.title or "Flexura")


def _space(places: Array) -> Array:
    return places if places.shape[-1] == 3 else np.concatenate([places, np.zeros((*places.shape[:-1], 1))], axis=-1)


def _size(scene: Scene) -> float:
    """Largest extent of the first frame."""
    every = [place[0].reshape(-1, scene.dimension) for lines in scene.lines.values() for place in lines]
    every += [place[0].reshape(-1, scene.dimension) for place in scene.points.values()]
    found = float(np.ptp(np.concatenate(every), axis=0).max()) if every else 1.0
    return found or 1.0


def _rods(start: Array, stop: Array, radius: float) -> tuple[Array, Array, Array]:
    """Keys of a cylinder along z from 0 to 1 that connects two moving points."""
    along = stop - start
    length = np.linalg.norm(along, axis=1)
    unit = along / np.where(length > 0.0, length, 1.0)[:, None]
    unit[length == 0.0] = (0.0, 0.0, 1.0)
    # half way between z and the direction, the axis of a half turn
    middle = unit + np.array([0.0, 0.0, 1.0])
    norm = np.linalg.norm(middle, axis=1)
    middle[norm < 1e-9] = (1.0, 0.0, 0.0)
    turn = np.concatenate([middle / np.linalg.norm(middle, axis=1)[:, None], np.zeros((len(middle), 1))], axis=1)
    scale = np.stack([np.full(len(length), radius), np.full(len(length), radius), np.maximum(length, 1e-9)], axis=1)
    return start, turn, scale


def _halves(corners: Array) -> list[tuple[Array, Array, Array]]:
    """Keys of the two right-angled triangles of a moving triangle, divided by the height on its longest side.

    A right angle needs no shear, which glTF does not have. A triangle without area has no halves.
    """
    sides = np.roll(corners, -1, axis=1) - corners
    longest = int(np.argmax(np.linalg.norm(sides[0], axis=1)))
    start, stop, top = (corners[:, (longest + k) % 3] for k in range(3))
    base, up = stop - start, top - start
    length = np.linalg.norm(base, axis=1, keepdims=True)
    along = base / np.where(length > 0.0, length, 1.0)
    reach = np.sum(up * along, axis=1, keepdims=True)
    height = up - reach * along
    high = np.linalg.norm(height, axis=1, keepdims=True)
    if np.any(high <= 1e-9 * length) or np.any(length == 0.0):
        return []
    foot, normal = start + reach * along, height / high
    halves = []
    for way, part in ((-along, reach), (along, length - reach)):
        axes = np.stack([way, normal, np.cross(way, normal)], axis=-1)
        turn = scipy.spatial.transform.Rotation.from_matrix(axes).as_quat()
        halves.append((foot, turn, np.concatenate([part, high, np.ones_like(high)], axis=1)))
    return halves


def _triangle() -> tuple[Array, Array, NDArray[np.uint16]]:
    """Places, normals and indices of a right-angled triangle with two sides of length 1."""
    places = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return places, np.tile([0.0, 0.0, 1.0], (3, 1)), np.array([[0, 1, 2]], dtype=np.uint16)


def _tube(sides: int) -> tuple[Array, Array, NDArray[np.uint16]]:
    """Places, normals and triangles of a cylinder of radius 1 from z = 0 to 1."""
    angles = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(sides)], axis=1)
    places = np.concatenate([ring, ring + np.array([0.0, 0.0, 1.0])])
    i, j = np.arange(sides), (np.arange(sides) + 1) % sides
    triangles = np.concatenate([np.stack([i, j, i + sides], axis=1), np.stack([j, j + sides, i + sides], axis=1)])
    return places, np.concatenate([ring, ring]), triangles.astype(np.uint16)


def _sphere(around: int, down: int) -> tuple[Array, Array, NDArray[np.uint16]]:
    """Places, normals and triangles of a sphere of radius 1."""
    a, b = np.meshgrid(2.0 * np.pi * np.arange(around) / around, np.pi * np.arange(down + 1) / down)
    places = np.stack([np.sin(b) * np.cos(a), np.sin(b) * np.sin(a), np.cos(b)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(around), np.arange(down))
    here, right = (j * around + i).ravel(), (j * around + (i + 1) % around).ravel()
    triangles = [
        np.stack([here, here + around, right], axis=1),
        np.stack([right, here + around, right + around], axis=1),
    ]
    return places, places, np.concatenate(triangles).astype(np.uint16)


@dataclass
class _File:
    """Parts of a glTF file as they are added."""

    data: bytearray = field(default_factory=bytearray)
    views: list[dict[str, Any]] = field(default_factory=list)
    accessors: list[dict[str, Any]] = field(default_factory=list)
    shapes: list[dict[str, int]] = field(default_factory=list)
    meshes: dict[tuple[int, int], int] = field(default_factory=dict)
    nodes: list[dict[str, Any]] = field(default_factory=list)
    samplers: list[dict[str, Any]] = field(default_factory=list)
    channels: list[dict[str, Any]] = field(default_factory=list)

    def accessor(self, values: Any, kind: str, bounds: bool = False, target: int | None = None) -> int:
        """Add an array; its number."""
        integers = values.dtype.kind == "u"
        raw = np.ascontiguousarray(values, dtype="<u2" if integers else "<f4")
        self.data += b"\0" * (-len(self.data) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": raw.nbytes}
        self.views.append(view | ({"target": target} if target else {}))
        self.data += raw.tobytes()
        found: dict[str, Any] = {
            "bufferView": len(self.views) - 1, "componentType": SHORT if integers else FLOAT,
            "count": raw.size if kind == "SCALAR" else len(raw), "type": kind,
        }  # fmt: skip
        if bounds:
            columns = raw.reshape(found["count"], -1)
            found |= {"min": columns.min(axis=0).tolist(), "max": columns.max(axis=0).tolist()}
        self.accessors.append(found)
        return len(self.accessors) - 1

    def mesh(self, places: Array, normals: Array, triangles: NDArray[np.uint16]) -> int:
        """Add a shape; its number."""
        self.shapes.append(
            {
                "POSITION": self.accessor(places, "VEC3", bounds=True, target=ARRAY),
                "NORMAL": self.accessor(normals, "VEC3", target=ARRAY),
                "indices": self.accessor(triangles.ravel(), "SCALAR", target=INDICES),
            }
        )
        return len(self.shapes) - 1

    def node(self, name: str, look: tuple[int, int], keys: tuple[Array, Array, Array], clock: int) -> None:
        """Add a moving shape of a colour."""
        number = self.meshes.setdefault(look, len(self.meshes))
        self.nodes.append({"name": name, "mesh": number})
        for path, kind, values in zip(
            ("translation", "rotation", "scale"), ("VEC3", "VEC4", "VEC3"), keys, strict=True
        ):
            self.nodes[-1][path] = values[0].tolist()
            if len(values) > 1:
                self.samplers.append({"input": clock, "output": self.accessor(values, kind), "interpolation": "LINEAR"})
                target = {"node": len(self.nodes) - 1, "path": path}
                self.channels.append({"sampler": len(self.samplers) - 1, "target": target})

    def packed(self, upright: bool, title: str) -> bytes:
        """The whole file; z of space is the y of glTF."""
        turn = scipy.spatial.transform.Rotation.from_euler("x", -np.pi / 2 if upright else 0.0).as_quat().tolist()
        nodes = [*self.nodes, {"name": title, "children": list(range(len(self.nodes))), "rotation": turn}]
        colours = [(0.2, 0.2, 0.2), *COLOURS]
        document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "Flexura"},
            "scene": 0,
            "scenes": [{"nodes": [len(nodes) - 1]}],
            "nodes": nodes,
            "meshes": [
                {"primitives": [{
                    "attributes": {word: self.shapes[shape][word] for word in ("POSITION", "NORMAL")},
                    "indices": self.shapes[shape]["indices"], "material": colour,
                }]}
                for shape, colour in self.meshes
            ],
            "materials": [
                {"doubleSided": True, "pbrMetallicRoughness": {
                    "baseColorFactor": [*c, 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.6,
                }}
                for c in colours
            ],
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": len(self.data) + (-len(self.data) % 4)}],
        }  # fmt: skip
        if self.channels:
            document["animations"] = [{"name": "motion", "samplers": self.samplers, "channels": self.channels}]
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.data) + b"\0" * (-len(self.data) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
