"""The sliding of a planar joint with friction, and the forces that it transmits."""

from __future__ import annotations

from math import atan2
from typing import Annotated, ClassVar

from flexura.algebra import Vector, vec
from flexura.elements.element import Element
from flexura.elements.joint_friction import joint_grip
from flexura.laws.friction import Friction
from flexura.laws.grip import Grip, Pressure
from flexura.laws.units import Unit
from flexura.nodes import At, End


class PinSlip(Element):
    r"""Surface of a pin of radius r in its hole: slip :math:`r(\dot\varphi_q - \dot\varphi_p)`."""

    internal: ClassVar = True

    p: At[End]
    q: At[End]
    friction: Annotated[Friction, Unit("")]
    radius: Annotated[float, Unit("m")]
    pressure: Annotated[Pressure, Unit("")]

    slips: ClassVar = ("slide",)
    unconstrained: ClassVar = ("slide",)

    def slip(self, p: End, q: End, dp: End, dq: End) -> Vector:
        return vec(self.radius * (dq.phi - dp.phi))

    def joint_grips(self) -> tuple[Grip, ...]:
        return (joint_grip(self.friction, self.pressure),)


class CarryingPinSlip(Element):
    r"""Pin that carries the force between two nodes at one place, with the slip of its surface."""

    internal: ClassVar = True
    apart: ClassVar = True

    p: At[End]
    q: At[End]
    friction: Annotated[Friction, Unit("")]
    radius: Annotated[float, Unit("m")]

    strains: ClassVar = ("along", "across")
    slips: ClassVar = ("slide",)
    unconstrained: ClassVar = ("slide",)

    def strain(self, p: End, q: End) -> Vector:
        d = q.r - p.r
        return vec(p.t @ d - self.drawn_along, p.n @ d - self.drawn_across)

    def slip(self, p: End, q: End, dp: End, dq: End) -> Vector:
        return vec(self.radius * (dq.phi - dp.phi))

    def measure(self, p: End, q: End) -> dict[str, float]:
        d = q.r - p.r
        return {"axis": 0.0, "drawn_along": float(d[0]), "drawn_across": float(d[1])}

    def joint_grips(self) -> tuple[Grip, ...]:
        return (joint_grip(self.friction, (((("along", 1.0),), (("across", 1.0),)),)),)


class GuideSlip(Element):
    r"""Travel of q on a guide that is fixed to p."""

    internal: ClassVar = True

    p: At[End]
    q: At[End]
    friction: Annotated[Friction, Unit("")]
    direction: Annotated[tuple[float, float], Unit("")]
    pressure: Annotated[Pressure, Unit("")]

    slips: ClassVar = ("slide",)
    unconstrained: ClassVar = ("slide",)

    def slip(self, p: End, q: End, dp: End, dq: End) -> Vector:
        return vec(p.t @ (dq.r - dp.r) + dp.phi * (p.n @ (q.r - p.r)))

    def measure(self, p: End, q: End) -> dict[str, float]:
        return {"axis": atan2(self.direction[1], self.direction[0]) if any(self.direction) else p.axis}

    def joint_grips(self) -> tuple[Grip, ...]:
        return (joint_grip(self.friction, self.pressure),)
