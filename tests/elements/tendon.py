"""A user's own element: all that is needed is this file."""

from typing import Annotated, ClassVar

from flexura.algebra import Vector, norm, vec
from flexura.elements.element import Element
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Point


class Tendon(Element):
    r"""Tendon that runs from p through a smooth eye to q: :math:`\varepsilon = l_p + l_q - \ell`."""

    p: At[Point]
    eye: At[Point]
    q: At[Point]
    k: Annotated[float, Unit("N/m", "stiffness"), Positive()]

    strains: ClassVar = ("elongation",)

    def strain(self, p: Point, eye: Point, q: Point) -> Vector:
        return vec(norm(eye.r - p.r) + norm(q.r - eye.r) - self.drawn)

    def measure(self, p: Point, eye: Point, q: Point) -> dict[str, float]:
        return {"drawn": norm(eye.r - p.r) + norm(q.r - eye.r)}

    def stiffness(self, length: float) -> list[list[float]]:
        return [[self.k]]
