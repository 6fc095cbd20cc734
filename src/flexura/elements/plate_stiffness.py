"""Stiffness of a flat triangle: constant membrane strain, and bending of the discrete Kirchhoff triangle.

The rotations β of the normals are quadratic over the triangle, and follow the slopes of the deflection at the corners
and, along each side, at its middle [Batoz1980].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def membrane_stiffness(corners: Matrix, moduli: Matrix) -> Matrix:
    """Stiffness of the elongations of the sides pq, qr, rp."""
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    c, s = (sides / lengths[:, None]).T
    strains = np.linalg.inv(np.array([c * c, s * s, c * s]).T) / lengths
    return np.asarray(_area(corners) * strains.T @ moduli @ strains)


def bending_stiffness(corners: Matrix, moduli: Matrix) -> Matrix:
    """Stiffness of the rotations about x and y of the corners, from the plane through them."""
    total = np.zeros((6, 6))
    for middle in np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5]]):
        curvature = _curvature(corners, middle)
        total += _area(corners) / 3.0 * curvature.T @ moduli @ curvature
    return total


def _area(corners: Matrix) -> float:
    a, b = corners[1] - corners[0], corners[2] - corners[0]
    return float(0.5 * (a[0] * b[1] - a[1] * b[0]))


def _curvature(corners: Matrix, at: Matrix) -> Matrix:
    """κ_x, κ_y, κ_xy at area coordinates, by the rotations of the corners."""
    # slopes of the area coordinates, and of the six quadratic functions: corners, then middles of qr, rp, pq
    ahead, behind = np.roll(corners, -1, axis=0), np.roll(corners, -2, axis=0)
    slope = np.array([ahead[:, 1] - behind[:, 1], behind[:, 0] - ahead[:, 0]]) / (2.0 * _area(corners))
    own = (4.0 * at - 1.0) * slope
    after, before = np.roll(at, -1), np.roll(at, -2)
    mixed = 4.0 * (after * np.roll(slope, -2, axis=1) + before * np.roll(slope, -1, axis=1))
    x, y = (ahead - behind).T
    square = x * x + y * y
    b, c, e = 0.75 * x * y / square, (0.25 * x * x - 0.5 * y * y) / square, (0.25 * y * y - 0.5 * x * x) / square
    found = np.zeros((3, 6))
    for i in range(3):
        one, two = (i + 1) % 3, (i + 2) % 3
        near, far = mixed[:, one], mixed[:, two]
        beta_x = np.array([b[one] * near + b[two] * far, own[:, i] - c[one] * near - c[two] * far])
        beta_y = np.array([-own[:, i] + e[one] * near + e[two] * far, -beta_x[0]])
        for k in range(2):
            found[:, 2 * i + k] = beta_x[k, 0], beta_y[k, 1], beta_x[k, 1] + beta_y[k, 0]
    return found
