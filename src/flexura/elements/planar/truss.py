"""The planar bar."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector
from flexura.elements.bar_forms import bar_damping, bar_stiffness
from flexura.elements.element import Element, Matrix
from flexura.elements.lengths import drawn_length
from flexura.elements.spring_forms import elongation
from flexura.laws.materials import Material
from flexura.laws.sections import AnySection, properties
from flexura.laws.units import Unit
from flexura.nodes import At, Point


class Truss(Element):
    r"""Straight bar with hinged ends: one strain, the elongation.

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
        return bar_stiffness(self.section, self.material, self.rigid, length)

    def damping(self, length: float) -> Matrix:
        return bar_damping(self.section, self.material, self.rigid, length)
