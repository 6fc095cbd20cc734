"""The rigid body."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from flexura.algebra import Vector, vec
from flexura.elements.element import Element
from flexura.elements.spatial.link import Link
from flexura.errors import ModelError
from flexura.laws.solids import AnySolid
from flexura.laws.units import NonNegative, Unit
from flexura.nodes import At, Frame
from flexura.rotations import own_spin

Moment = Annotated[float, Unit("kg·m²", "moment of inertia about the axis through the centre"), NonNegative()]
Product = Annotated[
    float, Unit("kg·m²", "product of inertia: off-diagonal element of the inertia tensor, such as −∫xy dm")
]


class Body(Element):
    r"""Rigid body: mass, centre of mass, inertia tensor and the nodes that are fixed to it.

    ``centre`` is the vector from the node p to the centre of mass, in global axes as drawn. The inertia tensor is about
    the centre of mass, in global axes as drawn. With the angular velocity :math:`\boldsymbol\omega'` in body-fixed
    axes the kinetic energy is :math:`\tfrac12 m\,\dot{\mathbf r}_c\cdot\dot{\mathbf r}_c +
    \tfrac12\boldsymbol\omega'\cdot\mathbf J'\boldsymbol\omega'` [Schwab2002 (B.23)].
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    mass: Annotated[float, Unit("kg", "mass"), NonNegative()]
    Jxx: Moment = 0.0
    Jyy: Moment = 0.0
    Jzz: Moment = 0.0
    Jxy: Product = 0.0
    Jxz: Product = 0.0
    Jyz: Product = 0.0
    centre: Annotated[tuple[float, float, float], Unit("m", "from p to the centre of mass as drawn")] = (0.0, 0.0, 0.0)
    points: Annotated[tuple[str, ...], Unit("", "nodes that are fixed to the body")] = ()
    solid: Annotated[AnySolid | None, Unit("", "shape in figures; it has no effect on the motion")] = None

    quadrature: ClassVar = 1

    def check(self) -> None:
        moments = np.linalg.eigvalsh(np.array(self._tensor()))
        if moments[0] < -1e-9 * abs(moments[2]) or moments[2] > (1 + 1e-9) * (moments[0] + moments[1]):
            what = f"the principal moments of inertia are impossible: {', '.join(f'{m:.4g}' for m in moments)}"
            raise ModelError("Body", what, "each may be at most the sum of the other two; check signs and units")

    def shape(self, s: float, p: Frame) -> Vector:
        return p.r + p.turn(vec(self.centre_x, self.centre_y, self.centre_z))

    def spins(self, p: Frame, dp: Frame) -> tuple[Vector, list[list[float]]]:
        return own_spin(p.e, dp.e), self._tensor()

    def _tensor(self) -> list[list[float]]:
        return [[self.Jxx, self.Jxy, self.Jxz], [self.Jxy, self.Jyy, self.Jyz], [self.Jxz, self.Jyz, self.Jzz]]

    def measure(self, p: Frame) -> dict[str, float]:
        return dict(zip(("centre_x", "centre_y", "centre_z"), self.centre, strict=True))

    def companions(self, name: str) -> dict[str, Element]:
        return {f"{name}.{point}": Link(f"{name}.p", point) for point in self.points}

    def outline(self, points: int, p: Frame) -> list[list[Vector]]:
        if self.solid is not None:
            return [[p.r + p.turn(vec(*place)) for place in line] for line in self.solid.lines()]
        centre = self.shape(0.0, p)
        return [*([[p.r, centre]] if any(self.centre) else []), *([[centre]] if self.mass else [])]
