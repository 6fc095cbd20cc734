"""Orientations as given by users: a rotation vector, Euler parameters, direction cosines, or angles by name."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.laws.validation import validate

Array = NDArray[np.float64]

Three = tuple[float, float, float]

NAMED = {"euler": "ZXZ", "cardan": "XYZ", "yaw_pitch_roll": "ZYX"}
"""Named sequences of rotation axes."""


@dataclass(frozen=True)
class Rotation:
    """Rotation from the drawn position, given in one of four forms.

    ``vector`` has the direction of the axis and the length of the angle. ``angles`` are successive rotations about the
    axes of ``order``: capitals denote body-fixed axes (``"ZXZ"``), small letters global axes; or a name
    (``euler``, ``cardan``, ``yaw_pitch_roll``).
    """

    vector: Annotated[Three | None, Unit("rad", "axis times angle")] = None
    parameters: Annotated[tuple[float, float, float, float] | None, Unit("", "Euler parameters, scalar first")] = None
    cosines: Annotated[tuple[Three, Three, Three] | None, Unit("", "direction cosines, row by row")] = None
    angles: Annotated[Three | None, Unit("rad", "angles about the axes given by ``order``")] = None
    order: Annotated[str, Unit("", "sequence of three axes, or euler, cardan, yaw_pitch_roll")] = "ZXZ"

    def __post_init__(self) -> None:
        validate(self)
        ways = [self.vector, self.parameters, self.cosines, self.angles]
        if sum(way is not None for way in ways) != 1:
            what = "a rotation must be given in exactly one form"
            raise ModelError("Rotation", what, "give vector, parameters, cosines or angles")
        if self.parameters is not None and not abs(np.linalg.norm(self.parameters) - 1.0) < 1e-6:
            what = f"Euler parameters have the length 1, and these have {np.linalg.norm(self.parameters):.6g}"
            raise ModelError("Rotation.parameters", what, "divide them by their length")
        if self.cosines is not None:
            matrix = np.array(self.cosines)
            if not np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-6) or np.linalg.det(matrix) < 0.0:
                what = "these direction cosines are not those of a rotation"
                raise ModelError("Rotation.cosines", what, "rows are unit vectors, normal to each other, right-handed")
        sequence(self.order)

    @property
    def euler_parameters(self) -> tuple[float, float, float, float]:
        """The Euler parameters, scalar first and not negative."""
        turns = scipy.spatial.transform.Rotation
        if self.vector is not None:
            turn = turns.from_rotvec(self.vector)
        elif self.parameters is not None:
            turn = turns.from_quat(np.roll(self.parameters, -1))
        elif self.cosines is not None:
            turn = turns.from_matrix(self.cosines)
        else:
            turn = turns.from_euler(sequence(self.order), self.angles)
        x, y, z, scalar = (float(c) for c in turn.as_quat(canonical=True))
        return scalar, x, y, z


def sequence(order: str) -> str:
    """The axes of a sequence of angles, by name or as they are."""
    found = NAMED.get(order, order)
    if not re.fullmatch(r"(?!.*([XYZxyz])\1)([XYZ]{3}|[xyz]{3})", found):
        what = f"'{order}' is not a sequence of three axes"
        raise ModelError("Rotation.order", what, f"give for example ZXZ, xyz, {', '.join(NAMED)}")
    return found


def forms(parameters: Array, form: str, order: str = "ZXZ") -> Array:
    """Euler parameters over time in another form; rotation vectors and angles are continuous where possible."""
    turn = scipy.spatial.transform.Rotation.from_quat(np.roll(parameters, -1, axis=-1))
    if form == "parameters":
        return parameters
    if form == "cosines":
        return np.asarray(turn.as_matrix())
    if form == "vector":
        return _counted(np.asarray(turn.as_rotvec()))
    if form == "angles":
        with warnings.catch_warnings():
            # where the first and the last axis coincide only the sum of their angles is known: the last is zero
            warnings.simplefilter("ignore", UserWarning)
            return np.unwrap(np.asarray(turn.as_euler(sequence(order))), axis=0)
    raise ModelError("form", f"an orientation has no form '{form}'", "ask for vector, parameters, cosines or angles")


def _counted(vectors: Array) -> Array:
    """Rotation vectors with full turns added, each as near as possible to the previous one."""
    found = vectors.copy()
    for i in range(1, len(found)):
        angle, before = np.linalg.norm(vectors[i]), np.linalg.norm(found[i - 1])
        # after a whole number of turns the axis is the previous one
        axis = vectors[i] / angle if angle else found[i - 1] / (before or 1.0)
        found[i] = (angle + 2 * np.pi * np.round((found[i - 1] @ axis - angle) / (2 * np.pi))) * axis
    return found
