"""The rotor of a geared motor."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from flexura.algebra import Vector, vec
from flexura.elements.element import Element
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Frame
from flexura.rotations import spin


class Rotor(Element):
    r"""Inertia of a motor on p that drives q about an axis of p: a rotor with n times the speed of q relative to p.

    With the axis t, which moves with p, its speed is :math:`\omega = \mathbf t\cdot(\boldsymbol\omega_p +
    n\,(\boldsymbol\omega_q - \boldsymbol\omega_p))`, and its kinetic energy :math:`\tfrac12 J\omega^2`. If p is
    fixed, the inertia at the output is :math:`n^2 J`. Include the mass of the rotor and its other moments of inertia in
    p.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    inertia: Annotated[float, Unit("kg·m²", "moment of inertia of the rotor about its axis"), Positive()]
    gear: Annotated[float, Unit("", "gear ratio: speed of the rotor over that of q, both relative to p")] = 1.0
    direction: Annotated[Direction, Unit("", "axis of the rotor as drawn")] = (0.0, 0.0, 1.0)

    def spins(self, p: Frame, q: Frame, dp: Frame, dq: Frame) -> tuple[Vector, list[list[Any]]]:
        carrier, output = p.t @ spin(p.e, dp.e), p.t @ spin(q.e, dq.e)
        return vec(carrier + self.gear * (output - carrier)), [[self.inertia]]

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        return axis_numbers(self.direction)
