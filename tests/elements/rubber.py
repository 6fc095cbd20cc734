"""A user's own element with a law: a rubber foot that pushes, never pulls, and drags where it presses."""

from typing import Annotated, ClassVar

from flexura.algebra import Vector, maximum, tanh, vec
from flexura.elements.element import Element
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End, Point


class Rubber(Element):
    r"""Foot q above floor p: :math:`N = k\,h_-^{3/2}(1 - c\,\dot h)`, drag :math:`\mu N \tanh(\dot s/v_0)`."""

    p: At[End]
    q: At[Point]
    k: Annotated[float, Unit("N/m^1.5", "stiffness"), NonNegative()] = 4e3
    c: Annotated[float, Unit("s/m", "damping"), NonNegative()] = 0.0
    mu: Annotated[float, Unit("", "friction"), NonNegative()] = 0.0

    strains: ClassVar = ("height", "way")

    def strain(self, p: End, q: Point) -> Vector:
        gap = q.r - p.r
        return vec(p.n @ gap - self.drawn_height, p.t @ gap - self.drawn_way)

    def stress(self, e: Vector, v: Vector) -> Vector:
        height = self.drawn_height + e[0]
        pressure = self.k * maximum(-height, 0.0) ** 1.5 * maximum(1.0 - self.c * v[0], 0.0)
        return vec(-pressure, self.mu * pressure * tanh(v[1] * 20.0))

    def measure(self, p: End, q: Point) -> dict[str, float]:
        gap = q.r - p.r
        return {"axis": 0.0, "drawn_height": gap[1], "drawn_way": gap[0]}

    def stiffness(self, length: float) -> list[list[float]]:
        return [[0.0, 0.0], [0.0, 0.0]]
