"""The guide in space, prismatic or cylindrical."""

from __future__ import annotations

from math import inf
from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.joint_friction import GuideLength, JointFriction, pair_pressure
from flexura.elements.joint_motion import JointMotion
from flexura.elements.relative_rotation import drawn_numbers, rotation, whole_motion
from flexura.elements.spatial.friction_slip import GuideSlip
from flexura.elements.triads import UNSPECIFIED, Direction, YAxis
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, Frame


class Slider(Element):
    r"""Prismatic or cylindrical joint: a guide fixed to frame p, along which frame q slides.

    With the axes :math:`\mathbf t_p, \mathbf n_p, \mathbf b_p` of the guide and :math:`\boldsymbol\Delta = \mathbf r_q
    - \mathbf r_p`,

    .. math:: \varepsilon_1 = \mathbf t_p\cdot\boldsymbol\Delta - d_t, \quad
              \varepsilon_2 = \mathbf n_p\cdot\boldsymbol\Delta - d_n, \quad
              \varepsilon_3 = \mathbf b_p\cdot\boldsymbol\Delta - d_b ,

    and the rotation and bending strains are those of a :class:`Hinge`. The travel is free, or has the stiffness ``k``;
    the rotation is free if the guide is ``cylindrical``; the other strains are constrained. The guide has the given
    ``direction``, by default that from p to q as drawn. With ``friction`` the normal force is the magnitude of the
    force across the guide; with a ``guide_length`` the forces by which its ends carry moments count, too.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    direction: Annotated[Direction, Unit("", "direction as drawn; zero: from p to q")] = UNSPECIFIED
    y_axis: YAxis = UNSPECIFIED
    cylindrical: Annotated[bool, Unit("", "true if q can rotate about the guide")] = False
    k: Annotated[float, Unit("N/m", "stiffness of the travel"), NonNegative(infinite=True)] = 0.0
    c: Annotated[float, Unit("N·s/m", "damping of the travel"), NonNegative()] = 0.0
    friction: JointFriction = None
    guide_length: GuideLength = 0.0

    strains: ClassVar = ("travel", "offset_y", "offset_z", "rotation", "bending_y", "bending_z")
    units: ClassVar = ("m", "m", "m", "rad", "rad", "rad")
    tracked: ClassVar = ("turned",)
    joint: ClassVar = JointMotion("travel", turns=False)

    def companions(self, name: str) -> dict[str, Element]:
        if self.friction is None:
            return {}
        moments = ("bending_z", 1.0), ("bending_y", -1.0)
        pressure = pair_pressure(("offset_y", "offset_z"), moments, self.guide_length)
        axes = self.direction, self.y_axis
        return {f"{name}.friction": GuideSlip(f"{name}.p", f"{name}.q", self.friction, *axes, pressure)}

    def strain(self, p: Frame, q: Frame) -> Vector:
        return whole_motion(p, q, (self.drawn_x, self.drawn_y, self.drawn_z), self.turned)

    def track(self, p: Frame, q: Frame) -> Vector:
        return vec(rotation(p, q, self.turned))

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        return drawn_numbers(p, q, self.direction if any(self.direction) else q.r - p.r, self.y_axis)

    def stiffness(self, length: float) -> Matrix:
        return np.diag([self.k, inf, inf, 0.0 if self.cylindrical else inf, inf, inf])

    def damping(self, length: float) -> Matrix:
        return np.diag([self.c, 0.0, 0.0, 0.0, 0.0, 0.0])
