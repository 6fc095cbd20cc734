"""The massless rigid arm in the plane."""

from __future__ import annotations

from typing import ClassVar

from flexura.algebra import Vector, vec
from flexura.elements.element import Element
from flexura.nodes import At, End, Point


class Link(Element):
    r"""Massless arm from an end to a point that moves along with it.

    .. math:: \boldsymbol\varepsilon = \mathbf R_p^T(\mathbf r_q - \mathbf r_p) - \mathbf d

    with the drawn distance :math:`\mathbf d`. Other elements attached to the node q rotate freely there.
    """

    p: At[End]
    q: At[Point]

    strains: ClassVar = ("along_x", "along_y")

    def strain(self, p: End, q: Point) -> Vector:
        d = q.r - p.r
        return vec(p.t @ d - self.drawn_x, p.n @ d - self.drawn_y)

    def measure(self, p: End, q: Point) -> dict[str, float]:
        d = q.r - p.r
        return {"axis": 0.0, "drawn_x": float(d[0]), "drawn_y": float(d[1])}
