"""The torsion spring in space."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.relative_rotation import rotation
from flexura.elements.triads import UNSPECIFIED, Direction, YAxis, axis_numbers
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, Frame


class TorsionSpring(Element):
    r"""Torsion spring about an axis between two frames, with a damper in parallel: relative rotation.

    With the Euler parameters :math:`\mathbf s` of q in p, in axes with x along the ``axis`` [Schwab2002 (3.34)],

    .. math:: \varepsilon = 2\arctan(s_1/s_0), \quad \sigma = k\,\varepsilon + c\,\dot\varepsilon + M_0 .

    The moment in the drawn position is :math:`M_0 = P - k\varphi_0`, with the ``preload`` P and the ``free_angle``
    :math:`\varphi_0`, the rotation at which the moment is zero without a preload. The rotation counts any number of
    revolutions. Add a :class:`Hinge` to hold the axis.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    axis: Annotated[Direction, Unit("", "direction of the axis as drawn")]
    k: Annotated[float, Unit("N·m/rad", "stiffness"), NonNegative()]
    free_angle: Annotated[float, Unit("rad", "rotation at which the moment is zero")] = 0.0
    c: Annotated[float, Unit("N·m·s/rad", "damping"), NonNegative()] = 0.0
    preload: Annotated[float, Unit("N·m", "additional moment in the drawn position")] = 0.0
    y_axis: YAxis = UNSPECIFIED

    draws_axis: ClassVar = True
    strains: ClassVar = ("rotation",)
    units: ClassVar = ("rad",)
    tracked: ClassVar = ("turned",)

    def strain(self, p: Frame, q: Frame) -> Vector:
        return vec(rotation(p, q, self.turned))

    def track(self, p: Frame, q: Frame) -> Vector:
        return vec(rotation(p, q, self.turned))

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        return axis_numbers(self.axis, self.y_axis) | {"turned": 0.0}

    def stiffness(self, length: float) -> Matrix:
        return np.array([[self.k]])

    def damping(self, length: float) -> Matrix:
        return np.array([[self.c]])

    def preloads(self, length: float) -> list[float]:
        return [self.preload - self.k * self.free_angle]

    def outline(self, points: int, p: Frame, q: Frame) -> list[list[Vector]]:
        # it acts on orientations alone: no line connects nodes that are apart
        return [[q.r]]
