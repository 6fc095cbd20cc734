"""Rigid motions of the plane and of space, independent of the formulas of the elements.

Turning at the rates w changes vectors as ṙ = W r and Euler parameters as ė = ½ Q e, with the matrices W of w × and Q of
the quaternion product with w [Schwab2002 (B.16)]; both are integrated in closed form.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexura.battery.specimen import Array, Specimen
from flexura.nodes import Point, SpatialPoint

AHEAD, ASIDE = np.array([0.9, -1.7, 2.6]), np.array([0.4, -1.1, 0.6])
"""A turn of about half a revolution, and a shift; a plane has the last and the first two of them."""


@dataclass(frozen=True)
class Rigid:
    """Rotation about the origin, by a rotation vector (one number in the plane), and a translation."""

    turn: Array
    shift: Array

    def part(self, fraction: float) -> Rigid:
        """Fraction of the motion."""
        return Rigid(fraction * self.turn, fraction * self.shift)

    @property
    def vectors(self) -> Array:
        """Rotation matrix of vectors: I + sin ϑ W + (1 - cos ϑ) W² for the rates w of unit length."""
        angle, axis = self._angle
        w = _about(axis)
        matrix: Array = np.eye(len(w)) + np.sin(angle) * w + (1.0 - np.cos(angle)) * w @ w
        return matrix

    @property
    def parameters(self) -> Array:
        """Rotation matrix of Euler parameters, by half the angle: Q² = -I."""
        angle, axis = self._angle
        matrix: Array = np.cos(angle / 2) * np.eye(4) + np.sin(angle / 2) * _product(axis)
        return matrix

    @property
    def _angle(self) -> tuple[float, Array]:
        angle = float(np.linalg.norm(self.turn))
        return angle, self.turn / angle if angle else self.turn

    def position(self, specimen: Specimen, x: Array) -> Array:
        """Coordinates of a moved element."""
        moved = self.direction(specimen, x)
        for turns, places in specimen.blocks:
            if not turns:
                moved[places] += self.shift
            elif len(places) == 1:
                moved[places] += self.turn
        return moved

    def direction(self, specimen: Specimen, rates: Array) -> Array:
        """Rotated rates of the coordinates, or forces on them."""
        turned = np.array(rates, dtype=float)
        for turns, places in specimen.blocks:
            if not turns:
                turned[places] = self.vectors @ rates[places]
            elif len(places) == 4:
                turned[places] = self.parameters @ rates[places]
        return turned

    def rates(self, specimen: Specimen, x: Array) -> Array:
        """Rates of the coordinates, with the rotation as an angular velocity and the translation as a velocity."""
        found = np.zeros(x.size)
        for turns, places in specimen.blocks:
            if not turns:
                found[places] = self.shift + _about(self.turn) @ x[places]
            else:
                found[places] = self.turn if len(places) == 1 else 0.5 * _product(self.turn) @ x[places]
        return found


def rigid(specimen: Specimen, turn: Array, shift: Array) -> Rigid:
    """Rigid motion in the space of the element; in the plane of one rotation and two translations."""
    plane = specimen.dimension == 2
    return Rigid(turn[2:], shift[:2]) if plane else Rigid(turn, shift)


def common(specimen: Specimen) -> Rigid:
    """Motion of both bodies of a contact, without rotation if one of them is a node, which does not rotate."""
    turns = not {Point, SpatialPoint} & set(specimen.node_kinds) or not specimen.element.contacts
    return rigid(specimen, AHEAD if turns else np.zeros(3), ASIDE)


def axes(specimen: Specimen) -> list[Rigid]:
    """Unit rotations about each axis."""
    still = np.zeros(specimen.dimension)
    return [Rigid(unit, still) for unit in np.eye(1 if specimen.dimension == 2 else 3)]


def _about(w: Array) -> Array:
    """W: the matrix of w ×."""
    if len(w) == 1:
        return np.array([[0.0, -w[0]], [w[0], 0.0]])
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def _product(w: Array) -> Array:
    """Q: the matrix of the quaternion product with (0, w)."""
    matrix = np.zeros((4, 4))
    matrix[0, 1:], matrix[1:, 0] = -w, w
    matrix[1:, 1:] = _about(w)
    return matrix
