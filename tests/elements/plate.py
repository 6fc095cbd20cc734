"""A user's own element with any number of nodes: a rigid plate that carries pins and shafts."""

from typing import Annotated

from flexura.algebra import vec
from flexura.elements.element import Element
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, End, Point, Pose


class Plate(Element):
    r"""Rigid plate with centre p, and points at :math:`\mathbf r_i = \mathbf r_p + x_i\mathbf t + y_i\mathbf n`."""

    p: At[End]
    nodes: tuple[At[Point], ...]
    mass: Annotated[float, Unit("kg", "mass"), Positive()]
    inertia: Annotated[float, Unit("kg·m²", "moment of inertia about its centre"), Positive()]

    @property
    def strains(self):
        """along_1, across_1 and so on, two for each node"""
        return tuple(f"{word}_{i}" for i in range(1, len(self.nodes) + 1) for word in ("along", "across"))

    def strain(self, p, nodes):
        arms = [node.r - p.r for node in nodes]
        x, y = [p.t @ arm for arm in arms], [p.n @ arm for arm in arms]
        return vec(*(part for i in range(len(nodes)) for part in (x[i] - self.x[i], y[i] - self.y[i])))

    def shape(self, s, p, nodes):
        return Pose(p.r, p.phi)

    def measure(self, p, nodes):
        return {"x": [p.t @ (node.r - p.r) for node in nodes], "y": [p.n @ (node.r - p.r) for node in nodes]}

    def outline(self, points, p, nodes):
        return [[p.r, node.r] for node in nodes]
