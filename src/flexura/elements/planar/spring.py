"""The spring between two points."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from flexura.algebra import Vector
from flexura.elements.element import Element, Matrix
from flexura.elements.spring_forms import (
    Damping,
    FreeLength,
    Preload,
    SpringStiffness,
    coil,
    elongation,
    preload_of,
    spring_stiffness,
)
from flexura.nodes import At, Point


class Spring(Element):
    r"""Spring between two points, with a damper in parallel: elongation.

    With the drawn distance :math:`\ell` of the points,

    .. math:: \varepsilon = |\mathbf r_q - \mathbf r_p| - \ell, \quad
              \sigma = k\,\varepsilon + c\,\dot\varepsilon + F_0, \quad F_0 = k(\ell - \ell_0) .

    The tension :math:`F_0` in the drawn position follows from the ``free_length`` :math:`\ell_0`, or is the
    ``preload``; without either the spring is unstressed as drawn. For a non-linear spring, give a law of its elongation
    in ``laws`` of the model. It has no mass.
    """

    p: At[Point]
    q: At[Point]
    k: SpringStiffness
    free_length: FreeLength = None
    c: Damping = 0.0
    preload: Preload = 0.0

    line_width: ClassVar = 0.5
    strains: ClassVar = ("elongation",)

    def strain(self, p: Point, q: Point) -> Vector:
        return elongation(p, q, self.length)

    def stiffness(self, length: float) -> Matrix:
        return spring_stiffness(self.k, length)

    def damping(self, length: float) -> Matrix:
        return np.array([[self.c]])

    def preloads(self, length: float) -> list[float]:
        return [preload_of(self.k, self.preload, self.free_length, length)]

    def outline(self, points: int, p: Point, q: Point) -> list[list[Any]]:
        return coil(p, q, self.length)
