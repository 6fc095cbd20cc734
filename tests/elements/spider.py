"""A user's own element with any number of frames: a rigid spatial body with interfaces."""

from typing import Annotated, ClassVar

from flexura.algebra import vec
from flexura.elements.element import Element
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Frame
from flexura.rotations import conjugate, hamilton, own_spin, turn


class Spider(Element):
    r"""Rigid body: :math:`\mathbf R_1^T(\mathbf r_i - \mathbf r_1) - \mathbf x_i`, relative rotations of the frames."""

    space: ClassVar = "spatial"
    frames: tuple[At[Frame], ...]
    mass: Annotated[float, Unit("kg", "mass at the first frame"), Positive()]
    J: Annotated[float, Unit("kg·m²", "moment of inertia about all axes"), Positive()]

    @property
    def strains(self):
        """x_2, y_2, z_2, turn_x_2 and so on, six for each frame after the first"""
        words = ("x", "y", "z", "turn_x", "turn_y", "turn_z")
        return tuple(f"{word}_{i}" for i in range(2, len(self.frames) + 1) for word in words)

    @property
    def units(self):
        return ("m", "m", "m", "rad", "rad", "rad") * (len(self.frames) - 1)

    def strain(self, frames):
        first, found = frames[0], []
        for frame, x in zip(frames[1:], self.arms, strict=True):
            arm = turn(conjugate(first.e), frame.r - first.r) - vec(*x)
            found += [*arm, *list(hamilton(conjugate(first.e), frame.e) * 2.0)[1:]]
        return vec(*found)

    def shape(self, s, frames):
        return frames[0].r

    def spins(self, frames, rates):
        eye = [[self.J if i == j else 0.0 for i in range(3)] for j in range(3)]
        return own_spin(frames[0].e, rates[0].e), eye

    def measure(self, frames):
        return {"arms": [list(frame.r - frames[0].r) for frame in frames[1:]]}

    def outline(self, points, frames):
        return [[frames[0].r, frame.r] for frame in frames[1:]]
