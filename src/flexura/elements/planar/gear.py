"""The gear pair."""

from __future__ import annotations

from math import atan2, cos, inf, pi
from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, angle, norm, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.strands import refuse_overlap, rim, wound
from flexura.errors import ModelError
from flexura.laws.units import Bounds, NonNegative, Unit
from flexura.nodes import At, End


class Gear(Element):
    r"""Pair of involute gears: the tooth contact runs on the common tangent of the base circles, like a crossed belt.

    .. math:: \varepsilon = l + r_p\varphi_p - r_q\varphi_q + (r_q - r_p)(\alpha+\delta) - l_0

    with the signed base radii, given directly or by the ``ratio`` :math:`i` of the pair, the pressure angle
    :math:`\alpha_n` and the drawn distance :math:`a` of the centres [Schwab2002 (3.24)],

    .. math:: r_p = \frac{a\cos\alpha_n}{1+i}, \qquad r_q = -i\,r_p .

    An internal pair has a negative ratio. The stress of the strain is the tooth force, which is
    compressive on the flank that carries the load; if it is tensile, choose the other flank with ``flank=-1``.
    """

    p: At[End]
    q: At[End]
    ratio: Annotated[float, Unit("", "number of teeth of q over that of p; negative for an internal pair")] = 0.0
    pressure_angle: Annotated[float, Unit("rad", "pressure angle"), Bounds(0.0, pi / 2, open=True)] = pi / 9
    radius_p: Annotated[float, Unit("m", "signed base radius, instead of the ratio")] = 0.0
    radius_q: Annotated[float, Unit("m", "signed base radius, instead of the ratio")] = 0.0
    flank: Annotated[float, Unit("", "flank that carries the load, 1 or -1")] = 1.0
    k: Annotated[float, Unit("N/m", "tooth stiffness"), NonNegative(infinite=True)] = inf
    c: Annotated[float, Unit("N·s/m", "tooth damping"), NonNegative()] = 0.0

    strains: ClassVar = ("mesh",)
    tracked: ClassVar = ("direction",)

    def check(self) -> None:
        if abs(self.flank) != 1.0:
            raise ModelError("Gear.flank", f"{self.flank:g} is not a flank", "give 1 or -1")

    def strain(self, p: End, q: End) -> Vector:
        return vec(wound(p, q, self.base_p, self.base_q, self.direction) - self.drawn)

    def track(self, p: End, q: End) -> Vector:
        return vec(angle(q.r - p.r, self.direction))

    def measure(self, p: End, q: End) -> dict[str, float]:
        chord = q.r - p.r
        r_p, r_q = self._base_radii(float(norm(chord)))
        refuse_overlap(p, q, r_p, r_q)
        direction = atan2(chord[1], chord[0])
        return {"base_p": r_p, "base_q": r_q, "direction": direction, "drawn": wound(p, q, r_p, r_q, direction)}

    def _base_radii(self, distance: float) -> tuple[float, float]:
        by_radii = self.radius_p != 0.0 and self.radius_q != 0.0
        if by_radii == (self.ratio != 0.0):
            what = "a gear pair is given by its ratio or by both base radii"
            raise ModelError("ratio", what, "give one or the other")
        if by_radii:
            return self.flank * self.radius_p, self.flank * self.radius_q
        if self.ratio == -1.0:
            raise ModelError("ratio", "an internal pair of equal gears has no centre distance", "choose another ratio")
        r_p = self.flank * distance * cos(self.pressure_angle) / (1.0 + self.ratio)
        return r_p, -self.ratio * r_p

    def outline(self, points: int, p: End, q: End) -> list[list[Vector]]:
        return [rim(p, self.base_p), rim(q, self.base_q)]

    def stiffness(self, length: float) -> Matrix:
        return np.array([[self.k]])

    def damping(self, length: float) -> Matrix:
        return np.array([[self.c]])
