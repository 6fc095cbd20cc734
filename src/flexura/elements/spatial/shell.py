"""The triangular thin shell."""

from __future__ import annotations

from math import sqrt as root
from typing import Annotated, Any, ClassVar

import numpy as np

from flexura.algebra import Vector, atom, cross, norm, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.plate_stiffness import bending_stiffness, membrane_stiffness
from flexura.elements.triads import axis_numbers
from flexura.errors import ModelError
from flexura.laws.materials import Material
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Frame
from flexura.rotations import own_spin

_DRILLING = 1e-3
"""Stiffness of drilling rotations as a part of that of in-plane shear."""

_MIDDLE, _SKEW = 1.0 / root(24.0), 1.0 / root(72.0)
"""Factors of the curve whose mass has the mean and the second moments of the triangle."""


class Shell(Element):
    r"""Thin triangular plate or shell with three nodes, plane as drawn: membrane, bending and drilling strains.

    With the sides of lengths :math:`\ell_k`, the unit vectors :math:`\mathbf E_1` along the first side,
    :math:`\mathbf E_3` normal to the plane of the three nodes, :math:`\mathbf E_2` across, and the axes
    :math:`\mathbf t_i, \mathbf n_i, \mathbf b_i` of node i,

    .. math:: \varepsilon_k = \ell_k' - \ell_k, \qquad \vartheta_{x,i} = -\mathbf b_i\cdot\mathbf E_2, \qquad
              \vartheta_{y,i} = \mathbf b_i\cdot\mathbf E_1, \qquad
              \vartheta_{z,i} = \mathbf t_i\cdot\mathbf E_2 - \vartheta_0

    where :math:`\vartheta_0` is the mean rotation of the triangle from its first side. The membrane strain is constant;
    bending is that of the discrete Kirchhoff triangle [Batoz1980]. The drilling rotations have a thousandth of the
    stiffness of in-plane shear, so that a flat plate does not turn freely about its normals and other elements can
    be attached to its nodes; a rigid rotation and a constant strain do not stretch it.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    r: At[Frame]
    thickness: Annotated[float, Unit("m", "thickness"), Positive()]
    material: Material

    strains: ClassVar = (
        "side_pq", "side_qr", "side_rp", "turn_x_p", "turn_y_p", "turn_x_q", "turn_y_q", "turn_x_r", "turn_y_r",
        "drilling_p", "drilling_q", "drilling_r",
    )  # fmt: skip
    units: ClassVar = ("m",) * 3 + ("rad",) * 9
    quadrature: ClassVar = 3

    def strain(self, p: Frame, q: Frame, r: Frame) -> Vector:
        sides = (q.r - p.r, r.r - q.r, p.r - r.r)
        lengths = [atom(norm(side)) for side in sides]
        first = atom(sides[0] / lengths[0])
        across = cross(first, r.r - p.r)
        height = atom(norm(across))
        third = atom(across / height)
        second = atom(cross(third, first))
        # the mean rotation of the triangle, from its first side
        x = atom(first @ (r.r - p.r))
        mean = atom((self.X3 * lengths[0] / self.X2 - x) / (2 * self.Y3))
        found = [long - drawn for long, drawn in zip(lengths, (self.X2, self.side_q, self.side_r), strict=True)]
        for node in (p, q, r):
            found += [-(node.b @ second), node.b @ first]
        return vec(*found, *(node.t @ second - mean for node in (p, q, r)))

    def shape(self, s: float, p: Frame, q: Frame, r: Frame) -> Vector:
        one, two = root(3.0) * (2.0 * s - 1.0), root(5.0) * (6.0 * s * (s - 1.0) + 1.0)
        at_p, at_q = (1.0 / 3.0 + sign * _MIDDLE * one + _SKEW * two for sign in (1.0, -1.0))
        return p.r * at_p + q.r * at_q + r.r * (1.0 / 3.0 - 2.0 * _SKEW * two)

    def spins(self, *given: Any) -> tuple[Vector, list[list[Any]]]:
        spun = [own_spin(node.turned, rate.turned) for node, rate in zip(given[:3], given[3:], strict=True)]
        return vec(*(w for spin in spun for w in spin)), [
            [self.rotary if i == j else 0.0 for j in range(9)] for i in range(9)
        ]

    def measure(self, p: Frame, q: Frame, r: Frame) -> dict[str, Any]:
        at = [np.array([float(c) for c in node.r]) for node in (p, q, r)]
        long, arm = np.linalg.norm(at[1] - at[0]), at[2] - at[0]
        if long == 0.0 or np.linalg.norm(np.cross(at[1] - at[0], arm)) < 1e-9 * long**2:
            raise ModelError("", "its three nodes are on one line", "move one of them")
        along = (at[1] - at[0]) / long
        x, y = float(along @ arm), float(np.linalg.norm(np.cross(along, arm)))
        mass = self.material.rho * self.thickness * 0.5 * float(long) * y
        sides = {"side_q": float(np.linalg.norm(at[2] - at[1])), "side_r": float(np.linalg.norm(arm))}
        drawn = {"X2": float(long), "X3": x, "Y3": y, "mass": mass, "rotary": mass * self.thickness**2 / 36.0}
        return axis_numbers(along, tuple((arm - x * along).tolist())) | drawn | sides

    def stiffness(self, length: float) -> Matrix:
        e, nu, t = self.material.E, self.material.nu, self.thickness
        plane = e / (1.0 - nu**2) * np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, 0.5 * (1.0 - nu)]])
        corners = np.array([[0.0, 0.0], [self.X2, 0.0], [self.X3, self.Y3]])
        matrix = np.zeros((12, 12))
        matrix[:3, :3] = membrane_stiffness(corners, plane * t)
        matrix[3:9, 3:9] = bending_stiffness(corners, plane * t**3 / 12.0)
        area = 0.5 * self.X2 * self.Y3
        matrix[9:, 9:] = np.eye(3) * _DRILLING * self.material.shear_modulus * t * area / 3.0
        return matrix

    def damping(self, length: float) -> Matrix:
        return self.material.damping * self.stiffness(length)

    def outline(self, points: int, p: Frame, q: Frame, r: Frame) -> list[list[Vector]]:
        return [[p.r, q.r, r.r, p.r]]
