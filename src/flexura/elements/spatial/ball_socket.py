"""Ball in a socket."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from flexura.algebra import Vector, atom, vec
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.elements.touches import Touch, circle, frame_at, length, next_pole, seat, seat_numbers, tangents
from flexura.elements.triads import axis_numbers
from flexura.errors import ModelError
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.restitution import Restitution
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, Frame, Point


class BallSocket(Element):
    r"""Ball joint with clearance: a ball q of radius r in a spherical socket that moves with p.

    The socket is centred where q is drawn. With the displacement :math:`\mathbf d` of the ball's centre from that of
    the socket, :math:`\mathbf n = \mathbf d/|\mathbf d|` and the radial clearance c, the gap is

    .. math:: g = c - |\mathbf d| ,

    and the slips are the components, in two directions normal to n, of

    .. math:: \mathbf v_q + \boldsymbol\omega_q\times r\mathbf n - \mathbf v_s -
              \boldsymbol\omega_p\times(\mathbf d + r\mathbf n) ,

    with the velocity :math:`\mathbf v_s` of the socket's centre [Deck1992]. Without clearance the joint yields by its
    contact law alone.
    """

    space: ClassVar = "spatial"

    p: At[Point | Frame]
    q: At[Point | Frame]
    clearance: Annotated[float, Unit("m", "radial clearance"), NonNegative()]
    contact: Annotated[Dry, Unit("", "contact law")]
    radius: Annotated[float, Unit("m", "radius of the ball, for friction"), NonNegative()] = 0.0
    friction: Annotated[Friction | None, Unit("", "dry friction between the surfaces")] = None

    contacts: ClassVar = (Contact("gap", slips=("slide_n", "slide_b")),)
    tracked: ClassVar = ("pole",)

    def touches(self, p: Point | Frame, q: Point | Frame) -> list[Touch]:
        d, n = self._place(p, q)
        along = tangents(frame_at(p, self), n, self.pole)
        return [Touch(self.clearance - d, q.r + n * self.radius, along)]

    def track(self, p: Point | Frame, q: Point | Frame) -> Vector:
        return vec(next_pole(frame_at(p, self), self._place(p, q)[1], self.pole))

    def _place(self, p: Point | Frame, q: Point | Frame) -> tuple[Any, Vector]:
        """The eccentricity of the ball, and its direction."""
        d = q.r - seat(p, self)
        far = atom(length(d, 1e-9 * (self.clearance + self.radius) + 1e-15))
        return far, atom(d / far)

    def measure(self, p: Point | Frame, q: Point | Frame) -> dict[str, float]:
        # askew: the pole and its opposite are no directions of gravity or of drives
        return axis_numbers((0.48, 0.6, 0.64)) | seat_numbers(p, q) | {"pole": 1.0}

    def outline(self, points: int, p: Point | Frame, q: Point | Frame) -> list[list[Vector]]:
        frame, ball = frame_at(p, self), self.radius
        axes, room = (frame.t, frame.n, frame.b), ball + self.clearance
        pairs = [(axes[i], axes[(i + 1) % 3]) for i in range(3)]
        return [circle(seat(p, self), a * room, b * room, points) for a, b in pairs] + [
            circle(q.r, axes[1] * ball, axes[2] * ball, points)
        ]

    def check(self) -> None:
        if not self.clearance and isinstance(self.contact, Restitution):
            what = "without clearance there is no impact"
            raise ModelError("BallSocket.clearance", what, "give a clearance, a contact such as Hertz, or a Bearing")
