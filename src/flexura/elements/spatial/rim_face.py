"""Round edge on a face."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector, atom, cross
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.touches import Touch, circle, length
from flexura.elements.triads import Direction, axis_numbers, drawn_axes
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Frame

_PARALLEL = 1e-7
"""Angle between rim and face, rad, below which they touch nearer to the middle than to the rim."""


class RimFace(Element):
    r"""Contact of a round edge of body q, as of a disc or a pin, with a flat face through p that moves with p.

    With the normal n of the face, the axis :math:`\mathbf m` of the rim, which turns with q, and its radius r,

    .. math:: g = \mathbf n\cdot(\mathbf r_q - \mathbf r_p) - r\,|\mathbf n\times\mathbf m| ,

    and the slips are the velocities, along two directions of the face, of the lowest point of the rim.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    radius: Annotated[float, Unit("m", "radius of the rim"), Positive()]
    contact: Annotated[Dry, Unit("", "contact law")]
    axis: Annotated[Direction, Unit("", "axis of the rim as drawn")] = (1.0, 0.0, 0.0)
    normal: Annotated[Direction, Unit("", "normal of the face as drawn")] = (0.0, 0.0, 1.0)
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None

    contacts: ClassVar = (Contact("gap", slips=("slide_n", "slide_b")),)

    def touches(self, p: Frame, q: Frame) -> list[Touch]:
        m = self._axis(q)
        lean = atom(p.t - m * (p.t @ m))
        steep = atom(length(lean, _PARALLEL))
        gap = p.t @ (q.r - p.r) - self.radius * steep
        return [Touch(gap, q.r - lean * (self.radius / steep), (p.n, p.b))]

    def _axis(self, q: Frame) -> Vector:
        return q.turn(Vector(self.rim_x, self.rim_y, self.rim_z))

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        m, first, _ = drawn_axes(self.axis)
        numbers = dict(zip(("rim_x", "rim_y", "rim_z", "side_x", "side_y", "side_z"), (*m, *first), strict=True))
        return axis_numbers(self.normal) | numbers

    def outline(self, points: int, p: Frame, q: Frame) -> list[list[Vector]]:
        m, first = self._axis(q), q.turn(Vector(self.side_x, self.side_y, self.side_z)) * self.radius
        return [circle(q.r, first, cross(m, first), points)]
