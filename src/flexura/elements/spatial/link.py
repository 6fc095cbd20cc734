"""The massless rigid arm."""

from __future__ import annotations

from typing import ClassVar

from flexura.algebra import Vector, vec
from flexura.elements.element import Element
from flexura.nodes import At, Frame, Point
from flexura.rotations import conjugate, turn


class Link(Element):
    r"""Massless arm from a frame to a point that moves along with it.

    .. math:: \boldsymbol\varepsilon = \mathbf R_p^T(\mathbf r_q - \mathbf r_p) - \mathbf d

    with the drawn distance :math:`\mathbf d`. Other elements attached to the node q rotate freely there.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Point]

    strains: ClassVar = ("along_x", "along_y", "along_z")

    def strain(self, p: Frame, q: Point) -> Vector:
        return turn(conjugate(p.e), q.r - p.r) - vec(self.drawn_x, self.drawn_y, self.drawn_z)

    def measure(self, p: Frame, q: Point) -> dict[str, float]:
        return dict(zip(("drawn_x", "drawn_y", "drawn_z"), map(float, q.r - p.r), strict=True))
