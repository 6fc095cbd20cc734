"""The prismatic guide."""

from __future__ import annotations

from math import atan2, inf
from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.joint_friction import GuideLength, JointFriction, pair_pressure
from flexura.elements.planar.friction_slip import GuideSlip
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End


class Slider(Element):
    r"""Prismatic joint: a guide fixed to end p, along which end q slides.

    With :math:`\mathbf t_p, \mathbf n_p` along and across the guide and :math:`\boldsymbol\Delta = \mathbf r_q -
    \mathbf r_p`,

    .. math:: \varepsilon_1 = \mathbf t_p\cdot\boldsymbol\Delta - d_t, \quad
              \varepsilon_2 = \mathbf n_p\cdot\boldsymbol\Delta - d_n, \quad
              \varepsilon_3 = \varphi_q - \varphi_p ,

    with the drawn distances :math:`d`. The travel is free, or has the stiffness ``k``. The offset is constrained, and
    so is the rotation unless ``pivot`` is true. The guide has the given ``direction``, by default that from p to q as
    drawn.

    With ``friction`` the normal force is the magnitude of the force across the guide; with a ``guide_length`` b the
    moment counts, too: :math:`N = |F/2 + M/b| + |F/2 - M/b|`, the forces on the two ends of the guide.
    """

    p: At[End]
    q: At[End]
    direction: Annotated[tuple[float, float], Unit("", "direction as drawn; zero: from p to q")] = (0.0, 0.0)
    pivot: Annotated[bool, Unit("", "true if q can rotate relative to the guide")] = False
    k: Annotated[float, Unit("N/m", "stiffness of the travel"), NonNegative(infinite=True)] = 0.0
    c: Annotated[float, Unit("N·s/m", "damping of the travel"), NonNegative()] = 0.0
    friction: JointFriction = None
    guide_length: GuideLength = 0.0

    strains: ClassVar = ("travel", "offset", "rotation")
    units: ClassVar = ("m", "m", "rad")

    def companions(self, name: str) -> dict[str, Element]:
        if self.friction is None:
            return {}
        long = 0.0 if self.pivot else self.guide_length
        pressure = pair_pressure(("offset",), (("rotation", 1.0),), long)
        return {f"{name}.friction": GuideSlip(f"{name}.p", f"{name}.q", self.friction, self.direction, pressure)}

    def strain(self, p: End, q: End) -> Vector:
        gap = q.r - p.r
        return vec(p.t @ gap - self.drawn_travel, p.n @ gap - self.drawn_offset, q.phi - p.phi)

    def measure(self, p: End, q: End) -> dict[str, float]:
        axis = atan2(self.direction[1], self.direction[0]) if any(self.direction) else p.axis
        guide, gap = End(p.r, 0.0, axis), q.r - p.r
        return {"axis": axis, "drawn_travel": guide.t @ gap, "drawn_offset": guide.n @ gap}

    def stiffness(self, length: float) -> Matrix:
        return np.diag([self.k, inf, 0.0 if self.pivot else inf])

    def damping(self, length: float) -> Matrix:
        return np.diag([self.c, 0.0, 0.0])
