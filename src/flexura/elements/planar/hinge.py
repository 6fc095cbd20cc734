"""The planar hinge."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.element import Element, Matrix
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, End


class Hinge(Element):
    r"""Relative rotation of two ends, as a torsion spring, a drive or a stop.

    .. math:: \varepsilon = \varphi_q - \varphi_p .

    Links that share a node are hinged without it; the hinge is there to act on the angle between them.
    """

    p: At[End]
    q: At[End]
    k: Annotated[float, Unit("N·m/rad", "stiffness, infinite for a weld"), NonNegative(infinite=True)] = 0.0
    c: Annotated[float, Unit("N·m·s/rad", "damping"), NonNegative()] = 0.0

    strains: ClassVar = ("rotation",)
    units: ClassVar = ("rad",)

    def strain(self, p: End, q: End) -> Vector:
        return vec(q.phi - p.phi)

    def stiffness(self, length: float) -> Matrix:
        return np.array([[self.k]])

    def damping(self, length: float) -> Matrix:
        return np.array([[self.c]])
