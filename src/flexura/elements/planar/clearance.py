"""The joint with play."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np

from flexura.algebra import Vector, sqrt, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.touch import frame_of, gripped, refuse_friction, remember, turned
from flexura.laws.contact import AnyContact
from flexura.laws.friction import Friction
from flexura.laws.grip import Grip
from flexura.laws.oil_film import OilFilm
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, End, Point

_CENTRE = 1e-18
"""Of the squared play: at the very centre a displacement has no direction."""


class Clearance(Element):
    r"""Journal q in a bearing p with play: it may go anywhere, and is pushed back where it meets the wall.

    With the displacement :math:`(x, y)` of q from where it is drawn, in axes that turn with p (those of space where p
    is a node), the radial clearance c and the journal's radius r [Schwab2002 (5.1)],

    .. math:: \varepsilon_1 = x, \quad \varepsilon_2 = y, \quad \varepsilon_3 = \varphi_q - \varphi_p, \quad
              \varepsilon_4 = c - \sqrt{x^2 + y^2} , \quad
              s = (x\dot y - y\dot x) / \sqrt{x^2 + y^2} + r\,\dot\varepsilon_3 .

    The last strain is the gap: the journal is free where it is positive. The slip s is the velocity at which the
    surfaces slide on each other. The ``contact`` law gives the force where the gap is closed, or, as an oil film,
    where it is open too.
    A part that turns is attached by its end, as in ``rod.q``.
    """

    p: At[Point | End]
    q: At[Point | End]
    clearance: Annotated[float, Unit("m", "radial clearance"), Positive()]
    contact: Annotated[AnyContact, Unit("", "what happens between the surfaces")]
    friction: Annotated[Friction | None, Unit("", "dry friction between them")] = None
    radius: Annotated[float, Unit("m", "radius of the journal, for friction"), NonNegative()] = 0.0
    angle: Annotated[float, Unit("rad", "direction of the bearing's x axis")] = 0.0

    strains: ClassVar = ("along", "across", "rotation", "gap")
    units: ClassVar = ("m", "m", "rad", "m", "m")
    gaps: ClassVar = ("gap",)
    slips: ClassVar = ("slide",)
    loose: ClassVar = ("slide",)
    tracked: ClassVar = ("approach",)

    def strain(self, p: Point | End, q: Point | End) -> Vector:
        x, y = self._place(p, q)
        return vec(x, y, turned(q) - turned(p), self.clearance - self._distance(x, y))

    def slip(self, p: Point | End, q: Point | End, dp: Point | End, dq: Point | End) -> Vector:
        (x, y), (dx, dy) = self._place(p, q), self._rate(p, q, dp, dq)
        return vec((x * dy - y * dx) / self._distance(x, y) + self.radius * (turned(dq) - turned(dp)))

    def stress(self, e: Vector, v: Vector) -> Vector:
        """The push of the contact and the drag along it, in the axes of the bearing; or the force of the film."""
        push, drag = self._forces(e, v)
        away = self._distance(e[0], e[1])
        nx, ny = e[0] / away, e[1] / away
        x, y, gap = push * nx - drag * ny, push * ny + drag * nx, 0.0
        if self.grips():
            # what presses is the force of the gap itself
            x, y, gap = 0.0, 0.0, -push
        if isinstance(self.contact, OilFilm):
            film = self.contact.push((e[0], e[1]), (v[0], v[1]), v[2], self.clearance)
            x, y = x + film[0], y + film[1]
        return vec(x, y, self.radius * drag, gap, 0.0)

    def shown(self, e: Vector, v: Vector) -> dict[str, Any]:
        push, drag = self._forces(e, v)
        if isinstance(self.contact, OilFilm):
            film, away = self.stress(e, v), self._distance(e[0], e[1])
            push = (film[0] * e[0] + film[1] * e[1]) / away
        return {"gap": -push} | ({} if self.grips() else {"slide": drag})

    def _forces(self, e: Vector, v: Vector) -> tuple[Any, Any]:
        """What the walls push with, and what they drag with."""
        away = self._distance(e[0], e[1])
        leaving = (e[0] * v[0] + e[1] * v[1]) / away
        if isinstance(self.contact, OilFilm):
            if self.contact.solid is None:
                return 0.0, 0.0
            push = self.contact.solid.force(away - self.clearance + self.contact.roughness, leaving, self.approach)
        else:
            push = self.contact.force(away - self.clearance, leaving, self.approach)
        slide = (e[0] * v[1] - e[1] * v[0]) / away + self.radius * v[2]
        return push, 0.0 if self.friction is None else self.friction.drag(slide, push)

    def grips(self) -> tuple[Grip, ...]:
        return gripped(self.friction, "gap", "slide")

    def track(self, p: Point | End, q: Point | End, dp: Point | End, dq: Point | End) -> Vector:
        """The velocity of approach, as long as the journal is loose."""
        (x, y), (dx, dy) = self._place(p, q), self._rate(p, q, dp, dq)
        away = self._distance(x, y)
        return vec(remember(self.approach, self.clearance - away, -(x * dx + y * dy) / away, self.clearance))

    def _place(self, p: Point | End, q: Point | End) -> tuple[Any, Any]:
        """The journal's centre in the axes of the bearing, from where it is drawn."""
        gap, frame = q.r - p.r, frame_of(p, self.axis)
        return frame.t @ gap - self.drawn_along, frame.n @ gap - self.drawn_across

    def _rate(self, p: Point | End, q: Point | End, dp: Point | End, dq: Point | End) -> tuple[Any, Any]:
        gap, rate, frame, turning = q.r - p.r, dq.r - dp.r, frame_of(p, self.axis), turned(dp)
        return frame.t @ rate + turning * (frame.n @ gap), frame.n @ rate - turning * (frame.t @ gap)

    def _distance(self, x: Any, y: Any) -> Any:
        return sqrt(x * x + y * y + _CENTRE * self.clearance**2)

    def measure(self, p: Point | End, q: Point | End) -> dict[str, float]:
        frame, gap = End(p.r, 0.0, self.angle), q.r - p.r
        drawn = {"drawn_along": frame.t @ gap, "drawn_across": frame.n @ gap}
        return {"axis": self.angle, "approach": 0.0} | drawn

    def check(self) -> None:
        refuse_friction(self.contact, self.friction)

    def stiffness(self, length: float) -> Matrix:
        return np.zeros((4, 4))
