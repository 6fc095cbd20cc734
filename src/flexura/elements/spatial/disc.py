"""The disc of a rotor."""

from __future__ import annotations

from math import cos as cosine
from math import pi
from math import sin as sine
from typing import Annotated, Any, ClassVar

from flexura.algebra import Vector
from flexura.elements.element import Element
from flexura.elements.triads import UNSPECIFIED, Direction, YAxis, axis_numbers
from flexura.errors import ModelError
from flexura.laws.materials import Material
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, Frame
from flexura.rotations import own_spin


class Disc(Element):
    r"""Rigid disc on a shaft, with gyroscopic effect and unbalance.

    With the diameters :math:`D` and :math:`d` (of the bore), the width :math:`w` and the mass :math:`m`, the moments of
    inertia about the ``axis`` and about a diameter are

    .. math:: J_p = \tfrac18 m(D^2 + d^2), \quad J_d = \tfrac1{16} m(D^2 + d^2) + \tfrac1{12} m w^2 .

    The centre of mass is at the distance :math:`U/m` from the axis, where :math:`U` is the ``unbalance``, in the
    direction of ``y_axis`` turned about the axis by the ``phase``.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    diameter: Annotated[float, Unit("m", "outer diameter"), Positive()]
    width: Annotated[float, Unit("m", "width along the axis"), Positive()]
    material: Material
    bore: Annotated[float, Unit("m", "inner diameter"), NonNegative()] = 0.0
    axis: Annotated[Direction, Unit("", "direction of the axis as drawn")] = (1.0, 0.0, 0.0)
    y_axis: YAxis = UNSPECIFIED
    unbalance: Annotated[float, Unit("kg·m", "mass times its distance from the axis"), NonNegative()] = 0.0
    phase: Annotated[float, Unit("rad", "angle of the unbalance from the y axis about the axis of the disc")] = 0.0

    line_width: ClassVar = 0.6
    quadrature: ClassVar = 1

    def check(self) -> None:
        if self.bore >= self.diameter:
            what = f"the bore of {self.bore:g} m is not smaller than the diameter of {self.diameter:g} m"
            raise ModelError("Disc.bore", what, "give the inner diameter")

    def shape(self, s: float, p: Frame) -> Vector:
        return p.r + self.centre_y * p.n + self.centre_z * p.b

    def spins(self, p: Frame, dp: Frame) -> tuple[Vector, list[list[Any]]]:
        J = self.polar, self.diametral, self.diametral
        return own_spin(p.turned, dp.turned), [[J[i] if i == k else 0.0 for k in range(3)] for i in range(3)]

    def measure(self, p: Frame) -> dict[str, float]:
        D2, d2 = self.diameter**2, self.bore**2
        mass = self.material.rho * self.width * pi / 4.0 * (D2 - d2)
        polar, offset = mass * (D2 + d2) / 8.0, self.unbalance / mass if mass else 0.0
        centre = {"centre_y": offset * cosine(self.phase), "centre_z": offset * sine(self.phase)}
        inertia = {"mass": mass, "polar": polar, "diametral": polar / 2.0 + mass * self.width**2 / 12.0}
        return axis_numbers(self.axis, self.y_axis) | inertia | centre

    def outline(self, points: int, p: Frame) -> list[list[Vector]]:
        angles = [2.0 * pi * i / 24 for i in range(25)]
        rims = []
        for side in (-0.5, 0.5):
            middle, r = p.r + side * self.width * p.t, self.diameter / 2.0
            rims.append([middle + (r * cosine(a)) * p.n + (r * sine(a)) * p.b for a in angles])
        return [*rims, [rims[0][0], rims[1][0]], [rims[0][12], rims[1][12]]]
