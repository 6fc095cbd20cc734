"""Edge on a face."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.touches import Touch, circle
from flexura.elements.triads import Direction, axis_numbers, drawn_axes
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Frame

_ENDS = ("end_1", "end_2")


class EdgeFace(Element):
    r"""Contact of both ends of a straight edge of body q with a flat face through p that moves with p.

    With the normal n of the face, the direction :math:`\mathbf t_q` of the edge, which turns with q, and its length l,

    .. math:: g_{1,2} = \mathbf n\cdot(\mathbf r_q \pm \tfrac12 l\,\mathbf t_q - \mathbf r_p) ,

    so that an edge along the face rests on both ends, and one that is inclined on one of them. The slips are the
    velocities of the ends along two directions of the face.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    edge_length: Annotated[float, Unit("m", "length of the edge"), Positive()]
    contact: Annotated[Dry, Unit("", "contact law of each end")]
    edge: Annotated[Direction, Unit("", "direction of the edge as drawn")] = (1.0, 0.0, 0.0)
    normal: Annotated[Direction, Unit("", "normal of the face as drawn")] = (0.0, 0.0, 1.0)
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None

    contacts: ClassVar = tuple(Contact(end, slips=(f"{end}_n", f"{end}_b")) for end in _ENDS)

    def touches(self, p: Frame, q: Frame) -> list[Touch]:
        return [Touch(p.t @ (end - p.r), end, (p.n, p.b)) for end in self._ends(q)]

    def _ends(self, q: Frame) -> list[Vector]:
        half = q.turn(Vector(self.edge_x, self.edge_y, self.edge_z)) * (0.5 * self.edge_length)
        return [q.r + half, q.r - half]

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        t, _, _ = drawn_axes(self.edge)
        return axis_numbers(self.normal) | dict(zip(("edge_x", "edge_y", "edge_z"), t, strict=True))

    def outline(self, points: int, p: Frame, q: Frame) -> list[list[Vector]]:
        return [self._ends(q), circle(p.r, p.n * self.edge_length, p.b * self.edge_length, points)]
