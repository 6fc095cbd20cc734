"""The damper between two points."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from flexura.algebra import Vector
from flexura.elements.element import Element, Matrix
from flexura.elements.spring_forms import Damping, dashpot, elongation
from flexura.nodes import At, Point


class Damper(Element):
    r"""Viscous damper between two points: elongation.

    .. math:: \varepsilon = |\mathbf r_q - \mathbf r_p| - \ell, \quad \sigma = c\,\dot\varepsilon .

    For a damper with another characteristic, give a law of its elongation in ``laws`` of the model, such as
    ``"200*v*abs(v)"``. It has no mass.
    """

    p: At[Point]
    q: At[Point]
    c: Damping

    line_width: ClassVar = 0.5
    strains: ClassVar = ("elongation",)

    def strain(self, p: Point, q: Point) -> Vector:
        return elongation(p, q, self.length)

    def stiffness(self, length: float) -> Matrix:
        return np.zeros((1, 1))

    def damping(self, length: float) -> Matrix:
        return np.array([[self.c]])

    def outline(self, points: int, p: Point, q: Point) -> list[list[Any]]:
        return dashpot(p, q, self.length)
