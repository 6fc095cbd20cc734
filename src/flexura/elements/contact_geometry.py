"""Geometry that planar contacts share."""

from __future__ import annotations

from typing import Any

from flexura.algebra import Vector, sqrt
from flexura.nodes import End, Point


def frame_of(p: Point | End, axis: Any) -> End:
    """The axes that a contact is seen in: those of an end, or those of space at a node."""
    return p if isinstance(p, End) else End(p.r, 0.0, axis)


def turned(node: Point | End) -> Any:
    """The rotation of an end, or its rate; a node does not turn."""
    return node.phi if isinstance(node, End) else 0.0


def distance(d: Vector, least: Any) -> Any:
    """The length of a vector of the plane, not below ``least``: without length it has no direction."""
    return sqrt(d[0] * d[0] + d[1] * d[1] + least * least)


def ahead(v: Vector) -> Vector:
    """A vector of the plane, turned by a quarter."""
    return Vector(-v[1], v[0])
