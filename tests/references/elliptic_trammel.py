"""Cardan circles: a point of a pinion that rolls in an annulus of twice its size describes an ellipse.

The annulus (pitch radius 2r) is fixed with its centre at the origin. The crank carries the pinion's centre on a circle
of radius r, from below, counter-clockwise by ψ = ωt; the pinion turns by −ψ. A point at the distance e r from the
pinion's centre, below it at the start, moves on the ellipse [Schwab2002 (4.17)]; a point of the rim (e = 1) on a line.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def path(radius: float, eccentricity: float, psi: ArrayLike) -> Array:
    """The point at crank angle ψ (x, y on the last axis), [Schwab2002 (4.17)]."""
    angle = np.asarray(psi, dtype=np.float64)
    x = (1.0 - eccentricity) * radius * np.sin(angle)
    y = -(1.0 + eccentricity) * radius * np.cos(angle)
    return np.stack([x, y], axis=-1)


def velocity(radius: float, eccentricity: float, psi: ArrayLike, speed: float) -> Array:
    """Its velocity when the crank turns at a constant speed."""
    angle = np.asarray(psi, dtype=np.float64)
    x = (1.0 - eccentricity) * radius * speed * np.cos(angle)
    y = (1.0 + eccentricity) * radius * speed * np.sin(angle)
    return np.stack([x, y], axis=-1)


def acceleration(radius: float, eccentricity: float, psi: ArrayLike, speed: float) -> Array:
    """Its acceleration when the crank turns at a constant speed."""
    return -(speed**2) * path(radius, eccentricity, psi)


def pinion_centre(radius: float, psi: ArrayLike) -> Array:
    """The end of the crank at crank angle ψ."""
    return path(radius, 0.0, psi)


def pinion_rotation(psi: ArrayLike) -> Array:
    """The rotation of the pinion from the drawn position."""
    return -np.asarray(psi, dtype=np.float64)
