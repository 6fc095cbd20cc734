"""The spatial wheel."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Annotated, ClassVar

from flexura.algebra import Vector, cross, vec
from flexura.elements.element import Element
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.units import Unit
from flexura.nodes import At, Frame, Point
from flexura.rotations import spin


class Wheel(Element):
    r"""Sharp-edged disc p that rolls on the flat ground g; q is the point of contact.

    The contact is drawn where the rim is lowest, at the distance of the radius :math:`r_0`. With
    :math:`\mathbf r = \mathbf c - \mathbf w` from the centre to the contact, the axle :math:`\mathbf e_w` and the
    normal :math:`\mathbf n` of the ground [Schwab2002 (3.48)-(3.51)],

    .. math:: \varepsilon_1 = \frac{\mathbf r\cdot\mathbf r - r_0^2}{2 r_0}, \quad
              \varepsilon_2 = \mathbf e_w\cdot\mathbf r, \quad
              \varepsilon_3 = \mathbf n\cdot(\mathbf c - \mathbf g), \quad
              \varepsilon_4 = \mathbf n\cdot(\mathbf r\times\mathbf e_w) / r_0 ,

    less what they are as drawn, are held. With velocities seen from the ground, which may move,

    .. math:: s_1 = \frac{\mathbf r\times\mathbf e_w}{r_0}\cdot
                    (\dot{\mathbf w} + \boldsymbol\omega\times\mathbf r), \quad
              s_2 = \frac{\mathbf n\times(\mathbf r\times\mathbf e_w)}{r_0}\cdot\dot{\mathbf c}, \quad
              s_3 = \mathbf n\cdot\boldsymbol\omega :

    the slips along and across are held at zero, the spin is free.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Point]
    g: At[Frame]
    axle: Annotated[Direction, Unit("", "direction of the axle as drawn")] = (0.0, 1.0, 0.0)
    normal: Annotated[Direction, Unit("", "normal of the ground as drawn")] = (0.0, 0.0, 1.0)

    strains: ClassVar = ("radial", "lateral", "height", "tangent")
    slips: ClassVar = ("along", "across", "spin")
    units: ClassVar = ("m", "m", "m", "m", "m", "m", "rad")
    loose: ClassVar = ("spin",)

    def strain(self, p: Frame, q: Point, g: Frame) -> Vector:
        r, axle, n = q.r - p.r, p.t, self._normal(g)
        radial = (r @ r - self.radius**2) / (2.0 * self.radius)
        tangent = (n @ cross(r, axle)) / self.radius
        return vec(
            radial, axle @ r - self.drawn_lateral, n @ (q.r - g.r) - self.drawn_height, tangent - self.drawn_tangent
        )

    def slip(self, p: Frame, q: Point, g: Frame, dp: Frame, dq: Point, dg: Frame) -> Vector:
        r, n = q.r - p.r, self._normal(g)
        along = cross(r, p.t) * (1.0 / self.radius)
        turning = spin(g.e, dg.e)
        ground = dg.r + cross(turning, q.r - g.r)
        material = dp.r + cross(spin(p.e, dp.e), r)
        return vec(along @ (material - ground), cross(n, along) @ (dq.r - ground), n @ (spin(p.e, dp.e) - turning))

    def outline(self, points: int, p: Frame, q: Point, g: Frame) -> list[list[Vector]]:
        angles = [2.0 * pi * i / (4 * points) for i in range(4 * points + 1)]
        return [[p.r + p.n * (self.radius * cos(a)) + p.b * (self.radius * sin(a)) for a in angles]]

    def _normal(self, g: Frame) -> Vector:
        return g.turn(Vector(self.normal_x, self.normal_y, self.normal_z))

    def measure(self, p: Frame, q: Point, g: Frame) -> dict[str, float]:
        normal = Vector(*self.normal) * (1.0 / (Vector(*self.normal) @ Vector(*self.normal)) ** 0.5)
        axle = Vector(*self.axle) * (1.0 / (Vector(*self.axle) @ Vector(*self.axle)) ** 0.5)
        r = q.r - p.r
        radius = (r @ r) ** 0.5
        return axis_numbers(self.axle) | {
            "normal_x": normal[0],
            "normal_y": normal[1],
            "normal_z": normal[2],
            "radius": radius,
            "drawn_lateral": axle @ r,
            "drawn_height": normal @ (q.r - g.r),
            "drawn_tangent": (normal @ cross(r, axle)) / radius,
        }
