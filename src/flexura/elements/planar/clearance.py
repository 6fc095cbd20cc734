"""Joint with clearance."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.contact_geometry import distance, frame_of, turned
from flexura.elements.contacts import Contact
from flexura.elements.element import Element, Matrix
from flexura.laws.contact import AnyContact
from flexura.laws.friction import Friction
from flexura.laws.oil_film import OilFilm
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, End, Point


class Clearance(Element):
    r"""Journal q in a bearing p with clearance: free inside it, in contact at its edge.

    With the displacement :math:`(x, y)` of q from its drawn position, in axes that rotate with p (global axes if p is a
    node), the radial clearance c and the journal's radius r [Schwab2002 (5.1)],

    .. math:: \varepsilon_1 = x, \quad \varepsilon_2 = y, \quad \varepsilon_3 = \varphi_q - \varphi_p, \quad
              \varepsilon_4 = c - \sqrt{x^2 + y^2} , \quad
              s = (x\dot y - y\dot x) / \sqrt{x^2 + y^2} + r\,\dot\varepsilon_3 .

    The last strain is the gap: the journal is free where it is positive. The slip s is the velocity at which the
    surfaces slide on each other. The ``contact`` law gives the force where the gap is closed; an oil film also
    acts where it is open. Attach a part that rotates by its end, as in ``rod.q``.
    """

    p: At[Point | End]
    q: At[Point | End]
    clearance: Annotated[float, Unit("m", "radial clearance"), Positive()]
    contact: Annotated[AnyContact, Unit("", "contact law")]
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None
    radius: Annotated[float, Unit("m", "radius of the journal, for friction"), NonNegative()] = 0.0
    angle: Annotated[float, Unit("rad", "direction of the bearing's x axis")] = 0.0

    strains: ClassVar = ("along", "across", "rotation")
    units: ClassVar = ("m", "m", "rad")
    contacts: ClassVar = (Contact("gap", slips=("slide",), of_strains=True),)

    def strain(self, p: Point | End, q: Point | End) -> Vector:
        d, frame = q.r - p.r, frame_of(p, self.axis)
        return vec(frame.t @ d - self.drawn_along, frame.n @ d - self.drawn_across, turned(q) - turned(p))

    def gap(self, e: Vector) -> Vector:
        return vec(self.clearance - self._eccentricity(e))

    def slide(self, e: Vector, v: Vector) -> Vector:
        return vec((e[0] * v[1] - e[1] * v[0]) / self._eccentricity(e) + self.radius * v[2])

    def _eccentricity(self, e: Vector) -> Any:
        return distance(e, 1e-9 * self.clearance)

    def stress(self, e: Vector, v: Vector) -> Vector:
        if not isinstance(self.contact, OilFilm):
            return vec()
        return vec(*self.contact.push((e[0], e[1]), (v[0], v[1]), v[2], self.clearance), 0.0)

    def measure(self, p: Point | End, q: Point | End) -> dict[str, float]:
        frame, d = End(p.r, 0.0, self.angle), q.r - p.r
        return {"axis": self.angle, "drawn_along": frame.t @ d, "drawn_across": frame.n @ d}

    def stiffness(self, length: float) -> Matrix:
        return np.zeros((3, 3))
