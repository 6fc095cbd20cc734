"""A user's own element in space with a coordinate of its own: a mass on a spring that slides inside a body."""

from typing import Annotated, ClassVar

import numpy as np

from flexura.elements.element import Element
from flexura.elements.triads import Direction, axis_numbers
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Frame


class Slug(Element):
    r"""Mass that slides along an axis of the body: :math:`\mathbf r = \mathbf r_p + (d + q)\,\mathbf t`."""

    space: ClassVar = "spatial"
    p: At[Frame]
    mass: Annotated[float, Unit("kg", "mass"), Positive()]
    k: Annotated[float, Unit("N/m", "stiffness of the spring"), Positive()]
    d: Annotated[float, Unit("m", "distance as drawn"), Positive()]
    axis: Annotated[Direction, Unit("", "direction of the slide as drawn")] = (1.0, 0.0, 0.0)

    coordinates: ClassVar = ("travel",)
    quadrature: ClassVar = 1

    def shape(self, s, p, own):
        return p.r + p.t * (self.d + own[0])

    def measure(self, p):
        return axis_numbers(self.axis)

    def stiffness(self, length):
        return np.array([[self.k]])
