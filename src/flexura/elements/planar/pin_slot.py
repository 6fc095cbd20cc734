"""Pin in a slot."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from flexura.algebra import Vector, vec
from flexura.elements.contact_geometry import frame_of, turned
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.outlines import round_at
from flexura.errors import ModelError
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, End, Point


class PinSlot(Element):
    r"""Round pin q of radius r in a slot with two sides and two flat ends, which moves with p.

    With :math:`\mathbf d = \mathbf r_q - \mathbf r_p`, the axes :math:`\mathbf t_p` along and :math:`\mathbf n_p`
    across the slot, its length l and its width w between the walls, the gaps are

    .. math:: g_{1,2} = \tfrac12 w - r \mp \mathbf n_p\cdot\mathbf d, \quad
              g_{3,4} = \tfrac12 l - r \mp \mathbf t_p\cdot\mathbf d

    at the left and the right side, and at the far and the near end. The slips are the velocities of the pin's surface
    along the walls, positive along :math:`\mathbf t_p` at the sides and along :math:`\mathbf n_p` at the ends.
    """

    p: At[Point | End]
    q: At[Point | End]
    slot_length: Annotated[float, Unit("m", "length of the slot between its ends"), Positive()]
    slot_width: Annotated[float, Unit("m", "width of the slot between its sides"), Positive()]
    sides: Annotated[Dry, Unit("", "contact law at the sides")]
    ends: Annotated[Dry, Unit("", "contact law at the ends")]
    radius: Annotated[float, Unit("m", "radius of the pin"), NonNegative()] = 0.0
    friction: Annotated[Friction | None, Unit("", "dry friction at the sides")] = None
    end_friction: Annotated[Friction | None, Unit("", "dry friction at the ends")] = None
    angle: Annotated[float, Unit("rad", "direction of the slot as drawn")] = 0.0

    contacts: ClassVar = (
        Contact("left", slips=("slide_left",), law="sides"),
        Contact("right", slips=("slide_right",), law="sides"),
        Contact("far", slips=("slide_far",), law="ends", friction="end_friction"),
        Contact("near", slips=("slide_near",), law="ends", friction="end_friction"),
    )

    def gap(self, p: Point | End, q: Point | End) -> Vector:
        x, y = self._place(p, q)
        aside, ahead = 0.5 * self.slot_width - self.radius, 0.5 * self.slot_length - self.radius
        return vec(aside - y, aside + y, ahead - x, ahead + x)

    def slide(self, p: Point | End, q: Point | End, dp: Point | End, dq: Point | End) -> Vector:
        frame, (x, y), turning = frame_of(p, self.axis), self._place(p, q), turned(dp)
        # the centre of the pin as seen from the slot, and the rotation of the pin in it
        along, across = frame.t @ (dq.r - dp.r) + turning * y, frame.n @ (dq.r - dp.r) - turning * x
        rolling = self.radius * (turned(dq) - turning)
        return vec(along - rolling, along + rolling, across + rolling, across - rolling)

    def _place(self, p: Point | End, q: Point | End) -> tuple[Any, Any]:
        frame, d = frame_of(p, self.axis), q.r - p.r
        return frame.t @ d, frame.n @ d

    def outline(self, points: int, p: Point | End, q: Point | End) -> list[list[Vector]]:
        frame, x, y = frame_of(p, self.axis), 0.5 * self.slot_length, 0.5 * self.slot_width
        slot = [p.r + (i * x) * frame.t + (k * y) * frame.n for i, k in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
        return [slot, *([round_at(q.r, self.radius, frame.t, points)] if self.radius else [[q.r]])]

    def measure(self, p: Point | End, q: Point | End) -> dict[str, float]:
        return {"axis": self.angle}

    def check(self) -> None:
        room = min(self.slot_width, self.slot_length)
        if 2.0 * self.radius >= room:
            what = f"a pin of radius {self.radius:g} m has no clearance in a slot of {room:g} m"
            raise ModelError("PinSlot.radius", what, "make the radius less than half of length and width")
