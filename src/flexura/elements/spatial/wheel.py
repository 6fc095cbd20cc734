"""The spatial wheel."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

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

    .. math:: s_1 = \frac{\mathbf r\times\mathbf e_w}{r_0}\cdot
                    (\dot{\mathbf w} + \boldsymbol\omega\times\mathbf r), \quad
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

    def _axle(self, p: Frame) -> Vector:
        return p.turn(Vector(self.axle_x, self.axle_y, self.axle_z))

    @property
    def _up(self) -> Vector:
        return Vector(self.normal_x, self.normal_y, self.normal_z)

    def strain(self, p: Frame, q: Point) -> Vector:
        r, axle, n = q.r - p.r, self._axle(p), self._up
        radial = (r @ r - self.radius**2) / (2.0 * self.radius)
        return vec(radial, axle @ r, n @ q.r - self.height, (cross(r, axle) @ n) / self.radius)

    def slip(self, p: Frame, q: Point, dp: Frame, dq: Point) -> Vector:
        r, n, omega = q.r - p.r, self._up, spin(p.e, dp.e)
        along = cross(r, self._axle(p)) * (1.0 / self.radius)
        return vec(along @ (dp.r + cross(omega, r)), cross(n, along) @ dq.r, n @ omega)

    def measure(self, p: Frame, q: Point) -> dict[str, float]:
        axle, normal = (np.array(given) / np.linalg.norm(given) for given in (self.axle, self.normal))
        found = {f"axle_{axis}": float(part) for axis, part in zip("xyz", axle, strict=True)}
        found |= {f"normal_{axis}": float(part) for axis, part in zip("xyz", normal, strict=True)}
        return {**found, "height": float(normal @ np.array(list(q.r)))}
