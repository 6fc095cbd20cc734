"""The tyre."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Annotated, Any, ClassVar

import numpy as np

from flexura.algebra import Vector, atan2, atom, cross, norm, sqrt, vec
from flexura.algebra import cos as cosine
from flexura.elements.contacts import Contact
from flexura.elements.element import Element, Matrix
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.kelvin_voigt import KelvinVoigt
from flexura.laws.tyres import AnyTyre, Bump, above_bump
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, Frame
from flexura.rotations import spin


class Tyre(Element):
    r"""Tyre of the wheel p on the ground g: a radial spring, and side force and aligning moment by a ``law``.

    The centre :math:`\mathbf w` of the wheel is at the height :math:`h` above the ground. With its axle
    :math:`\mathbf e_w`, the normal :math:`\mathbf n`, the heading :math:`\mathbf e_x` along
    :math:`\mathbf e_w\times\mathbf n`, :math:`\mathbf e_y = \mathbf n\times\mathbf e_x`, the camber
    :math:`\gamma = \arcsin(\mathbf n\cdot\mathbf e_w)`, and the cross-sectional radius
    :math:`\rho` of the tread,

    .. math:: g = \frac{h - \rho}{\cos\gamma} + \rho - r, \quad \varepsilon = \gamma, \qquad
              s_{1,2} = \mathbf e_{x,y}\cdot(\dot{\mathbf w} - h\,\boldsymbol\omega\times\mathbf n), \quad
              s_3 = \mathbf n\cdot\boldsymbol\omega, \quad s_4 = \mathbf e_x\cdot\dot{\mathbf w}

    are its gap, with the unloaded radius r, its strain, minus the value as drawn, and its slips relative to the ground,
    which may move. The radial spring transmits no tension. The slip angle :math:`\arctan((s_2 - h\dot\gamma)/s_4)` is
    that of the centre. The law gives the side force on :math:`s_2` and the moment on :math:`s_3`. The slip along is
    held at zero: the wheel rolls. The height of a ``road`` varies along the x axis of the ground.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    g: At[Frame]
    radius: Annotated[float, Unit("m", "radius without load"), Positive()]
    k: Annotated[float, Unit("N/m", "radial stiffness"), Positive()]
    law: Annotated[AnyTyre, Unit("", "law of the side force and the aligning moment")]
    c: Annotated[float, Unit("N·s/m", "radial damping"), NonNegative()] = 0.0
    crown: Annotated[float, Unit("m", "cross-sectional radius of the tread; zero: sharp"), NonNegative()] = 0.0
    road: Annotated[Bump | None, Unit("", "obstacle on the road; by default a flat road")] = None
    crawl: Annotated[float, Unit("m/s", "speed below which the slip angle is regularised"), Positive()] = 0.1
    axle: Annotated[
        Direction, Unit("", "direction of the axle as drawn, towards the left of the direction of travel")
    ] = (0.0, 1.0, 0.0)

    strains: ClassVar = ("camber",)
    slips: ClassVar = ("along", "across", "spin", "forward")
    units: ClassVar = ("rad", "m", "m", "rad", "m")
    unconstrained: ClassVar = ("across", "spin", "forward")
    contacts: ClassVar = (Contact("gap", law="spring", inclined=True),)
    bump_height: ClassVar[Any] = None
    """A number only where there is a bump on the road, so that flat roads have kernels of their own."""

    @property
    def spring(self) -> KelvinVoigt:
        """The law of the contact with the ground."""
        return KelvinVoigt(self.k, self.c)

    def strain(self, p: Frame, g: Frame) -> Vector:
        _, camber = self._pose(p, p.t, g)
        return vec(camber - self.drawn_camber)

    def gap(self, p: Frame, g: Frame) -> Vector:
        radial, _ = self._pose(p, p.t, g)
        return vec(radial - self.radius)

    def slip(self, p: Frame, g: Frame, dp: Frame, dg: Frame) -> Vector:
        height, n = self._ground(p, g)
        heading = cross(p.t, n)
        along = heading / norm(heading)
        turning = spin(g.e, dg.e)
        centre = dp.r - dg.r - cross(turning, p.r - g.r)
        relative = spin(p.e, dp.e) - turning
        contact = centre - cross(relative, n) * height
        return vec(along @ contact, cross(n, along) @ contact, n @ relative, along @ centre)

    def stress(self, e: Vector, v: Vector) -> Vector:
        lean, gap = e
        tilting, approach, _, across, _, forward = v
        camber = lean + self.drawn_camber
        height = (self.radius + gap - self.crown) * cosine(camber) + self.crown
        push = self.spring.force(-gap, -approach, 0.0)
        # a tyre that does not roll is pushed aside, but does not push by itself
        speed = sqrt(forward * forward + self.crawl * self.crawl)
        rolling = forward * forward / (speed * speed)
        angle = atan2(across - height * tilting, speed)
        force, moment = self.law.forces(push / cosine(camber), angle, rolling * camber)
        return vec(0.0, 0.0, 0.0, -force, -moment, 0.0)

    def _pose(self, p: Frame, axle: Vector, g: Frame) -> tuple[Any, Any]:
        """The radius to the contact and the camber."""
        height, n = self._ground(p, g)
        lean = n @ axle
        upright = sqrt(1.0 - lean * lean)
        return (height - self.crown) / upright + self.crown, atan2(lean, upright)

    def _ground(self, p: Frame, g: Frame) -> tuple[Any, Vector]:
        """The height of the centre above the road, along the normal there, and this normal."""
        way, up = g.turn(Vector(1.0, 0.0, 0.0)), g.turn(Vector(0.0, 0.0, 1.0))
        r = p.r - g.r
        if self.bump_height is None:
            return up @ r, up
        height, slope = above_bump(atom(way @ r), atom(up @ r), self.bump_height, self.bump_length, self.bump_start)
        return atom(height), atom((up - way * slope) / sqrt(1.0 + slope * slope))

    def measure(self, p: Frame, g: Frame) -> dict[str, float]:
        bump = {} if self.road is None else {f"bump_{name}": value for name, value in vars(self.road).items()}
        axle = Vector(*self.axle) / norm(Vector(*self.axle))
        _, camber = self.placed(bump)._pose(p, axle, g)
        return axis_numbers(self.axle) | bump | {"drawn_camber": camber}

    def stiffness(self, length: float) -> Matrix:
        return np.zeros((1, 1))

    def outline(self, points: int, p: Frame, g: Frame) -> list[list[Vector]]:
        angles = [2.0 * pi * i / (4 * points) for i in range(4 * points + 1)]
        return [[p.r + p.n * (self.radius * cos(a)) + p.b * (self.radius * sin(a)) for a in angles]]
