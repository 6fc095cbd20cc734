"""The rigid body in the plane."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector, vec
from flexura.elements.element import Element
from flexura.elements.planar.link import Link
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End, Pose


class Body(Element):
    r"""Rigid body in the plane: mass, centre of mass, moment of inertia and the nodes that are fixed to it.

    ``centre`` is the vector from the node p to the centre of mass, in global axes as drawn. The kinetic energy is
    :math:`\tfrac12 m\,\dot{\mathbf r}_c\cdot\dot{\mathbf r}_c + \tfrac12 J\dot\varphi_p^2`.
    """

    p: At[End]
    mass: Annotated[float, Unit("kg", "mass"), NonNegative()]
    inertia: Annotated[float, Unit("kg·m²", "moment of inertia about the centre of mass"), NonNegative()] = 0.0
    centre: Annotated[tuple[float, float], Unit("m", "from p to the centre of mass as drawn")] = (0.0, 0.0)
    points: Annotated[tuple[str, ...], Unit("", "nodes that are fixed to the body")] = ()

    quadrature: ClassVar = 1

    def shape(self, s: float, p: End) -> Pose:
        return Pose(p.r + p.turn(vec(self.centre_x, self.centre_y)), p.phi)

    def measure(self, p: End) -> dict[str, float]:
        return dict(zip(("centre_x", "centre_y"), self.centre, strict=True))

    def companions(self, name: str) -> dict[str, Element]:
        return {f"{name}.{point}": Link(f"{name}.p", point) for point in self.points}

    def outline(self, points: int, p: End) -> list[list[Vector]]:
        centre = self.shape(0.0, p).r
        return [*([[p.r, centre]] if any(self.centre) else []), *([[centre]] if self.mass else [])]
