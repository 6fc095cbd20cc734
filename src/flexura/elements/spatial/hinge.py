"""The spatial hinge."""

from __future__ import annotations

from math import inf
from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.joint_friction import GuideLength, JointFriction, PinRadius, pair_pressure, require_radius
from flexura.elements.joint_motion import JointMotion
from flexura.elements.relative_rotation import bendings, rotation
from flexura.elements.spatial.friction_slip import CarryingPinSlip
from flexura.elements.triads import UNSPECIFIED, Direction, YAxis, axis_numbers
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, Frame


class Hinge(Element):
    r"""Hinge between two orientations: one large rotation and two bending strains.

    With the Euler parameters :math:`\mathbf s` of q in p, in hinge axes with x along the ``axis``
    [Schwab2002 (3.34)],

    .. math:: \varepsilon_1 = 2\arctan(s_1/s_0), \quad
              \varepsilon_2 = 2(s_0 s_2 - s_1 s_3), \quad \varepsilon_3 = 2(s_1 s_2 + s_0 s_3) .

    The rotation counts any number of revolutions; it is free, or has the stiffness ``k``. The bending strains are
    constrained, or have the stiffness ``k_bending``; with one of them released the element is a universal joint. A
    hinge acts on orientations only: its ends share a node, or other elements hold them together.

    With ``friction`` it is a pin of the given ``radius`` that carries the force between two nodes drawn at the same
    place: the surfaces slide at :math:`r\dot\varepsilon_1`. The normal force consists of the force across the axis and
    the thrust along it, and with a ``guide_length`` also of the forces by which the ends of the pin carry moments.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    axis: Annotated[Direction, Unit("", "direction of the hinge as drawn")]
    y_axis: YAxis = UNSPECIFIED
    k: Annotated[float, Unit("N·m/rad", "stiffness of the rotation"), NonNegative(infinite=True)] = 0.0
    c: Annotated[float, Unit("N·m·s/rad", "damping of the rotation"), NonNegative()] = 0.0
    k_bending: Annotated[
        float, Unit("N·m/rad", "stiffness of both bending strains; infinite for a hinge"), NonNegative(infinite=True)
    ] = inf
    friction: JointFriction = None
    radius: PinRadius = 0.0
    guide_length: GuideLength = 0.0

    draws_axis: ClassVar = True
    strains: ClassVar = ("rotation", "bending_y", "bending_z")
    units: ClassVar = ("rad", "rad", "rad")
    tracked: ClassVar = ("turned",)
    joint: ClassVar = JointMotion("rotation", turns=True)

    def check(self) -> None:
        require_radius("Hinge", self.friction, self.radius)

    def companions(self, name: str) -> dict[str, Element]:
        if self.friction is None:
            return {}
        moments = ("bending_z", 1.0), ("bending_y", -1.0)
        pressure = (*pair_pressure(("across_y", "across_z"), moments, self.guide_length), ((("axial", 1.0),),))
        axes = self.axis, self.y_axis
        pin = CarryingPinSlip(f"{name}.p", f"{name}.q", self.friction, self.radius, *axes, pressure)
        return {f"{name}.friction": pin}

    def strain(self, p: Frame, q: Frame) -> Vector:
        return vec(rotation(p, q, self.turned), *bendings(p, q))

    def track(self, p: Frame, q: Frame) -> Vector:
        return vec(rotation(p, q, self.turned))

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        return axis_numbers(self.axis, self.y_axis) | {"turned": 0.0}

    def stiffness(self, length: float) -> Matrix:
        return np.diag([self.k, self.k_bending, self.k_bending])

    def damping(self, length: float) -> Matrix:
        return np.diag([self.c, 0.0, 0.0])

    def outline(self, points: int, p: Frame, q: Frame) -> list[list[Vector]]:
        # it acts on orientations alone: no line connects nodes that are apart
        return [[q.r]]
