"""Belt and pulleys."""

from __future__ import annotations

from math import atan2, inf
from typing import Annotated, Any, ClassVar

import numpy as np

from flexura.algebra import Vector, angle, cos, sin, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.strands import refuse_overlap, rim, tangent, wound
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End

Radius = Annotated[
    float, Unit("m", "signed radius: positive if the span is to the left of the pulley's centre, from p to q")
]


class Belt(Element):
    r"""Free span of a belt between two pulleys, with the belt that is wound on them.

    With the signed radii :math:`r`, the length :math:`l` and the direction :math:`\alpha+\delta` of the common tangent
    [Schwab2002 (3.2)-(3.8)],

    .. math:: \varepsilon = l + r_p\varphi_p - r_q\varphi_q + (r_q - r_p)(\alpha+\delta) - l_0 .

    Equal signs of the radii give an open belt, opposite signs a crossed belt; a belt ends at a radius of zero. A belt
    drive has two elements between the same pulleys, one for each span: their radii have opposite signs. The mass of the
    belt moves with the span and with the pulleys: material runs through the element, so its inertia is given directly
    by the virtual power [Schwab2002 (3.10)-(3.21)]. ``wound_p`` and ``wound_q`` are the lengths on the pulleys in the
    drawn position. The weight of a belt acts on its span only.
    """

    p: At[End]
    q: At[End]
    radius_p: Radius
    radius_q: Radius
    EA: Annotated[float, Unit("N", "axial stiffness"), NonNegative(infinite=True)] = inf
    damping_time: Annotated[float, Unit("s", "Kelvin–Voigt time constant"), NonNegative()] = 0.0
    rhoA: Annotated[float, Unit("kg/m", "mass per length"), NonNegative()] = 0.0
    wound_p: Annotated[float, Unit("m", "length of belt wound on pulley p as drawn"), NonNegative()] = 0.0
    wound_q: Annotated[float, Unit("m", "length of belt wound on pulley q as drawn"), NonNegative()] = 0.0

    strains: ClassVar = ("elongation",)
    tracked: ClassVar = ("direction",)

    def strain(self, p: End, q: End) -> Vector:
        return vec(wound(p, q, self.radius_p, self.radius_q, self.direction) - self.drawn)

    def track(self, p: End, q: End) -> Vector:
        return vec(angle(q.r - p.r, self.direction))

    def shape(self, s: float, p: End, q: End) -> Vector:
        line = tangent(p, q, self.radius_p, self.radius_q, self.direction)
        return (1 - s) * (p.r + self.radius_p * line.across) + s * (q.r + self.radius_q * line.across)

    def flow(self, p: End, q: End, dp: End, dq: End, ddp: End, ddq: End) -> Vector:
        line = tangent(p, q, self.radius_p, self.radius_q, self.direction)
        turn = (line.across @ (dq.r - dp.r)) / line.length
        # the span: material accelerations at its two ends, linear between
        a = ddp.r - self.radius_p * (ddp.phi * line.along + dp.phi * turn * line.across)
        b = ddq.r - self.radius_q * (ddq.phi * line.along + dq.phi * turn * line.across)
        on_p = self.rhoA * line.length / 6 * (2 * a + b)
        on_q = self.rhoA * line.length / 6 * (a + 2 * b)
        # what is wound up turns with its pulley
        wound_p, torque_p = self._wound(self.radius_p, self.turns_p, p, dp, ddp, line.direction)
        wound_q, torque_q = self._wound(self.radius_q, self.turns_q, q, dq, ddq, line.direction)
        force_p, force_q = on_p + wound_p, on_q - wound_q
        return vec(
            *force_p, torque_p - self.radius_p * (line.along @ on_p),
            *force_q, -torque_q - self.radius_q * (line.along @ on_q),
        )  # fmt: skip

    def _wound(self, r: Any, turns: Any, node: End, rate: End, second: End, direction: Any) -> tuple[Vector, Any]:
        """Inertia force and torque of the belt on a pulley, by the angle it covers."""
        phi = node.phi + turns - direction + self.drawn_direction
        half = 2 * sin(phi / 2)
        arc = vec(cos(phi / 2 + direction) * half, sin(phi / 2 + direction) * half)
        spin = rate.phi * rate.phi * r * r
        force = r * phi * second.r - r * r * second.phi * arc + spin * vec(arc[1], -arc[0])
        torque = r * r * r * phi * second.phi - r * r * (arc @ second.r)
        return self.rhoA * force, self.rhoA * torque

    def measure(self, p: End, q: End) -> dict[str, float]:
        r_p, r_q = self.radius_p, self.radius_q
        refuse_overlap(p, q, r_p, r_q)
        chord = q.r - p.r
        direction = atan2(chord[1], chord[0])
        line = tangent(p, q, r_p, r_q, direction)
        return {
            "direction": direction,
            "drawn": wound(p, q, r_p, r_q, direction),
            "drawn_direction": line.direction,
            "mass": self.rhoA * line.length,
            "turns_p": self.wound_p / r_p if r_p else 0.0,
            "turns_q": -self.wound_q / r_q if r_q else 0.0,
        }

    def outline(self, points: int, p: End, q: End) -> list[list[Vector]]:
        span = [self.shape(0.0, p, q), self.shape(1.0, p, q)]
        return [span, *(rim(node, r) for node, r in ((p, self.radius_p), (q, self.radius_q)) if r)]

    def stiffness(self, length: float) -> Matrix:
        return np.array([[self.EA / (length**2 - (self.radius_q - self.radius_p) ** 2) ** 0.5]])

    def damping(self, length: float) -> Matrix:
        return self.damping_time * self.stiffness(length) if inf > self.EA else np.zeros((1, 1))
