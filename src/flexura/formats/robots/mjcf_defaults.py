"""Settings of an MJCF file: the compiler, default classes, and orientations in all their forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.formats.xml_files import numbers

Array = NDArray[np.float64]
ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Settings:
    """Attributes of the compiler, and default attributes by class and element."""

    compiler: Mapping[str, str]
    defaults: Mapping[str, Mapping[str, Mapping[str, str]]]

    @property
    def radians(self) -> float:
        """Factor from angles in the file to radians."""
        return 1.0 if self.compiler.get("angle", "degree") == "radian" else pi / 180.0

    def attributes(self, tag: str, element: Any, style: str) -> dict[str, str]:
        """Attributes of an element, with the defaults of its class."""
        name = element.get("class", style) or "main"
        if name not in self.defaults:
            raise ModelError(f"<{tag}>", f"there is no default class '{name}'", "check <default>")
        return {**self.defaults[name].get(tag, {}), **element.attrib}

    def placed(self, element: Any, at: Array, turn: Array) -> tuple[Array, Array]:
        """Position and orientation of an element in the world, from those of its parent."""
        given = element.attrib if not isinstance(element, Mapping) else element
        where = f"<{getattr(element, 'tag', 'geom')}>: pos"
        return at + turn @ np.array(numbers(where, given.get("pos"), 3, ZERO)), turn @ self.rotation(given)

    def rotation(self, given: Mapping[str, str]) -> Array:
        """Rotation matrix of quat, axisangle, euler, xyaxes or zaxis."""
        if "quat" in given:
            w, x, y, z = numbers("quat", given["quat"], 4, (1.0, *ZERO))
            return _matrix(scipy.spatial.transform.Rotation.from_quat([x, y, z, w]))
        if "axisangle" in given:
            *axis, angle = numbers("axisangle", given["axisangle"], 4, (*ZERO, 0.0))
            turned = direction_of("axisangle", axis) * angle * self.radians
            return _matrix(scipy.spatial.transform.Rotation.from_rotvec(turned))
        if "euler" in given:
            sequence = self.compiler.get("eulerseq", "xyz")
            if len(sequence) != 3 or set(sequence.lower()) - set("xyz"):
                raise ModelError(
                    "compiler: eulerseq", f"'{sequence[:9]}' is not a sequence of axes", "give xyz or such"
                )
            angles = np.array(numbers("euler", given["euler"], 3, ZERO)) * self.radians
            total = np.eye(3)
            # small letters turn with the axes, capitals about those of the parent
            for letter, angle in zip(sequence, angles, strict=True):
                step = _matrix(scipy.spatial.transform.Rotation.from_euler(letter.lower(), angle))
                total = total @ step if letter.islower() else step @ total
            return total
        if "xyaxes" in given:
            six = np.array(numbers("xyaxes", given["xyaxes"], 6, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)))
            x_axis = direction_of("xyaxes", six[:3])
            y_axis = direction_of("xyaxes", six[3:] - (six[3:] @ x_axis) * x_axis)
            return np.stack([x_axis, y_axis, np.cross(x_axis, y_axis)], axis=1)
        if "zaxis" in given:
            return aligned(direction_of("zaxis", numbers("zaxis", given["zaxis"], 3, (0.0, 0.0, 1.0))))
        return np.eye(3)


def _matrix(turn: scipy.spatial.transform.Rotation) -> Array:
    return np.asarray(turn.as_matrix(), dtype=float)


def direction_of(where: str, vector: Any) -> Array:
    """Vector of unit length."""
    found = np.array(vector, dtype=float)
    size = np.linalg.norm(found)
    if not size > 0.0:
        raise ModelError(where, "the direction is zero", "give a vector")
    return np.asarray(found / size)


def aligned(axis: Array) -> Array:
    """Least rotation that brings z to an axis."""
    z = np.array([0.0, 0.0, 1.0])
    across, along = np.cross(z, axis), float(z @ axis)
    size = float(np.linalg.norm(across))
    if size < 1e-14:
        return np.eye(3) if along > 0.0 else np.diag([1.0, -1.0, -1.0])
    return _matrix(scipy.spatial.transform.Rotation.from_rotvec(across / size * np.arctan2(size, along)))


def settings(root: Any) -> Settings:
    """Settings of a file."""
    compiler: dict[str, str] = {}
    for each in root.findall("compiler"):
        compiler |= each.attrib
    if compiler.get("coordinate", "local") != "local":
        raise ModelError("compiler: coordinate", "global coordinates are not read", "save the model from MuJoCo")
    found: dict[str, dict[str, dict[str, str]]] = {"main": {}}
    waiting = [(each, "main") for each in root.findall("default")]
    while waiting:
        element, above = waiting.pop(0)
        name = element.get("class", "main")
        own = {tag: dict(values) for tag, values in found[above].items()}
        for child in element:
            if child.tag != "default":
                own[child.tag] = {**own.get(child.tag, {}), **child.attrib}
        found[name] = own
        waiting += [(child, name) for child in element.findall("default")]
    return Settings(compiler, found)
