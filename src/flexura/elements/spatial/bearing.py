"""The bearing in space."""

from __future__ import annotations

from math import inf
from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.joint_friction import JointFriction, PinRadius, pair_pressure, require_radius
from flexura.elements.relative_rotation import drawn_numbers, rotation, whole_motion
from flexura.elements.spatial.friction_slip import PinSlip
from flexura.elements.triads import UNSPECIFIED, Direction, YAxis
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, Frame

Stiffness = Annotated[float, Unit("N/m", "stiffness; infinite for a constraint"), NonNegative(infinite=True)]
Damping = Annotated[float, Unit("N·s/m", "damping"), NonNegative()]
Torsion = Annotated[float, Unit("N·m/rad", "stiffness; infinite for a constraint"), NonNegative(infinite=True)]
TorsionDamping = Annotated[float, Unit("N·m·s/rad", "damping"), NonNegative()]


class Bearing(Element):
    r"""Bearing between two frames: three displacements of q in the axes of p, and three rotations.

    With :math:`\boldsymbol\Delta = \mathbf r_q - \mathbf r_p` and the axes
    :math:`\mathbf t_p, \mathbf n_p, \mathbf b_p` of the bearing, the first along its ``axis``,

    .. math:: \varepsilon_1 = \mathbf t_p\cdot\boldsymbol\Delta - d_t, \quad
              \varepsilon_2 = \mathbf n_p\cdot\boldsymbol\Delta - d_n, \quad
              \varepsilon_3 = \mathbf b_p\cdot\boldsymbol\Delta - d_b ,

    and the rotation and bending strains are those of a :class:`Hinge` [Schwab2002 (3.34)]. By default the displacements
    are constrained and the rotations are free, as in a ball joint; stiffnesses change this. With ``friction`` the
    rotation about the axis slides on a journal of the given ``radius``; the normal force consists of the force across
    the axis and the thrust along it.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    axis: Annotated[Direction, Unit("", "direction of the bearing as drawn")] = (1.0, 0.0, 0.0)
    y_axis: YAxis = UNSPECIFIED
    kx: Stiffness = inf
    ky: Stiffness = inf
    kz: Stiffness = inf
    kt: Torsion = 0.0
    kby: Torsion = 0.0
    kbz: Torsion = 0.0
    cx: Damping = 0.0
    cy: Damping = 0.0
    cz: Damping = 0.0
    ct: TorsionDamping = 0.0
    cby: TorsionDamping = 0.0
    cbz: TorsionDamping = 0.0
    friction: JointFriction = None
    radius: PinRadius = 0.0

    strains: ClassVar = ("along", "across_y", "across_z", "rotation", "bending_y", "bending_z")
    units: ClassVar = ("m", "m", "m", "rad", "rad", "rad")
    tracked: ClassVar = ("turned",)

    def check(self) -> None:
        require_radius("Bearing", self.friction, self.radius)

    def companions(self, name: str) -> dict[str, Element]:
        if self.friction is None:
            return {}
        pressure = (*pair_pressure(("across_y", "across_z"), (), 0.0), ((("along", 1.0),),))
        axes = self.axis, self.y_axis
        return {f"{name}.friction": PinSlip(f"{name}.p", f"{name}.q", self.friction, self.radius, *axes, pressure)}

    def strain(self, p: Frame, q: Frame) -> Vector:
        return whole_motion(p, q, (self.drawn_x, self.drawn_y, self.drawn_z), self.turned)

    def track(self, p: Frame, q: Frame) -> Vector:
        return vec(rotation(p, q, self.turned))

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        return drawn_numbers(p, q, self.axis, self.y_axis)

    def stiffness(self, length: float) -> Matrix:
        return np.diag([self.kx, self.ky, self.kz, self.kt, self.kby, self.kbz])

    def damping(self, length: float) -> Matrix:
        return np.diag([self.cx, self.cy, self.cz, self.ct, self.cby, self.cbz])
