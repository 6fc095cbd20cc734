"""Two balls."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector, atom, norm, vec
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.touches import Touch, circle, frame_at, next_pole, tangents
from flexura.elements.triads import axis_numbers
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, Frame, Point


class BallPair(Element):
    r"""Contact of two balls p and q.

    With :math:`\mathbf d = \mathbf r_q - \mathbf r_p`, :math:`\mathbf n = \mathbf d/|\mathbf d|` and the radii a of p
    and b of q, the gap and the slips, of which two components normal to n count, are

    .. math:: g = |\mathbf d| - a - b , \qquad
              \dot{\mathbf d} - b\,\boldsymbol\omega_q\times\mathbf n -
              (|\mathbf d| - b)\,\boldsymbol\omega_p\times\mathbf n .

    A body attached by a node does not rotate.
    """

    space: ClassVar = "spatial"

    p: At[Point | Frame]
    q: At[Point | Frame]
    contact: Annotated[Dry, Unit("", "contact law")]
    radius_p: Annotated[float, Unit("m", "radius a of the ball p"), Positive()]
    radius_q: Annotated[float, Unit("m", "radius b of the ball q"), NonNegative()]
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None

    contacts: ClassVar = (Contact("gap", slips=("slide_n", "slide_b")),)
    tracked: ClassVar = ("pole",)

    def touches(self, p: Point | Frame, q: Point | Frame) -> list[Touch]:
        d = q.r - p.r
        n = atom(d / norm(d))
        along = tangents(frame_at(p, self), n, self.pole)
        return [Touch(norm(d) - self.radius_p - self.radius_q, q.r - n * self.radius_q, along)]

    def track(self, p: Point | Frame, q: Point | Frame) -> Vector:
        d = q.r - p.r
        return vec(next_pole(frame_at(p, self), d / norm(d), self.pole))

    def measure(self, p: Point | Frame, q: Point | Frame) -> dict[str, float]:
        return axis_numbers(q.r - p.r) | {"pole": 1.0}

    def outline(self, points: int, p: Point | Frame, q: Point | Frame) -> list[list[Vector]]:
        frame = frame_at(p, self)
        pairs = ((frame.t, frame.n), (frame.n, frame.b), (frame.b, frame.t))
        balls = ((p.r, self.radius_p), (q.r, self.radius_q))
        return [circle(centre, a * r, b * r, points) for centre, r in balls for a, b in pairs]
