"""Pin in a sleeve."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector, atom, cross
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.touches import Touch, circle, length, seat, seat_numbers
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, Frame

_PARALLEL = 1e-7
"""Angle between pin and sleeve, rad, below which the pin touches a cap nearer to its middle than to its edge."""


class PinSleeve(Element):
    r"""Hinge with clearance: a pin q of radius r and length 2h in a sleeve with two caps that moves with p.

    The sleeve is centred where q is drawn. With its axes t, n, b, the axis m of the pin and the centres
    :math:`\mathbf c_\pm = \mathbf r_q \pm h\,\mathbf m - \mathbf r_s` of its ends, seen from the centre of the sleeve,

    .. math:: g_\pm = c - |\mathbf c_\pm - (\mathbf t\cdot\mathbf c_\pm)\,\mathbf t| , \qquad
              a_\pm = c_a + h \mp \mathbf t\cdot\mathbf c_\pm - r\,|\mathbf t\times\mathbf m|

    are the radial gaps of both ends, which are crowned, and the gaps between their edges and the caps, at any tilt
    [Deck1992 (3.25)]. The slips at the sleeve are those along it and around it, those at the caps along n and b.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    pin_length: Annotated[float, Unit("m", "length 2h of the pin"), Positive()]
    radius: Annotated[float, Unit("m", "radius of the pin"), Positive()]
    clearance: Annotated[float, Unit("m", "radial clearance c"), NonNegative()]
    end_clearance: Annotated[float, Unit("m", "axial clearance at each end"), NonNegative()]
    contact: Annotated[Dry, Unit("", "contact law between pin and sleeve")]
    end_contact: Annotated[Dry, Unit("", "contact law between pin and caps")]
    friction: Annotated[Friction | None, Unit("", "dry friction between pin and sleeve")] = None
    end_friction: Annotated[Friction | None, Unit("", "dry friction between pin and caps")] = None
    direction: Annotated[Direction, Unit("", "axis of the sleeve as drawn")] = (0.0, 0.0, 1.0)

    contacts: ClassVar = (
        Contact("far", slips=("far_along", "far_around")),
        Contact("near", slips=("near_along", "near_around")),
        Contact("far_cap", slips=("far_cap_n", "far_cap_b"), law="end_contact", friction="end_friction"),
        Contact("near_cap", slips=("near_cap_n", "near_cap_b"), law="end_contact", friction="end_friction"),
    )

    def touches(self, p: Frame, q: Frame) -> list[Touch]:
        half, least = 0.5 * self.pin_length, 1e-9 * (self.clearance + self.radius)
        radial, axial = [], []
        # the direction in the end faces that leans most to the axis of the sleeve
        lean = atom(p.t - q.t * (q.t @ p.t))
        steep = atom(length(lean, _PARALLEL))
        for side in (1.0, -1.0):
            centre = atom(q.r + q.t * (side * half))
            height = atom(p.t @ (centre - seat(p, self)))
            aside = atom(centre - seat(p, self) - p.t * height)
            far = atom(length(aside, least))
            u = atom(aside / far)
            radial.append(Touch(self.clearance - far, centre + u * self.radius, (p.t, cross(p.t, u))))
            # the lever of the edge along the axis: that of the point of contact, none where pin and sleeve are parallel
            left = self.end_clearance + half - side * height - self.radius * (lean @ lean) / steep
            axial.append(Touch(left, centre + lean * (side * self.radius / steep), (p.n, p.b)))
        return radial + axial

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        return axis_numbers(self.direction) | seat_numbers(p, q)

    def outline(self, points: int, p: Frame, q: Frame) -> list[list[Vector]]:
        half, room = 0.5 * self.pin_length, self.radius + self.clearance
        ends = [q.r + q.t * (side * half) for side in (-1.0, 1.0)]
        caps = [seat(p, self) + p.t * (side * (half + self.end_clearance)) for side in (-1.0, 1.0)]
        sleeve = [circle(c, p.n * room, p.b * room, points) for c in caps]
        return [*sleeve, *(circle(c, q.n * self.radius, q.b * self.radius, points) for c in ends), ends]
