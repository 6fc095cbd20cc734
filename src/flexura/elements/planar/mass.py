"""The lumped mass."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector
from flexura.elements.element import Element
from flexura.errors import ModelError
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End, Point, Pose


class Mass(Element):
    r"""Point mass; attached to an end it may also have rotary inertia.

    Its kinetic energy is :math:`\tfrac12 m\,\dot{\mathbf r}\cdot\dot{\mathbf r} + \tfrac12 J\dot\varphi^2`.
    """

    p: At[Point | End]
    mass: Annotated[float, Unit("kg", "mass"), NonNegative()]
    inertia: Annotated[float, Unit("kg·m²", "rotary inertia"), NonNegative()] = 0.0

    quadrature: ClassVar = 1

    def shape(self, s: float, p: Point | End) -> Vector | Pose:
        return Pose(p.r, p.phi) if isinstance(p, End) else p.r

    def measure(self, p: Point | End) -> dict[str, float]:
        if self.inertia and not isinstance(p, End):
            what = "a rotary inertia needs an orientation, and a node has none"
            raise ModelError("inertia", what, "attach the mass to an end such as 'crank.q'")
        return {}
