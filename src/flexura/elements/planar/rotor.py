"""The rotor of a geared motor."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.elements.element import Element
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, End, Pose


class Rotor(Element):
    r"""Inertia of a motor on p that drives q through a gear: a rotor with n times the speed of q relative to p.

    Its rotation is :math:`\varphi = \varphi_p + n\,(\varphi_q - \varphi_p)`, and its kinetic energy :math:`\tfrac12 J
    \dot\varphi^2`. If p is fixed, the inertia at the output is :math:`n^2 J`. Include the mass of the rotor in p.
    """

    p: At[End]
    q: At[End]
    inertia: Annotated[float, Unit("kg·m²", "moment of inertia of the rotor"), Positive()]
    gear: Annotated[float, Unit("", "gear ratio: speed of the rotor over that of q, both relative to p")] = 1.0

    quadrature: ClassVar = 1

    def shape(self, s: float, p: End, q: End) -> Pose:
        return Pose(p.r, p.phi + self.gear * (q.phi - p.phi))

    def measure(self, p: End, q: End) -> dict[str, float]:
        return {"mass": 0.0}
