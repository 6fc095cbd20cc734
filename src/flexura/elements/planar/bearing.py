"""The planar bearing."""

from __future__ import annotations

from math import inf
from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.joint_friction import JointFriction, PinRadius, pair_pressure, require_radius
from flexura.elements.planar.friction_slip import PinSlip
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End

Stiffness = Annotated[float, Unit("N/m", "stiffness; infinite for a constraint"), NonNegative(infinite=True)]
Damping = Annotated[float, Unit("N·s/m", "damping"), NonNegative()]


class Bearing(Element):
    r"""Cylindrical bearing: the displacement of q in the frame of p, and the relative rotation.

    With :math:`\boldsymbol\Delta = \mathbf r_q - \mathbf r_p` and the bearing's axes :math:`\mathbf t_p, \mathbf n_p`,
    turned by ``angle`` from the drawing's x and y [Schwab2002 (3.1)],

    .. math:: \varepsilon_1 = \mathbf t_p\cdot\boldsymbol\Delta - d_t, \quad
              \varepsilon_2 = \mathbf n_p\cdot\boldsymbol\Delta - d_n, \quad
              \varepsilon_3 = \varphi_q - \varphi_p .

    With ``friction`` a journal of the given ``radius`` slides in the bearing; the normal force is the magnitude of the
    force that the bearing transmits.
    """

    p: At[End]
    q: At[End]
    kx: Stiffness = inf
    ky: Stiffness = inf
    kt: Annotated[float, Unit("N·m/rad", "torsional stiffness"), NonNegative(infinite=True)] = 0.0
    cx: Damping = 0.0
    cy: Damping = 0.0
    ct: Annotated[float, Unit("N·m·s/rad", "torsional damping"), NonNegative()] = 0.0
    friction: JointFriction = None
    radius: PinRadius = 0.0
    angle: Annotated[float, Unit("rad", "direction of the bearing's x axis")] = 0.0

    strains: ClassVar = ("along", "across", "rotation")
    units: ClassVar = ("m", "m", "rad")

    def check(self) -> None:
        require_radius("Bearing", self.friction, self.radius)

    def companions(self, name: str) -> dict[str, Element]:
        if self.friction is None:
            return {}
        pressure = pair_pressure(("along", "across"), (), 0.0)
        return {f"{name}.friction": PinSlip(f"{name}.p", f"{name}.q", self.friction, self.radius, pressure)}

    def strain(self, p: End, q: End) -> Vector:
        gap = q.r - p.r
        return vec(p.t @ gap - self.drawn_along, p.n @ gap - self.drawn_across, q.phi - p.phi)

    def measure(self, p: End, q: End) -> dict[str, float]:
        frame, gap = End(p.r, 0.0, self.angle), q.r - p.r
        return {"axis": self.angle, "drawn_along": frame.t @ gap, "drawn_across": frame.n @ gap}

    def stiffness(self, length: float) -> Matrix:
        return np.diag([self.kx, self.ky, self.kt])

    def damping(self, length: float) -> Matrix:
        return np.diag([self.cx, self.cy, self.ct])
