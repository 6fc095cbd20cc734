"""The tyre."""

from __future__ import annotations

from math import asin, cos, pi, sin
from typing import Annotated, Any, ClassVar

import numpy as np

from flexura.algebra import Vector, atan2, cross, maximum, norm, sqrt, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.tyres import AnyTyre, Bump
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, Frame
from flexura.rotations import spin


class Tyre(Element):
    r"""Tyre of the wheel p on the ground g: a radial spring, side force by slip and camber, aligning moment.

    With the centre :math:`\mathbf w` of the wheel, its axle :math:`\mathbf e_w`, the normal :math:`\mathbf n` of the
    ground, the heading :math:`\mathbf e_x` along :math:`\mathbf e_w\times\mathbf n`,
    :math:`\mathbf e_y = \mathbf n\times\mathbf e_x`, and the contact :math:`\mathbf r = -h\,\mathbf n` below the centre,

    .. math:: \varepsilon_1 = h - r_0, \quad \varepsilon_2 = \arcsin(\mathbf n\cdot\mathbf e_w), \qquad
              s_1 = \mathbf e_x\cdot(\dot{\mathbf w} + \boldsymbol\omega\times\mathbf r), \quad
              s_2 = \mathbf e_y\cdot(\dot{\mathbf w} + \boldsymbol\omega\times\mathbf r), \quad
              s_3 = \mathbf n\cdot\boldsymbol\omega, \quad s_4 = \mathbf e_x\cdot\dot{\mathbf w} ,

    seen from the ground, which may move. The load is :math:`-k\varepsilon_1 - c\dot\varepsilon_1`, never a pull; the
    slip angle is :math:`\arctan(s_2/s_4)`. The slip along is held at zero: the wheel rolls. The ``law`` gives the side
    force on :math:`s_2` and the moment on :math:`s_3`. A ``road`` waves along the x of the ground.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    g: At[Frame]
    radius: Annotated[float, Unit("m", "radius without load"), Positive()]
    k: Annotated[float, Unit("N/m", "radial stiffness"), Positive()]
    law: Annotated[AnyTyre, Unit("", "side force and aligning moment")]
    c: Annotated[float, Unit("N·s/m", "radial damping"), NonNegative()] = 0.0
    road: Annotated[Bump | None, Unit("", "what is on the road; nothing where it is flat")] = None
    crawl: Annotated[float, Unit("m/s", "speed below which a slip angle means little"), Positive()] = 0.1
    axle: Annotated[Direction, Unit("", "direction of the axle as drawn, to the left of the way")] = (0.0, 1.0, 0.0)

    strains: ClassVar = ("radial", "camber")
    slips: ClassVar = ("along", "across", "spin", "forward")
    units: ClassVar = ("m", "rad", "m", "m", "rad", "m")
    loose: ClassVar = ("across", "spin", "forward")

    def strain(self, p: Frame, g: Frame) -> Vector:
        height, normal = self._ground(p, g)
        return vec(height - self.drawn_height, self._camber(p, normal) - self.drawn_camber)

    def slip(self, p: Frame, g: Frame, dp: Frame, dg: Frame) -> Vector:
        height, n = self._ground(p, g)
        heading = cross(p.t, n)
        along = heading / norm(heading)
        turning = spin(g.e, dg.e)
        contact = n * (-height)
        centre = dp.r - dg.r - cross(turning, p.r - g.r)
        relative = spin(p.e, dp.e) - turning
        material = centre + cross(relative, contact)
        return vec(along @ material, cross(n, along) @ material, n @ relative, along @ centre)

    def stress(self, e: Vector, v: Vector) -> Vector:
        pressed = self.radius - self.drawn_height - e[0]
        load = maximum(self.k * pressed - self.c * v[0], 0.0)
        angle = atan2(v[3], sqrt(v[5] * v[5] + self.crawl * self.crawl))
        force, moment = self.law.forces(load, angle, e[1] + self.drawn_camber)
        return vec(-load, 0.0, 0.0, -force, -moment, 0.0)

    def _ground(self, p: Frame, g: Frame) -> tuple[Any, Vector]:
        """The height of the centre above the road and the normal there."""
        way, up = g.turn(Vector(1.0, 0.0, 0.0)), g.turn(Vector(0.0, 0.0, 1.0))
        r = p.r - g.r
        if self.road is None:
            return up @ r, up
        x, z = way @ r, up @ r
        # the foot of the normal, from the point below the centre on
        foot = x
        for _ in range(2):
            slope = self.road.slope(foot)
            foot = foot + ((x - foot) + slope * (z - self.road.rise(foot))) / (1.0 + slope * slope)
        slope = self.road.slope(foot)
        steep = sqrt(1.0 + slope * slope)
        return ((z - self.road.rise(foot)) - slope * (x - foot)) / steep, (up - way * slope) / steep

    def _camber(self, p: Frame, normal: Vector) -> Any:
        lean = normal @ p.t
        return atan2(lean, sqrt(1.0 - lean * lean))

    def measure(self, p: Frame, g: Frame) -> dict[str, float]:
        numbers = axis_numbers(self.axle)
        axle = Vector(*self.axle) / norm(Vector(*self.axle))
        height, normal = self._ground(p, g)
        lean = normal @ axle
        return numbers | {"drawn_height": height, "drawn_camber": asin(lean)}

    def stiffness(self, length: float) -> Matrix:
        return np.zeros((2, 2))

    def outline(self, points: int, p: Frame, g: Frame) -> list[list[Vector]]:
        angles = [2.0 * pi * i / (4 * points) for i in range(4 * points + 1)]
        return [[p.r + p.n * (self.radius * cos(a)) + p.b * (self.radius * sin(a)) for a in angles]]
