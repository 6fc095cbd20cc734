"""Description of the state of linearisation, and of attachments to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.results.marks import Axes
from flexura.results.state import Rate

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearPoint:
    """State of all coordinates, and the choice of independent ones: the data needed to linearise a model again."""

    in_space: bool
    x: Annotated[Array, Axes("every_coordinate")]
    v: Annotated[Array, Axes("every_coordinate")]
    a: Annotated[Array, Axes("every_coordinate")]
    numbers: Annotated[Array, Axes("number")]
    """tracked numbers"""
    turning: Annotated[tuple[Rate, ...] | None, Axes("rate")] = None
    """matrix of a steady motion, with which the coordinates move"""


@dataclass(frozen=True, eq=False)
class Rolls:
    """Equations of rolling: M q̈ + C q̇ + K q + K_k k = forcing with k̇ = A q̇ + B (q, k)."""

    coordinates: Annotated[tuple[str, ...], Axes("kinematic")]
    """kinematic coordinates k: positions that depend on the history of the motion"""
    K: Annotated[Array, Axes("row", "kinematic")]
    A: Annotated[Array, Axes("kinematic", "column")]
    B: Annotated[Array, Axes("kinematic", "every")]
    drive_matrices: Annotated[tuple[Array, Array], Axes("kinematic", "drive")]
    """k̇ from changes u of the drives: A_u u̇ + B_u u"""

    def coupled(self, K: Array, C: Array, M: Array) -> tuple[Array, Array, Array]:
        """K, C and M over (q, k), with the equations of the kinematic coordinates below."""
        n, k = len(M), len(self.coordinates)
        return (
            np.block([[K, self.K], [-self.B]]),
            np.block([[C, np.zeros((n, k))], [-self.A, np.eye(k)]]),
            np.block([[M, np.zeros((n, k))], [np.zeros((k, n)), np.zeros((k, k))]]),
        )


@dataclass(frozen=True, eq=False)
class Addition:
    """Damping and stiffness that an attachment adds to the equations."""

    name: str
    C: Annotated[Array, Axes("row", "column")]
    K: Annotated[Array, Axes("row", "column")]
