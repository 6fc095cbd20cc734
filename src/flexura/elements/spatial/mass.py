"""The lumped mass in space."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector
from flexura.elements.element import Element
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, Point


class Mass(Element):
    r"""Point mass; use a :class:`Body` for rotary inertia.

    Its kinetic energy is :math:`\tfrac12 m\,\dot{\mathbf r}\cdot\dot{\mathbf r}`.
    """

    space: ClassVar = "spatial"

    p: At[Point]
    mass: Annotated[float, Unit("kg", "mass"), NonNegative()]

    quadrature: ClassVar = 1

    def shape(self, s: float, p: Point) -> Vector:
        return p.r
