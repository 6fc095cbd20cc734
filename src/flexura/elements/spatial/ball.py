"""The ball on a plane."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.touches import Touch, frame_at
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, Frame, Point


class Ball(Element):
    r"""Contact of a ball q of radius r with a plane through p that moves with p.

    With :math:`\mathbf d = \mathbf r_q - \mathbf r_p` and the normal :math:`\mathbf n`, the gap is

    .. math:: \varepsilon = \mathbf n\cdot\mathbf d - r ,

    and the slips are the components, in two directions of the plane, of the velocity at which the ball slides on it:
    :math:`\dot{\mathbf d} - r\,\boldsymbol\omega_q\times\mathbf n` as seen from p. A body attached by a node does not
    rotate.
    """

    space: ClassVar = "spatial"

    p: At[Point | Frame]
    q: At[Point | Frame]
    contact: Annotated[Dry, Unit("", "contact law")]
    radius: Annotated[float, Unit("m", "radius of the ball"), NonNegative()] = 0.0
    normal: Annotated[Direction, Unit("", "normal of the plane as drawn")] = (0.0, 0.0, 1.0)
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None

    contacts: ClassVar = (Contact("gap", slips=("slide_n", "slide_b")),)

    def touches(self, p: Point | Frame, q: Point | Frame) -> list[Touch]:
        plane = frame_at(p, self)
        return [Touch(plane.t @ (q.r - p.r) - self.radius, q.r - plane.t * self.radius, (plane.n, plane.b))]

    def measure(self, p: Point | Frame, q: Point | Frame) -> dict[str, float]:
        return axis_numbers(self.normal)
