"""Ball and cylinder."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector, atom, cross
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.touches import Touch, circle, frame_at, length
from flexura.elements.triads import Direction, axis_numbers
from flexura.errors import ModelError
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, Frame, Point


class BallCylinder(Element):
    r"""Contact of a ball q of radius r with a long cylinder that moves with p, from outside or ``inside``.

    With the axis t of the cylinder, its radius b and the distance :math:`\rho = |\mathbf d - (\mathbf t\cdot\mathbf
    d)\,\mathbf t|` of the ball's centre from the axis, :math:`\mathbf d = \mathbf r_q - \mathbf r_p`, the gap is

    .. math:: g = \rho - b - r \quad\text{(outside)}, \qquad g = b - r - \rho \quad\text{(inside)},

    and the slips are those along the cylinder and around it. A body attached by a node does not rotate.
    """

    space: ClassVar = "spatial"

    p: At[Point | Frame]
    q: At[Point | Frame]
    cylinder_radius: Annotated[float, Unit("m", "radius of the cylinder"), Positive()]
    contact: Annotated[Dry, Unit("", "contact law")]
    radius: Annotated[float, Unit("m", "radius of the ball"), NonNegative()] = 0.0
    inside: Annotated[bool, Unit("", "true if the ball is inside the cylinder")] = False
    direction: Annotated[Direction, Unit("", "axis of the cylinder as drawn")] = (1.0, 0.0, 0.0)
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None

    contacts: ClassVar = (Contact("gap", slips=("along", "around")),)

    def touches(self, p: Point | Frame, q: Point | Frame) -> list[Touch]:
        frame, d = frame_at(p, self), q.r - p.r
        aside = atom(d - frame.t * (frame.t @ d))
        far = length(aside, 1e-9 * self.cylinder_radius)
        u, out = aside / far, -1.0 if self.inside else 1.0
        gap = out * (far - self.cylinder_radius) - self.radius
        return [Touch(gap, q.r - u * (out * self.radius), (frame.t, cross(frame.t, u)))]

    def measure(self, p: Point | Frame, q: Point | Frame) -> dict[str, float]:
        return axis_numbers(self.direction)

    def outline(self, points: int, p: Point | Frame, q: Point | Frame) -> list[list[Vector]]:
        frame, b, r = frame_at(p, self), self.cylinder_radius, self.radius
        ends = (p.r + frame.t * b, p.r - frame.t * b)
        rims = [circle(end, frame.n * b, frame.b * b, points) for end in ends]
        pairs = ((frame.t, frame.n), (frame.n, frame.b))
        return rims + [circle(q.r, a * r, c * r, points) for a, c in pairs]

    def check(self) -> None:
        if self.inside and self.radius >= self.cylinder_radius:
            what = f"a ball of radius {self.radius:g} m does not fit into a bore of {self.cylinder_radius:g} m"
            raise ModelError("BallCylinder.radius", what, "make it smaller than cylinder_radius")
