"""A user's own element in space: a balanced disc on a shaft."""

from typing import Annotated, Any, ClassVar

from flexura.algebra import Vector
from flexura.elements.element import Element
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Frame
from flexura.rotations import own_spin


class Rotor(Element):
    r"""Thin disc: :math:`T = \tfrac12 m\dot r^2 + \tfrac12 J\omega_t^2 + \tfrac14 J(\omega_n^2 + \omega_b^2)`."""

    space: ClassVar = "spatial"
    p: At[Frame]
    mass: Annotated[float, Unit("kg", "mass"), Positive()]
    J: Annotated[float, Unit("kg·m²", "moment of inertia about its axis"), Positive()]
    axis: Annotated[Direction, Unit("", "direction of the shaft as drawn")] = (0.0, 0.0, 1.0)

    def shape(self, s: float, p: Frame) -> Vector:
        return p.r

    def spins(self, p: Frame, dp: Frame) -> tuple[Vector, list[list[Any]]]:
        half = self.J / 2
        return own_spin(p.turned, dp.turned), [[self.J, 0.0, 0.0], [0.0, half, 0.0], [0.0, 0.0, half]]

    def measure(self, p: Frame) -> dict[str, float]:
        return axis_numbers(self.axis)
