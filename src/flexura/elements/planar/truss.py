"""The bar with pinned ends."""

from __future__ import annotations

from math import inf
from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector
from flexura.elements.element import Element, Matrix
from flexura.elements.lengths import drawn_length
from flexura.elements.spring_forms import elongation
from flexura.laws.materials import Material
from flexura.laws.sections import AnySection, properties
from flexura.laws.units import Unit
from flexura.nodes import At, Point


class Truss(Element):
    r"""Straight bar with pinned ends (ball joints in space): one strain, the elongation.

    .. math:: \varepsilon = |\mathbf r_q - \mathbf r_p| - \ell .

    A linear actuator is a truss without mass whose elongation is driven or has a law.
    """

    p: At[Point]
    q: At[Point]
    section: AnySection
    material: Material | None = None
    rigid: Annotated[bool, Unit("", "true for a link that does not deform")] = False

    strains: ClassVar = ("elongation",)
    quadrature: ClassVar = 2

    def strain(self, p: Point, q: Point) -> Vector:
        return elongation(p, q, self.length)

    def shape(self, s: float, p: Point, q: Point) -> Vector:
        return (1 - s) * p.r + s * q.r

    def measure(self, p: Point, q: Point) -> dict[str, float]:
        return {"mass": properties(self.section, self.material).rhoA * drawn_length(p, q)}

    def stiffness(self, length: float) -> Matrix:
        return np.array([[inf if self.rigid else properties(self.section, self.material).EA / length]])

    def damping(self, length: float) -> Matrix:
        found = properties(self.section, self.material)
        if self.rigid or inf == found.EA:
            return np.zeros((1, 1))
        return np.array([[found.axial_damping(length) * found.EA / length]])
