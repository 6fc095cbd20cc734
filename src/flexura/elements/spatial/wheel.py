"""The spatial wheel."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector, cross, vec
from flexura.elements.element import Element
from flexura.elements.triads import Direction
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Frame, Point
from flexura.rotations import spin


class Wheel(Element):
    r"""Sharp-edged disc that rolls on a plane; q is the point of contact.

    With :math:`\mathbf r = \mathbf c - \mathbf w` from the centre to the contact, the axle :math:`\mathbf e_w` and the
    normal :math:`\mathbf n` of the plane through the drawn contact [Schwab2002 (3.48)-(3.51)],

    .. math:: \varepsilon_1 = \frac{\mathbf r\cdot\mathbf r - r_0^2}{2 r_0}, \quad
              \varepsilon_2 = \mathbf e_w\cdot\mathbf r, \quad
              \varepsilon_3 = \mathbf n\cdot\mathbf c - h, \quad
              \varepsilon_4 = (\mathbf r\times\mathbf e_w)\cdot\mathbf n / r_0

    are held, and so are the slips along and across; the spin about the normal is free,

    .. math:: s_1 = \frac{\mathbf r\times\mathbf e_w}{r_0}\cdot(\dot{\mathbf w} + \boldsymbol\omega\times\mathbf r), \quad
              s_2 = \frac{\mathbf n\times(\mathbf r\times\mathbf e_w)}{r_0}\cdot\dot{\mathbf c}, \quad
              s_3 = \mathbf n\cdot\boldsymbol\omega .
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Point]
    radius: Annotated[float, Unit("m", "radius of the disc"), Positive()]
    axle: Annotated[Direction, Unit("", "direction of the axle as drawn")] = (0.0, 1.0, 0.0)
    normal: Annotated[Direction, Unit("", "normal of the ground")] = (0.0, 0.0, 1.0)

    strains: ClassVar = ("radial", "lateral", "ground", "tangent")
    slips: ClassVar = ("along", "across", "spin")
    units: ClassVar = ("m", "m", "m", "m", "m", "m", "rad")
    loose: ClassVar = ("spin",)

    def _across(self, p: Frame, r: Vector) -> Vector:
        return cross(r, p.turn(Vector(self.axle_x, self.axle_y, self.axle_z)))

    def strain(self, p: Frame, q: Point) -> Vector:
        r, n = q.r - p.r, Vector(self.normal_x, self.normal_y, self.normal_z)
        axle = p.turn(Vector(self.axle_x, self.axle_y, self.axle_z))
        radial = (r @ r - self.radius**2) / (2.0 * self.radius)
        return vec(radial, axle @ r, n @ q.r - self.height, (self._across(p, r) @ n) / self.radius)

    def slip(self, p: Frame, q: Point, dp: Frame, dq: Point) -> Vector:
        r, n = q.r - p.r, Vector(self.normal_x, self.normal_y, self.normal_z)
        along, omega = self._across(p, r), spin(p.e, dp.e)
        return vec(
            (along @ (dp.r + cross(omega, r))) / self.radius, (cross(n, along) @ dq.r) / self.radius, n @ omega
        )

    def measure(self, p: Frame, q: Point) -> dict[str, float]:
        axle, normal = (Vector(*given) * (1.0 / (Vector(*given) @ Vector(*given)) ** 0.5) for given in (self.axle, self.normal))
        names = zip("xyz", axle, normal, strict=True)
        found = {f"{what}_{axis}": part for axis, a, n in names for what, part in (("axle", a), ("normal", n))}
        return {**found, "height": normal @ q.r}
