"""Block on a rod."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from flexura.algebra import Vector, atom, cross, norm, vec
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.touches import Touch, circle, seat, seat_numbers
from flexura.elements.triads import UNSPECIFIED, Direction, YAxis, axis_numbers
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, Frame

SIDES = ("top", "left", "bottom", "right")
"""Sides of the rod in the directions n, b, -n and -b of its axes."""
TIPS = tuple(f"{side}_{end}" for end in ("far", "near") for side in SIDES)


class Guide(Element):
    r"""Slider with clearance: a block q on a rod that moves with p, with four contacts near each end.

    The axis t of the rod passes through the drawn position of q. The rod is square with the side w, or round with the
    diameter w. Each contact is a tip that is fixed to the block: at :math:`\pm l/2` along the rod, at :math:`w/2 + c`
    from its axis, on four sides, and on a square rod at the distance ``offset`` from the middle of the side. With the
    position :math:`\mathbf c_i` of a tip relative to the rod and the direction :math:`\mathbf s_i` of its side,

    .. math:: g_i = \mathbf s_i\cdot\mathbf c_i - \tfrac12 w \quad\text{(square)}, \qquad
              g_i = |\mathbf c_i - (\mathbf t\cdot\mathbf c_i)\,\mathbf t| - \tfrac12 w \quad\text{(round)}

    are the gaps [Deck1992]. The slips are those along the rod and around it.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    width: Annotated[float, Unit("m", "side or diameter of the rod"), Positive()]
    span: Annotated[float, Unit("m", "distance between the tips at the two ends"), Positive()]
    clearance: Annotated[float, Unit("m", "clearance of each tip as drawn"), NonNegative()]
    contact: Annotated[Dry, Unit("", "contact law of each tip")]
    friction: Annotated[Friction | None, Unit("", "dry friction between tips and rod")] = None
    rod: Annotated[Literal["square", "round"], Unit("", "section of the rod")] = "square"
    offset: Annotated[float, Unit("m", "distance of the tips of a square rod from the middle of its sides")] = 0.0
    direction: Annotated[Direction, Unit("", "direction of the rod as drawn")] = (1.0, 0.0, 0.0)
    y_axis: YAxis = UNSPECIFIED

    contacts: ClassVar = tuple(Contact(tip, slips=(f"{tip}_along", f"{tip}_around")) for tip in TIPS)

    def touches(self, p: Frame, q: Frame) -> list[Touch]:
        return [self._touch(p, q, end, k) for end in (1.0, -1.0) for k in range(4)]

    def _touch(self, p: Frame, q: Frame, end: float, k: int) -> Touch:
        tip, middle = self._tip(q, end, k), seat(p, self)
        if self.rod == "round":
            aside = atom(tip - middle - p.t * (p.t @ (tip - middle)))
            far = atom(norm(aside))
            return Touch(far - 0.5 * self.width, tip, (p.t, cross(p.t, aside / far)))
        side, around = _sides(p)[k], _sides(p)[(k + 1) % 4]
        return Touch(side @ (tip - middle) - 0.5 * self.width, tip, (p.t, around))

    def _tip(self, q: Frame, end: float, k: int) -> Vector:
        room, aside = 0.5 * self.width + self.clearance, self.offset if self.rod == "square" else 0.0
        # at the top and bottom they stop the block when it turns one way, beside the rod when it turns the other way
        beside = _sides(q)[(k + 1) % 4] * (aside if k % 2 else -aside)
        return atom(q.r + q.t * (0.5 * end * self.span) + _sides(q)[k] * room + beside)

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        return axis_numbers(self.direction, self.y_axis) | seat_numbers(p, q)

    def outline(self, points: int, p: Frame, q: Frame) -> list[list[Vector]]:
        at, half = 0.5 * self.span, 0.5 * self.width
        rod = [circle(seat(p, self) + p.t * s, p.n * half, p.b * half, points) for s in (-at, at)]
        return [*rod, *([self._tip(q, end, k % 4) for k in range(5)] for end in (1.0, -1.0))]


def _sides(frame: Frame) -> tuple[Vector, Vector, Vector, Vector]:
    return frame.n, frame.b, vec(0.0, 0.0, 0.0) - frame.n, vec(0.0, 0.0, 0.0) - frame.b
