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

    The moment :math:`M_0` in the drawn position is the ``preload``, and that of the ``free_angle``, the rotation
    without moment: :math:`-k\varphi_0`.
    """

    p: At[End]
    q: At[End]
    k: Annotated[float, Unit("N·m/rad", "stiffness"), NonNegative()]
    free_angle: Annotated[float, Unit("rad", "rotation without moment")] = 0.0
    c: Annotated[float, Unit("N·m·s/rad", "damping"), NonNegative()] = 0.0
    preload: Annotated[float, Unit("N·m", "moment in the drawn position, besides that of the free angle")] = 0.0

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
