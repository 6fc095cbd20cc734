"""Ball and box."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from flexura.algebra import Vector, atom, maximum, vec
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.touches import Touch, circle, frame_at, length, next_pole, tangents
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Frame, Point


class BallBox(Element):
    r"""Contact of a ball q of radius r with a face, an edge or a corner of a box with its centre at p.

    With :math:`\mathbf d = \mathbf r_q - \mathbf r_p` in the axes of the box, which turn with p, and its half sides
    :math:`h_i`, the centre of the ball is outside by :math:`a_i = \max(|d_i| - h_i, 0)`, and the gap is

    .. math:: g = \sqrt{a_1^2 + a_2^2 + a_3^2} - r .

    The normal is that of the face, or points from the edge or corner to the centre of the ball. A body attached by a
    node does not rotate.
    """

    space: ClassVar = "spatial"

    p: At[Point | Frame]
    q: At[Point | Frame]
    box_length: Annotated[float, Unit("m", "side along ``direction``"), Positive()]
    box_width: Annotated[float, Unit("m", "side along the second axis"), Positive()]
    box_height: Annotated[float, Unit("m", "side along the third axis"), Positive()]
    contact: Annotated[Dry, Unit("", "contact law")]
    radius: Annotated[float, Unit("m", "radius of the ball"), Positive()]
    direction: Annotated[Direction, Unit("", "first axis of the box as drawn")] = (1.0, 0.0, 0.0)
    y_axis: Annotated[Direction, Unit("", "direction near which the second axis of the box is drawn")] = (0.0, 1.0, 0.0)
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None

    contacts: ClassVar = (Contact("gap", slips=("slide_n", "slide_b")),)
    tracked: ClassVar = ("pole",)

    def touches(self, p: Point | Frame, q: Point | Frame) -> list[Touch]:
        frame, (far, n) = frame_at(p, self), self._outside(p, q)
        return [Touch(far - self.radius, q.r - n * self.radius, tangents(frame, n, self.pole))]

    def _outside(self, p: Point | Frame, q: Point | Frame) -> tuple[Any, Vector]:
        """Distance of the centre of the ball from the box, and the normal."""
        frame, d = frame_at(p, self), q.r - p.r
        halves = (0.5 * self.box_length, 0.5 * self.box_width, 0.5 * self.box_height)
        sides = []
        for axis, half in zip((frame.t, frame.n, frame.b), halves, strict=True):
            along = axis @ d
            sides.append(axis * (maximum(along - half, 0.0) - maximum(-along - half, 0.0)))
        out = atom(sides[0] + sides[1] + sides[2])
        far = length(out, 1e-12 * self.radius)
        return far, out / far

    def track(self, p: Point | Frame, q: Point | Frame) -> Vector:
        return vec(next_pole(frame_at(p, self), self._outside(p, q)[1], self.pole))

    def measure(self, p: Point | Frame, q: Point | Frame) -> dict[str, float]:
        along = Vector(*map(float, self.direction)) @ (q.r - p.r)
        return axis_numbers(self.direction, self.y_axis) | {"pole": 1.0 if along >= 0.0 else -1.0}

    def outline(self, points: int, p: Point | Frame, q: Point | Frame) -> list[list[Vector]]:
        f, r = frame_at(p, self), self.radius
        t, n, b = f.t * (0.5 * self.box_length), f.n * (0.5 * self.box_width), f.b * (0.5 * self.box_height)
        faces = [[p.r + t * x + n * s + b * h for x, s in _LOOP] for h in (-1.0, 1.0)]
        pillars = [[p.r + t * x + n * s + b * h for h in (-1.0, 1.0)] for x, s in _LOOP[:4]]
        return faces + pillars + [circle(q.r, a * r, c * r, points) for a, c in ((f.t, f.n), (f.n, f.b))]


_LOOP = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0))
