"""A user's own element with a slip: a runner that does not go sideways."""

from typing import ClassVar

from flexura.algebra import Vector, cross, vec
from flexura.elements.element import Element
from flexura.elements.triads import axis_numbers
from flexura.nodes import At, Frame
from flexura.rotations import spin


class Skate(Element):
    r"""Runner q on plate p: height :math:`\mathbf b_p\cdot\mathbf\Delta - d`, and the velocity across the runner."""

    space: ClassVar = "spatial"
    p: At[Frame]
    q: At[Frame]

    strains: ClassVar = ("height",)
    slips: ClassVar = ("sideways",)

    def strain(self, p: Frame, q: Frame) -> Vector:
        return vec(p.b @ (q.r - p.r) - self.drawn)

    def slip(self, p: Frame, q: Frame, dp: Frame, dq: Frame) -> Vector:
        return vec(q.n @ (dq.r - dp.r - cross(spin(p.e, dp.e), q.r - p.r)))

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        return axis_numbers((1.0, 0.0, 0.0)) | {"drawn": q.r[2] - p.r[2]}
