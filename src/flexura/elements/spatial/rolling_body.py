"""Rolling contact of a smooth body."""

from __future__ import annotations

from math import inf
from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, atom, cross, norm, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.grounds import Side, seen, side_numbers
from flexura.elements.rolling import Rolling
from flexura.elements.triads import UNSPECIFIED, Direction, drawn_axes
from flexura.laws.slip_laws import Load, SlipLaw
from flexura.laws.surfaces import Surface, extents, reached, refuse_surface
from flexura.laws.units import Unit
from flexura.nodes import At, Frame, Point
from flexura.rotations import spin


class RollingBody(Element):
    r"""Smooth body p that rolls on the ground g; q is the point of contact.

    The surface of the body is its ``form`` f(x, y, z) = 0, in axes that are fixed to p, have their origin there and are
    parallel to the global axes as drawn. The ground is a plane, or a ``surface`` in the axes of g. Both contain the
    contact point as drawn. With the normals :math:`\mathbf n = \nabla f/|\nabla f|` of the ground and :math:`\mathbf m`
    of the body at the contact :math:`\mathbf c`, and :math:`\mathbf a` near the given ``direction``,
    :math:`\mathbf b = \mathbf n\times\mathbf a` in the plane of contact,

    .. math:: \varepsilon_1 = \frac{f(\mathbf c - \mathbf p)}{|\nabla f|}, \quad
              \varepsilon_2 = \mathbf n\cdot(\mathbf c - \mathbf g)
              \;\text{or}\; \frac{f(\mathbf c - \mathbf g)}{|\nabla f|}, \quad
              \varepsilon_3 = \mathbf a\cdot\mathbf m, \quad \varepsilon_4 = \mathbf b\cdot\mathbf m ,

    each minus its value as drawn. They are constrained: the surfaces touch and have a common tangent plane. With the
    velocity :math:`\mathbf v = \dot{\mathbf p} + \boldsymbol\omega\times(\mathbf c - \mathbf p)` of the material
    relative to the ground, which may move,

    .. math:: s_1 = \mathbf a\cdot\mathbf v, \quad s_2 = \mathbf b\cdot\mathbf v, \quad
              s_3 = \mathbf n\cdot\boldsymbol\omega, \quad
              s_4 = \mathbf a\cdot\dot{\mathbf c}, \quad s_5 = \mathbf b\cdot\dot{\mathbf c} .

    The slips along and across are held at zero, unless ``friction`` gives a slip law; the spin and the travel of the
    contact are free.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Point]
    g: At[Frame]
    form: Surface
    normal: Annotated[Direction, Unit("", "normal of the flat ground as drawn")] = (0.0, 0.0, 1.0)
    surface: Surface = ""
    direction: Annotated[Direction, Unit("", "direction near which the slip along is drawn")] = UNSPECIFIED
    friction: SlipLaw | None = None
    load: Load = 0.0

    strains: ClassVar = ("skin", "height", "tangent_along", "tangent_across")
    slips: ClassVar = ("along", "across", "spin", "travel_along", "travel_across")
    units: ClassVar = ("m", "m", "", "", "m", "m", "rad", "m", "m")
    unconstrained: ClassVar = ("spin", "travel_along", "travel_across")
    rolling: ClassVar = Rolling(travel=("travel_along", "travel_across"), pressed_by="height")

    def check(self) -> None:
        refuse_surface("RollingBody.form", self.form)
        if self.surface:
            refuse_surface("RollingBody.surface", self.surface)

    def strain(self, p: Frame, q: Point, g: Frame) -> Vector:
        height, n = self._ground().touch(g, q.r)
        skin, m = self._body().touch(p, q.r)
        along = self._along(g, n)
        tilts = vec(along @ m - self.drawn_along, cross(n, along) @ m - self.drawn_across)
        return vec(skin, height, *tilts)

    def slip(self, p: Frame, q: Point, g: Frame, dp: Frame, dq: Point, dg: Frame) -> Vector:
        _, n = self._ground().touch(g, q.r)
        along = self._along(g, n)
        across = atom(cross(n, along))
        turning = spin(p.e, dp.e)
        contact = seen(g, dg, q.r, dq.r)
        material = seen(g, dg, q.r, dp.r + cross(turning, q.r - p.r))
        about = n @ (turning - spin(g.e, dg.e))
        return vec(along @ material, across @ material, about, along @ contact, across @ contact)

    def stiffness(self, length: float) -> Matrix:
        return np.diag([inf] * 4)

    def _ground(self) -> Side:
        normal = vec(self.ground_x, self.ground_y, self.ground_z)
        return Side(self.surface, normal, self.ground_drawn, self.ground_sign)

    def _body(self) -> Side:
        return Side(self.form, vec(0.0, 0.0, 0.0), self.body_drawn, self.body_sign)

    def _along(self, g: Frame, n: Vector) -> Vector:
        """The first direction in the plane of contact."""
        wish = g.turn(vec(self.along_x, self.along_y, self.along_z))
        if not self.surface:
            return wish
        level = atom(wish - n * (n @ wish))
        along: Vector = atom(level / norm(level))
        return along

    def measure(self, p: Frame, q: Point, g: Frame) -> dict[str, float]:
        out = q.r - p.r
        numbers = side_numbers("ground", self.surface, self.normal, q.r - g.r, -out)
        numbers |= side_numbers("body", self.form, self.normal, out, out)
        _, n = self.placed(numbers)._ground().touch(g, q.r)
        _, m = self.placed(numbers)._body().touch(p, q.r)
        _, along, _ = drawn_axes(n, self.direction)
        numbers |= {f"along_{axis}": component for axis, component in zip("xyz", along, strict=True)}
        return numbers | {"drawn_along": along @ m, "drawn_across": cross(n, along) @ m, "reach": norm(out)}

    def outline(self, points: int, p: Frame, q: Point, g: Frame) -> list[list[Vector]]:
        # more rays where the body is longer
        sizes = extents(self.form, self.body_drawn, self.reach)[:, None]
        turns = np.linspace(0.0, 2.0 * np.pi, 4 * points + 1)
        circle = np.array([np.cos(turns), np.sin(turns), np.zeros_like(turns)])
        rays = [np.roll(circle, k, axis=0) * sizes for k in range(3)]
        sections = [reached(self.form, self.body_drawn, ways, self.reach) for ways in rays]
        return [[p.r + p.turn(vec(*place)) for place in section] for section in sections]
