"""The planar wheel."""

from __future__ import annotations

from math import atan2
from typing import Annotated, ClassVar

from flexura.algebra import Vector, vec
from flexura.elements.element import Element
from flexura.elements.rolling import Rolling
from flexura.laws.slip_laws import Load, SlipLaw
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End


class Wheel(Element):
    r"""Wheel that rolls without slip on a plane seen from above.

    With :math:`\mathbf t_p, \mathbf n_p` along and across the wheel and the rotation :math:`\varphi_q` about its axle,

    .. math:: s_1 = \mathbf t_p\cdot\dot{\mathbf r}_p - r\,\dot\varphi_q, \quad
              s_2 = \mathbf n_p\cdot\dot{\mathbf r}_p, \quad
              s_3 = \mathbf t_p\cdot\dot{\mathbf r}_p

    [Schwab2002 (3.36)-(3.40)]. The slips along and across are held at zero, unless ``friction`` gives a slip law; the
    travel is free. For a knife edge (skate), set the radius to zero and release the slip along. ``direction`` is the
    heading of the wheel as drawn.
    """

    p: At[End]
    q: At[End]
    radius: Annotated[float, Unit("m", "radius of the wheel"), NonNegative()] = 0.0
    direction: Annotated[tuple[float, float], Unit("", "heading of the wheel as drawn")] = (1.0, 0.0)
    friction: SlipLaw | None = None
    load: Load = 0.0

    slips: ClassVar = ("along", "across", "travel")
    units: ClassVar = ("m", "m", "m")
    unconstrained: ClassVar = ("travel",)
    rolling: ClassVar = Rolling()

    def slip(self, p: End, q: End, dp: End, dq: End) -> Vector:
        travel = p.t @ dp.r
        return vec(travel - self.radius * dq.phi, p.n @ dp.r, travel)

    def outline(self, points: int, p: End, q: End) -> list[list[Vector]]:
        half = p.t * self.radius
        return [[p.r - half, p.r + half]] if self.radius else []

    def measure(self, p: End, q: End) -> dict[str, float]:
        return {"axis": atan2(self.direction[1], self.direction[0])}
