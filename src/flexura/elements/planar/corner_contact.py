"""Corner of one planar body on the outline of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from flexura.algebra import Vector, atom, maximum, minimum, sqrt, step, vec
from flexura.elements.contact_geometry import ahead, carried, seen_from
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.outlines import Outline, Place, edges_of
from flexura.elements.touches import Touch
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End, Point

_SLACK = 0.05
"""Sine of the angle by which a corner may lean over a face and still stand on it."""
_OVERHANG = 1e-6
"""Distance beyond the end of a face, against the size of the outline, at which a corner still stands on it."""


class CornerContact(Element):
    r"""Corner of body q, round with radius r or sharp, on the convex outline of body p, given by its ``corners``.

    With the place :math:`\mathbf u` of the corner in axes that turn with p and the edges
    :math:`\mathbf n_k\cdot\mathbf u = c_k` of the outline, the gap of a sharp corner is

    .. math:: g = \max_k(\mathbf n_k\cdot\mathbf u - c_k)

    over the edges that the corner can stand on; that of a round one is its distance from the outline. The slip is the
    velocity of the corner along the edge. A body attached to a node does not turn.
    """

    internal: ClassVar = True

    p: At[Point | End]
    q: At[Point | End]
    corners: Annotated[Outline, Unit("m", "corners of p relative to its node as drawn, anticlockwise")]
    contact: Annotated[Dry, Unit("", "contact law")]
    corner: Annotated[Place, Unit("m", "corner of q relative to its node as drawn")] = (0.0, 0.0)
    radius: Annotated[float, Unit("m", "radius of the corner"), NonNegative()] = 0.0
    line_radius: Annotated[float, Unit("m", "radius of the outline where it is a line"), NonNegative()] = 0.0
    cone: Annotated[
        tuple[float, float, float, float], Unit("", "normals of the edges of q on both sides of a sharp corner")
    ] = (0.0, 0.0, 0.0, 0.0)
    round_corner: Annotated[bool, Unit("", "true if the corner or the outline has a radius")] = False
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None

    contacts: ClassVar = (Contact("gap", slips=("slide",)),)

    def touches(self, p: Point | End, q: Point | End) -> list[Touch]:
        at = q.r + carried(q, vec(self.corner_x, self.corner_y))
        u = Vector(*map(atom, seen_from(p, at - p.r)))
        if self.round_corner:
            gap, n = self._round(u)
        else:
            gap, n = self._sharp(u, [seen_from(p, carried(q, vec(*side))) for side in (self.cone_1, self.cone_2)])
        normal = carried(p, n)
        return [Touch(gap, at - normal * self.radius, (ahead(normal),))]

    def _sharp(self, u: Vector, cone: Sequence[Vector]) -> tuple[Any, Vector]:
        """The distance from the edge that the corner stands on, and its normal."""
        best, n, far, (first, second) = None, vec(0.0, 0.0), None, cone
        for nx, ny, c in self.edge:
            out = nx * u[0] + ny * u[1] - c
            # the edge faces the corner where its normal is opposite to the cone of normals of the corner
            facing = step(first[1] * nx - first[0] * ny + _SLACK) * step(second[0] * ny - second[1] * nx + _SLACK)
            here = out - self.extent * (1.0 - facing)
            aside = out - self.extent * facing
            far = aside if far is None else maximum(far, aside)
            chosen = 1.0 if best is None else step(here - best)
            n = vec(nx, ny) * chosen + n * (1.0 - chosen)
            best = here if best is None else maximum(best, here)
        # beyond the end of the face, the corner is free
        return maximum(best, far - self.extent * (1.0 - step(far - _OVERHANG * self.extent))), n

    def _round(self, u: Vector) -> tuple[Any, Vector]:
        """The distance of the round corner from the outline, and its direction."""
        nearest, closest, inside, n = None, u, None, vec(0.0, 0.0)
        for (nx, ny, c), (ax, ay, long) in zip(self.edge, self.start, strict=True):
            along = minimum(maximum(-ny * (u[0] - ax) + nx * (u[1] - ay), 0.0), long)
            foot = vec(ax - ny * along, ay + nx * along)
            square = (u - foot) @ (u - foot)
            out = nx * u[0] + ny * u[1] - c
            chosen = 1.0 if nearest is None else step(nearest - square)
            closest = foot * chosen + closest * (1.0 - chosen)
            nearest = square if nearest is None else minimum(nearest, square)
            deepest = 1.0 if inside is None else step(out - inside)
            n = vec(nx, ny) * deepest + n * (1.0 - deepest)
            inside = out if inside is None else maximum(inside, out)
        outer = step(inside - 1e-9 * self.extent)
        far = sqrt(nearest + (1e-12 * self.extent) ** 2)
        distance = outer * far + (1.0 - outer) * inside
        return distance - self.radius - self.line_radius, (u - closest) * (outer / far) + n * (1.0 - outer)

    def measure(self, p: Point | End, q: Point | End) -> dict[str, Any]:
        edges = edges_of(self.corners)
        return {
            "axis": 0.0,
            "corner_x": self.corner[0],
            "corner_y": self.corner[1],
            "edge": [edge[:3] for edge in edges],
            "start": [edge[3:] for edge in edges],
            "cone_1": self.cone[:2],
            "cone_2": self.cone[2:],
            "extent": max(abs(c) for place in self.corners for c in place) * 2.0 + self.radius + self.line_radius,
        }
