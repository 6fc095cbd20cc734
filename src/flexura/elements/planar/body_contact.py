"""Two planar bodies that meet."""

from __future__ import annotations

from typing import Annotated, Any

from flexura.algebra import Vector, vec
from flexura.elements.element import Element
from flexura.elements.outlines import Outline, cone_of, refuse_outline, refuse_points, round_at
from flexura.elements.planar.corner_contact import CornerContact
from flexura.elements.planar.point_contact import PointContact
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End, Point

Corners = Annotated[
    Outline, Unit("m", "corners relative to the node as drawn, anticlockwise: one for a point or disc, two for a line")
]
Radius = Annotated[float, Unit("m", "radius of a disc, or of a line with round ends"), NonNegative()]


class BodyContact(Element):
    r"""Contact of two bodies in the plane: points, discs, lines with round ends and convex polygons.

    Each corner of one body can touch the outline of the other, and has a gap and a slip of its own, named after it:
    ``hit.q1.gap`` is that of the first corner of q, ``hit.p2.slide`` the slip of the second corner of p; two discs have
    one gap, ``hit.q1.gap``. With the place :math:`\mathbf u` of the corner in axes that turn with the other body, whose
    edges are :math:`\mathbf n_k\cdot\mathbf u = c_k`, the gap of a sharp corner is

    .. math:: g = \max_k(\mathbf n_k\cdot\mathbf u - c_k)

    over the edges that it can stand on; that of a disc or a round end is its distance from the outline less its radius.
    A body attached by a node does not rotate.
    """

    p: At[Point | End]
    q: At[Point | End]
    contact: Annotated[Dry, Unit("", "contact law")]
    outline_p: Corners = ((0.0, 0.0),)
    outline_q: Corners = ((0.0, 0.0),)
    radius_p: Radius = 0.0
    radius_q: Radius = 0.0
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None

    def check(self) -> None:
        refuse_outline("BodyContact.outline_p", self.outline_p, self.radius_p)
        refuse_outline("BodyContact.outline_q", self.outline_q, self.radius_q)
        refuse_points("BodyContact.radius_q", (self.outline_p, self.outline_q), self.radius_p + self.radius_q)

    def companions(self, name: str) -> dict[str, Element]:
        ends = f"{name}.p", f"{name}.q"
        corners = (self.outline_p, self.outline_q), (self.radius_p, self.radius_q)
        if len(self.outline_p) == len(self.outline_q) == 1:
            return {f"{name}.q1": self._discs(*ends)}
        return {
            f"{name}.{'pq'[side]}{k + 1}": self._corner(ends, corners, side, k)
            for side in (1, 0)
            if len(corners[0][1 - side]) > 1
            for k in range(len(corners[0][side]))
        }

    def _discs(self, p: str, q: str) -> Element:
        """Two discs; the centres are the nodes."""
        return PointContact(
            p, q, self.contact, "circle", size=self.radius_p, radius=self.radius_q, friction=self.friction
        )

    def _corner(self, ends: tuple[str, str], of: Any, side: int, k: int) -> Element:
        outlines, radii = of
        polygon = len(outlines[side]) > 2
        return CornerContact(
            ends[1 - side],
            ends[side],
            outlines[1 - side],
            self.contact,
            corner=outlines[side][k],
            radius=radii[side],
            line_radius=radii[1 - side],
            cone=cone_of(outlines[side], k) if polygon else (0.0, 0.0, 0.0, 0.0),
            round_corner=max(radii) > 0.0,
            friction=self.friction,
        )

    def outline(self, points: int, p: Point | End, q: Point | End) -> list[list[Vector]]:
        found, discs = [], len(self.outline_p) == len(self.outline_q) == 1
        for node, corners, radius in ((p, self.outline_p, self.radius_p), (q, self.outline_q, self.radius_q)):
            places = [node.r + (node.turn(vec(*c)) if isinstance(node, End) else vec(*c)) for c in corners]
            if len(places) > 1:
                found.append([*places, places[0]])
            elif radius:
                found.append(round_at(node.r if discs else places[0], radius, q.r - p.r, points))
        return found
