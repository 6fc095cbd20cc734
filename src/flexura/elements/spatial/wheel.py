"""The spatial wheel."""

from __future__ import annotations

from math import cos, inf, isinf, pi, sin
from typing import Annotated, Any, ClassVar

import numpy as np

from flexura.algebra import Vector, atom, cross, maximum, norm, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.grounds import Side, seen, side_numbers
from flexura.elements.rolling import Rolling
from flexura.elements.triads import Direction, axis_numbers
from flexura.errors import ModelError
from flexura.laws.slip_laws import Load, SlipLaw
from flexura.laws.surfaces import Surface, refuse_surface
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, Frame, Point
from flexura.rotations import spin

Stiffness = Annotated[float, Unit("N/m", "stiffness; infinite for a constraint"), NonNegative(infinite=True)]
Damping = Annotated[float, Unit("N·s/m", "damping"), NonNegative()]


class Wheel(Element):
    r"""Wheel p that rolls on the ground g; q is the point of contact.

    Draw the contact point q at the lowest point of the rim; its distance from the centre is the radius. The rim is
    sharp, or round with the radius :math:`\rho` of its ``crown``. With the normal :math:`\mathbf n` of the ground, the
    axle :math:`\mathbf e_w` and the vector :math:`\mathbf r = \mathbf c + \rho\,\mathbf n - \mathbf w` from the centre
    of the wheel to that of the crown [Schwab2002 (3.48)-(3.51), for a sharp rim],

    .. math:: \varepsilon_1 = \frac{\mathbf r\cdot\mathbf r - r_0^2}{2 r_0}
              \;\text{or, with a radial stiffness,}\; |\mathbf r\times\mathbf e_w| - r_0, \quad
              \varepsilon_2 = \mathbf e_w\cdot\mathbf r, \quad
              \varepsilon_3 = \mathbf n\cdot(\mathbf c - \mathbf g)
              \;\text{or}\; \frac{f(\mathbf c - \mathbf g)}{|\nabla f|}, \quad
              \varepsilon_4 = \mathbf n\cdot(\mathbf r\times\mathbf e_w) / r_0 ,

    each minus its value as drawn. They are constrained, except that the wheel may have a radial and a lateral stiffness
    (``k_radial``, ``k_lateral``). The ground is a plane, or the ``surface`` f(x, y, z) = 0 in the axes of g. With
    :math:`\mathbf a` along :math:`\mathbf r\times\mathbf e_w` and velocities relative to the ground, which may move,

    .. math:: s_1 = \mathbf a\cdot(\dot{\mathbf w} + \boldsymbol\omega\times(\mathbf c - \mathbf w)), \quad
              s_2 = (\mathbf n\times\mathbf a)\cdot
                    (\dot{\mathbf c} + \rho\,\dot{\mathbf n} - \rho\,\boldsymbol\omega\times\mathbf n), \quad
              s_3 = \mathbf n\cdot\boldsymbol\omega, \quad
              s_4 = \mathbf a\cdot\dot{\mathbf c} .

    The slips along and across are held at zero, unless ``friction`` gives a slip law; the spin and the travel of the
    contact are free.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Point]
    g: At[Frame]
    axle: Annotated[Direction, Unit("", "direction of the axle as drawn")] = (0.0, 1.0, 0.0)
    normal: Annotated[Direction, Unit("", "normal of the flat ground as drawn")] = (0.0, 0.0, 1.0)
    surface: Surface = ""
    crown: Annotated[
        float, Unit("m", "cross-sectional radius of a round rim; zero for a sharp edge"), NonNegative()
    ] = 0.0
    k_radial: Stiffness = inf
    c_radial: Damping = 0.0
    k_lateral: Stiffness = inf
    c_lateral: Damping = 0.0
    friction: SlipLaw | None = None
    load: Load = 0.0

    strains: ClassVar = ("radial", "lateral", "height", "tangent")
    slips: ClassVar = ("along", "across", "spin", "travel")
    units: ClassVar = ("m", "m", "m", "m", "m", "m", "rad", "m")
    unconstrained: ClassVar = ("spin", "travel")
    rolling: ClassVar = Rolling(
        pressed_by="height", remedy="give the load, or let the wheel yield radially with k_radial"
    )

    def check(self) -> None:
        if self.surface:
            refuse_surface("Wheel.surface", self.surface)

    def strain(self, p: Frame, q: Point, g: Frame) -> Vector:
        height, n = self._ground().touch(g, q.r)
        r, axle = q.r + n * self.crown - p.r, p.t
        lever = atom(cross(r, axle))
        # the square adds no rounding where there is no length to be measured
        square, length = (r @ r - self.rim**2) / (2.0 * self.rim), norm(lever) - self.lever
        radial = (1.0 - self.soft) * square + self.soft * length
        tangent = (n @ lever) / self.lever
        return vec(radial, axle @ r - self.drawn_lateral, height, tangent - self.drawn_tangent)

    def slip(self, p: Frame, q: Point, g: Frame, dp: Frame, dq: Point, dg: Frame) -> Vector:
        _, n = self._ground().touch(g, q.r)
        lever = atom(cross(q.r + n * self.crown - p.r, p.t))
        # what is known to be constant adds no rounding
        along = atom(lever * ((1.0 - self.soft) / self.lever + self.soft / norm(lever)))
        across = atom(cross(n, along))
        turning = spin(p.e, dp.e) - spin(g.e, dg.e)
        contact = seen(g, dg, q.r, dq.r)
        material = seen(g, dg, q.r, dp.r + cross(spin(p.e, dp.e), q.r - p.r))
        # the round rim rolls sideways where the wheel leans over
        rocking = self._ground().turning(g, q.r, contact) - cross(turning, n)
        return vec(along @ material, across @ (contact + rocking * self.crown), n @ turning, along @ contact)

    def stiffness(self, length: float) -> Matrix:
        return np.diag([self.k_radial, self.k_lateral, inf, inf])

    def damping(self, length: float) -> Matrix:
        return np.diag([self.c_radial, self.c_lateral, 0.0, 0.0])

    def normal_force(self, e: Vector, v: Vector) -> Any:
        return self.load if isinf(self.k_radial) else maximum(-(self.k_radial * e[0] + self.c_radial * v[0]), 0.0)

    def outline(self, points: int, p: Frame, q: Point, g: Frame) -> list[list[Vector]]:
        angles = [2.0 * pi * i / (4 * points) for i in range(4 * points + 1)]
        radius = self.rim + self.crown
        return [[p.r + p.n * (radius * cos(a)) + p.b * (radius * sin(a)) for a in angles]]

    def _ground(self) -> Side:
        normal = vec(self.ground_x, self.ground_y, self.ground_z)
        return Side(self.surface, normal, self.ground_drawn, self.ground_sign)

    def measure(self, p: Frame, q: Point, g: Frame) -> dict[str, float]:
        numbers = side_numbers("ground", self.surface, self.normal, q.r - g.r, p.r - q.r)
        _, n = self.placed(numbers)._ground().touch(g, q.r)
        axle = Vector(*self.axle) / norm(Vector(*self.axle))
        r = q.r + n * self.crown - p.r
        lever = norm(cross(r, axle))
        if lever == 0.0 or self.crown >= norm(q.r - p.r):
            what = f"a crown of {self.crown:g} m leaves no radius between the centre and the contact"
            raise ModelError("", what, "draw the contact on the rim; a ball is a RollingBody")
        drawn = {"drawn_lateral": axle @ r, "drawn_tangent": (n @ cross(r, axle)) / lever}
        soft = 0.0 if isinf(self.k_radial) and isinf(self.k_lateral) else 1.0
        return axis_numbers(self.axle) | numbers | drawn | {"rim": norm(r), "lever": lever, "soft": soft}
