"""The plainest gaps there are, for tests of what happens when they close: they are in no catalogue."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector, norm, vec
from flexura.elements import element
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.laws.restitution import Restitution
from flexura.laws.units import Unit
from flexura.nodes import At, Point


class Floor(Element):
    """The height of q above p."""

    p: At[Point]
    q: At[Point]
    contact: Restitution

    contacts: ClassVar = (Contact("gap"),)

    def gap(self, p: Point, q: Point) -> Vector:
        return vec(q.r[1] - p.r[1])


class Wall(Element):
    """Distance of q to the right of p."""

    p: At[Point]
    q: At[Point]
    contact: Restitution

    contacts: ClassVar = (Contact("gap"),)

    def gap(self, p: Point, q: Point) -> Vector:
        return vec(q.r[0] - p.r[0])


class Sleeve(Element):
    """Distance of q from the edge of a circle about p."""

    p: At[Point]
    q: At[Point]
    radial: Annotated[float, Unit("m", "radius of the circle")]
    contact: Restitution

    contacts: ClassVar = (Contact("gap"),)

    def gap(self, p: Point, q: Point) -> Vector:
        return vec(self.radial - norm(q.r - p.r))


for _name in ("Floor", "Wall", "Sleeve"):
    element._registry.pop(("planar", _name))
