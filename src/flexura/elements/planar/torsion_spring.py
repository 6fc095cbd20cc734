"""The torsion spring in the plane."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.element import Element, Matrix
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End


class TorsionSpring(Element):
    r"""Torsion spring between two ends, with a damper in parallel: relative rotation.

    .. math:: \varepsilon = \varphi_q - \varphi_p, \quad \sigma = k\,\varepsilon + c\,\dot\varepsilon + M_0 .

    The moment in the drawn position is :math:`M_0 = P - k\varphi_0`, with the ``preload`` P and the ``free_angle``
    :math:`\varphi_0`, the rotation at which the moment is zero without a preload.
    """

    p: At[End]
    q: At[End]
    k: Annotated[float, Unit("N·m/rad", "stiffness"), NonNegative()]
    free_angle: Annotated[float, Unit("rad", "rotation at which the moment is zero")] = 0.0
    c: Annotated[float, Unit("N·m·s/rad", "damping"), NonNegative()] = 0.0
    preload: Annotated[float, Unit("N·m", "additional moment in the drawn position")] = 0.0

    strains: ClassVar = ("rotation",)
    units: ClassVar = ("rad",)

    def strain(self, p: End, q: End) -> Vector:
        return vec(q.phi - p.phi)

    def stiffness(self, length: float) -> Matrix:
        return np.array([[self.k]])

    def damping(self, length: float) -> Matrix:
        return np.array([[self.c]])

    def preloads(self, length: float) -> list[float]:
        return [self.preload - self.k * self.free_angle]

    def outline(self, points: int, p: End, q: End) -> list[list[Vector]]:
        # it acts on orientations alone: no line connects nodes that are apart
        return [[q.r]]
