"""The sliding of a spatial joint with friction, and the forces that it transmits."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector, cross, vec
from flexura.elements.element import Element
from flexura.elements.joint_friction import joint_grip
from flexura.elements.relative_rotation import DRAWN, drawn_numbers
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.friction import Friction
from flexura.laws.grip import Grip, Pressure
from flexura.laws.units import Unit
from flexura.nodes import At, Frame
from flexura.rotations import spin


class PinSlip(Element):
    r"""Surface of a pin of radius r in its hole: slip :math:`r\,\mathbf t_p\cdot(\boldsymbol\omega_q -
    \boldsymbol\omega_p)`."""

    space: ClassVar = "spatial"
    internal: ClassVar = True

    p: At[Frame]
    q: At[Frame]
    friction: Annotated[Friction, Unit("")]
    radius: Annotated[float, Unit("m")]
    along: Annotated[Direction, Unit("")]
    y_axis: Annotated[Direction, Unit("")]
    pressure: Annotated[Pressure, Unit("")]

    slips: ClassVar = ("slide",)
    unconstrained: ClassVar = ("slide",)

    def slip(self, p: Frame, q: Frame, dp: Frame, dq: Frame) -> Vector:
        return vec(self.radius * (p.t @ (spin(q.e, dq.e) - spin(p.e, dp.e))))

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        return axis_numbers(self.along, self.y_axis)

    def joint_grips(self) -> tuple[Grip, ...]:
        return (joint_grip(self.friction, self.pressure),)


class CarryingPinSlip(Element):
    r"""Pin that carries the force between two nodes at one place, with the slip of its surface."""

    space: ClassVar = "spatial"
    internal: ClassVar = True
    apart: ClassVar = True

    p: At[Frame]
    q: At[Frame]
    friction: Annotated[Friction, Unit("")]
    radius: Annotated[float, Unit("m")]
    along: Annotated[Direction, Unit("")]
    y_axis: Annotated[Direction, Unit("")]
    pressure: Annotated[Pressure, Unit("")]

    strains: ClassVar = ("axial", "across_y", "across_z")
    slips: ClassVar = ("slide",)
    unconstrained: ClassVar = ("slide",)

    def strain(self, p: Frame, q: Frame) -> Vector:
        d = q.r - p.r
        return vec(p.t @ d - self.drawn_x, p.n @ d - self.drawn_y, p.b @ d - self.drawn_z)

    def slip(self, p: Frame, q: Frame, dp: Frame, dq: Frame) -> Vector:
        return vec(self.radius * (p.t @ (spin(q.e, dq.e) - spin(p.e, dp.e))))

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        numbers = drawn_numbers(p, q, self.along, self.y_axis)
        return {name: number for name, number in numbers.items() if name in DRAWN or name.startswith("axis")}

    def joint_grips(self) -> tuple[Grip, ...]:
        return (joint_grip(self.friction, self.pressure),)


class GuideSlip(Element):
    r"""Travel of q on a guide that is fixed to p."""

    space: ClassVar = "spatial"
    internal: ClassVar = True

    p: At[Frame]
    q: At[Frame]
    friction: Annotated[Friction, Unit("")]
    direction: Annotated[Direction, Unit("")]
    y_axis: Annotated[Direction, Unit("")]
    pressure: Annotated[Pressure, Unit("")]

    slips: ClassVar = ("slide",)
    unconstrained: ClassVar = ("slide",)

    def slip(self, p: Frame, q: Frame, dp: Frame, dq: Frame) -> Vector:
        return vec(p.t @ (dq.r - dp.r - cross(spin(p.e, dp.e), q.r - p.r)))

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        return axis_numbers(self.direction if any(self.direction) else q.r - p.r, self.y_axis)

    def joint_grips(self) -> tuple[Grip, ...]:
        return (joint_grip(self.friction, self.pressure),)
