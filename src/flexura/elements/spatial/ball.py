"""The ball on a plane."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, cross, sqrt, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.touch import gripped, refuse_friction, remember
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.contact import Dry
from flexura.laws.friction import Friction
from flexura.laws.grip import Grip
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import AXIS, At, Frame, Point
from flexura.rotations import UNTURNED, spin

_STILL = 1e-60
"""(m/s)²: what does not slide slides in no direction."""


class Ball(Element):
    r"""Ball q of radius r that meets a plane through p; the plane goes with p.

    With :math:`\mathbf d = \mathbf r_q - \mathbf r_p` and the normal :math:`\mathbf n`, the gap is

    .. math:: \varepsilon = \mathbf n\cdot\mathbf d - r ,

    and the slips are the components, in two directions of the plane, of the velocity at which the ball slides on it:
    :math:`\dot{\mathbf d} - r\,\boldsymbol\omega_q\times\mathbf n` as seen from p. A node does not turn.
    """

    space: ClassVar = "spatial"

    p: At[Point | Frame]
    q: At[Point | Frame]
    contact: Annotated[Dry, Unit("", "what happens between the surfaces")]
    radius: Annotated[float, Unit("m", "radius of the ball"), NonNegative()] = 0.0
    normal: Annotated[Direction, Unit("", "normal of the plane as drawn")] = (0.0, 0.0, 1.0)
    friction: Annotated[Friction | None, Unit("", "dry friction between them")] = None

    strains: ClassVar = ("gap",)
    units: ClassVar = ("m", "m", "m")
    gaps: ClassVar = ("gap",)
    slips: ClassVar = ("slide_n", "slide_b")
    loose: ClassVar = ("slide_n", "slide_b")
    tracked: ClassVar = ("approach",)

    def strain(self, p: Point | Frame, q: Point | Frame) -> Vector:
        return vec(self._plane(p).t @ (q.r - p.r) - self.radius)

    def slip(self, p: Point | Frame, q: Point | Frame, dp: Point | Frame, dq: Point | Frame) -> Vector:
        plane = self._plane(p)
        foot = plane.t * self.radius
        ball = dq.r - cross(_spin(q, dq), foot)
        ground = dp.r + cross(_spin(p, dp), q.r - p.r - foot)
        return vec(plane.n @ (ball - ground), plane.b @ (ball - ground))

    def stress(self, e: Vector, v: Vector) -> Vector:
        push = self.contact.force(-e[0], -v[0], self.approach)
        if self.friction is None:
            return vec(-push, 0.0, 0.0)
        speed = sqrt(v[1] * v[1] + v[2] * v[2] + _STILL)
        drag = self.friction.drag(speed, push) / speed
        return vec(-push, drag * v[1], drag * v[2])

    def grips(self) -> tuple[Grip, ...]:
        return gripped(self.friction, "gap", "slide_n", "slide_b")

    def track(self, p: Point | Frame, q: Point | Frame, dp: Point | Frame, dq: Point | Frame) -> Vector:
        d, up = q.r - p.r, self._plane(p).t
        rate = up @ (dq.r - dp.r - cross(_spin(p, dp), d))
        return vec(remember(self.approach, up @ d - self.radius, rate, self.reach))

    def _plane(self, p: Point | Frame) -> Frame:
        own = Vector(*(getattr(self, name) for name in AXIS))
        return p if isinstance(p, Frame) else Frame(p.r, Vector(*UNTURNED), own)

    def measure(self, p: Point | Frame, q: Point | Frame) -> dict[str, float]:
        gap = q.r - p.r
        return axis_numbers(self.normal) | {"approach": 0.0, "reach": (gap @ gap) ** 0.5 + self.radius}

    def check(self) -> None:
        refuse_friction(self.contact, self.friction)

    def stiffness(self, length: float) -> Matrix:
        return np.zeros((1, 1))


def _spin(node: Point | Frame, rate: Point | Frame) -> Vector:
    if isinstance(node, Frame) and isinstance(rate, Frame):
        return spin(node.e, rate.e)
    return vec(0.0, 0.0, 0.0)
