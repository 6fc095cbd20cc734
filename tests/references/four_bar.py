"""Four-bar linkage: positions in closed form, as the intersection of two circles, with first and second derivatives.

The frame pivots are O at the origin and C at (frame, 0). The crank O–A makes the angle φ with the x axis, the coupler
is A–B and the rocker C–B. Two assemblies exist: `branch` +1 has B to the left of the line from A to C, −1 to its right.
A parallelogram passes through a position where they meet (all bars in line); `parallelogram` stays on its own smooth
branch there. Source: elementary geometry.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FourBar:
    """The four lengths."""

    frame: float
    crank: float
    coupler: float
    rocker: float


@dataclass(frozen=True)
class Position:
    """The pins A and B (x, y on the last axis) and the angles of coupler and rocker with the x axis."""

    A: Array
    B: Array
    coupler: Array
    rocker: Array


def position(case: FourBar, phi: ArrayLike, branch: int = 1) -> Position:
    """Positions at crank angle φ."""
    # the diagonal from A to C
    angle = np.asarray(phi, dtype=np.float64)
    A = case.crank * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    C = np.array([case.frame, 0.0])
    diagonal = np.hypot(*np.moveaxis(C - A, -1, 0))
    along = (C - A) / diagonal[..., None]
    across = np.stack([-along[..., 1], along[..., 0]], axis=-1)

    # B is where the circle of the coupler about A meets that of the rocker about C
    u = (diagonal**2 + case.coupler**2 - case.rocker**2) / (2.0 * diagonal)
    v = branch * np.sqrt(case.coupler**2 - u**2)
    B = A + u[..., None] * along + v[..., None] * across
    return Position(A, B, _angle(B - A), _angle(B - C))


def rates(case: FourBar, place: Position, phi: ArrayLike, phi_v: float, phi_a: float) -> tuple[Array, Array]:
    """Angular velocities and accelerations, each (coupler, rocker) on the last axis, at a position."""
    # crank + coupler = frame + rocker, differentiated once and twice, resolved along the rocker and along the coupler
    angle, psi, chi = np.asarray(phi, dtype=np.float64), place.coupler, place.rocker
    a, b, c = case.crank, case.coupler, case.rocker
    sine = np.sin(psi - chi)
    psi_v = -a * phi_v * np.sin(angle - chi) / (b * sine)
    chi_v = -a * phi_v * np.sin(angle - psi) / (c * sine)
    crank_psi = a * (phi_a * np.sin(angle - psi) + phi_v**2 * np.cos(angle - psi))
    crank_chi = a * (phi_a * np.sin(angle - chi) + phi_v**2 * np.cos(angle - chi))
    psi_a = (c * chi_v**2 - crank_chi - b * psi_v**2 * np.cos(psi - chi)) / (b * sine)
    chi_a = (-b * psi_v**2 - crank_psi + c * chi_v**2 * np.cos(psi - chi)) / (c * sine)
    return np.stack([psi_v, chi_v], axis=-1), np.stack([psi_a, chi_a], axis=-1)


def parallelogram(crank: float, frame: float, phi: ArrayLike) -> Position:
    """The parallelogram (rocker = crank, coupler = frame) at any crank angle, through its dead points as well."""
    angle = np.asarray(phi, dtype=np.float64)
    A = crank * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return Position(A, A + np.array([frame, 0.0]), np.zeros_like(angle), angle)


def _angle(v: Array) -> Array:
    return np.asarray(np.arctan2(v[..., 1], v[..., 0]))
