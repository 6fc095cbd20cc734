"""Geometry that planar contacts share."""

from __future__ import annotations

from typing import Any

from flexura.algebra import Vector, absolute, cos, sin, sqrt, step
from flexura.nodes import End, Point


def frame_of(p: Point | End, axis: Any) -> End:
    """The axes that a contact is seen in: those of an end, or those of space at a node."""
    return p if isinstance(p, End) else End(p.r, 0.0, axis)


def turned(node: Point | End) -> Any:
    """The rotation of an end, or its rate; a node does not turn."""
    return node.phi if isinstance(node, End) else 0.0


def carried(node: Point | End, v: Vector) -> Vector:
    """A vector drawn at a node or in an end, turned along with it."""
    return node.turn(v) if isinstance(node, End) else v


def seen_from(node: Point | End, v: Vector) -> Vector:
    """A vector in axes that turn with an end, or those of space at a node."""
    if not isinstance(node, End):
        return v
    c, s = cos(node.phi), sin(node.phi)
    return Vector(c * v[0] + s * v[1], c * v[1] - s * v[0])


def distance(d: Vector, least: Any) -> Any:
    """The length of a vector of the plane, not below ``least``: without length it has no direction."""
    return sqrt(d[0] * d[0] + d[1] * d[1] + least * least)


def ahead(v: Vector) -> Vector:
    """A vector of the plane, turned by a quarter."""
    return Vector(-v[1], v[0])


def surface_distance(shape: str, size: Any, up: Vector, d: Vector) -> tuple[Any, Vector]:
    """Distance of a point at ``d`` from a line, slot, circle or ring about the origin, and the normal away from it."""
    if shape == "line":
        return up @ d, up
    if shape == "slot":
        height = up @ d
        return size - absolute(height), up * (1.0 - 2.0 * step(height))
    far, outside = distance(d, 1e-15), 1.0 if shape == "circle" else -1.0
    return outside * (far - size), d * (outside / far)
