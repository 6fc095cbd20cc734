"""Contact of a point with a line, a slot, a circle or a ring."""

from __future__ import annotations

from math import atan2
from typing import Annotated, Any, ClassVar, Literal

from flexura.algebra import Vector, vec
from flexura.elements.contact_geometry import ahead, frame_of, surface_distance, turned
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.outlines import round_at, walls_at
from flexura.errors import ModelError
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End, Point


class PointContact(Element):
    r"""Contact of a disc q of radius r with a line, slot, circle or ring that moves with p.

    With :math:`\mathbf d = \mathbf r_q - \mathbf r_p`, the ``normal`` :math:`\mathbf n_p` and the ``size`` b,

    .. math:: \varepsilon = \mathbf n_p\cdot\mathbf d - r, \quad
              b - r - |\mathbf n_p\cdot\mathbf d|, \quad |\mathbf d| - b - r, \quad b - r - |\mathbf d|

    is the gap for a line through p, the two sides of a slot, the outside of a circle and the inside of a ring. The
    slip is the velocity at which the surfaces slide on each other.
    """

    p: At[Point | End]
    q: At[Point | End]
    contact: Annotated[Dry, Unit("", "contact law")]
    against: Annotated[Literal["line", "slot", "circle", "ring"], Unit("", "kind of surface")] = "line"
    normal: Annotated[tuple[float, float], Unit("", "normal towards q, or across the slot, as drawn")] = (0.0, 1.0)
    size: Annotated[float, Unit("m", "half the width of the slot, radius of circle or ring"), NonNegative()] = 0.0
    radius: Annotated[float, Unit("m", "radius of the disc"), NonNegative()] = 0.0
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None

    contacts: ClassVar = (Contact("gap", slips=("slide",)),)

    def gap(self, p: Point | End, q: Point | End) -> Vector:
        return vec(self._surface(p, q)[0] - self.radius)

    def slide(self, p: Point | End, q: Point | End, dp: Point | End, dq: Point | End) -> Vector:
        (_, n), d, turning = self._surface(p, q), q.r - p.r, turned(dp)
        return vec(ahead(n) @ (dq.r - dp.r) - turning * (n @ d) - self.radius * (turned(dq) - turning))

    def _surface(self, p: Point | End, q: Point | End) -> tuple[Any, Vector]:
        return surface_distance(self.against, self.size, frame_of(p, self.axis).t, q.r - p.r)

    def measure(self, p: Point | End, q: Point | End) -> dict[str, float]:
        return {"axis": atan2(self.normal[1], self.normal[0])}

    def outline(self, points: int, p: Point | End, q: Point | End) -> list[list[Vector]]:
        disc = [round_at(q.r, self.radius, q.r - p.r, points)] if self.radius else []
        if self.against in {"circle", "ring"}:
            return [round_at(p.r, self.size, q.r - p.r, points), *disc]
        heights = (0.0,) if self.against == "line" else (-self.size, self.size)
        return walls_at(p.r, q.r, frame_of(p, self.axis).t, heights, 3.0 * self.radius + 0.5 * self.length) + disc

    def check(self) -> None:
        if not any(self.normal):
            raise ModelError("PointContact.normal", "the direction has zero length", "give a vector such as (0, 1)")
        if self.against in {"slot", "ring"} and self.size <= self.radius:
            what = f"a disc of radius {self.radius:g} m does not fit into a {self.against} of size {self.size:g} m"
            raise ModelError("PointContact.size", what, "make the size larger than the radius")
        if self.against == "circle" and self.size + self.radius == 0.0:
            raise ModelError("PointContact.size", "a point does not meet a circle of radius zero", "give it a radius")
