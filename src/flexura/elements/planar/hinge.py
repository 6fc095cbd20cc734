"""The planar hinge."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.joint_friction import JointFriction, PinRadius, require_radius
from flexura.elements.planar.friction_slip import CarryingPinSlip
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End


class Hinge(Element):
    r"""Relative rotation of two ends, as a torsion spring, a drive or a stop.

    .. math:: \varepsilon = \varphi_q - \varphi_p .

    Links that share a node are pinned together without this element. It makes the angle between them a signal that can
    be driven, loaded or given a stiffness. With ``friction`` it is a pin of the given ``radius`` that carries the force
    between two nodes drawn at the same place: the surfaces slide at :math:`r\dot\varepsilon`, and the normal force is
    the magnitude of that force.
    """

    p: At[End]
    q: At[End]
    k: Annotated[float, Unit("N·m/rad", "stiffness, infinite for a weld"), NonNegative(infinite=True)] = 0.0
    c: Annotated[float, Unit("N·m·s/rad", "damping"), NonNegative()] = 0.0
    friction: JointFriction = None
    radius: PinRadius = 0.0

    strains: ClassVar = ("rotation",)
    units: ClassVar = ("rad",)

    def check(self) -> None:
        require_radius("Hinge", self.friction, self.radius)

    def companions(self, name: str) -> dict[str, Element]:
        if self.friction is None:
            return {}
        return {f"{name}.friction": CarryingPinSlip(f"{name}.p", f"{name}.q", self.friction, self.radius)}

    def strain(self, p: End, q: End) -> Vector:
        return vec(q.phi - p.phi)

    def stiffness(self, length: float) -> Matrix:
        return np.array([[self.k]])

    def damping(self, length: float) -> Matrix:
        return np.array([[self.c]])

    def outline(self, points: int, p: End, q: End) -> list[list[Vector]]:
        # it acts on orientations alone: no line connects nodes that are apart
        return [[q.r]]
