"""The drawn axes of spatial elements: an axis along the element, and one across it that the user may choose."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import Annotated, Any

from flexura.algebra import Vector, cross
from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.nodes import AXIS

Direction = tuple[float, float, float]
YAxis = Annotated[
    Direction,
    Unit("", "direction near which the y axis is drawn; by default near the global axis most nearly normal to x"),
]

UNSPECIFIED: Direction = (0.0, 0.0, 0.0)
"""A direction that is not given."""
_AS_NORMAL = 0.01
"""Cosines of the angles to global axes that differ by less count as equal: a small change turns no section over."""
_SIGNS = (1.0, 0.12, 0.68, 0.84)
"""Weights of Euler parameters in a sum that is positive: it is far from zero, where signs change, along usual axes."""


def axis_numbers(along: Iterable[Any], y_axis: Direction = UNSPECIFIED) -> dict[str, float]:
    """Numbers that draw the axes of an element: t along it, n normal to it and nearest to ``y_axis``.

    Without ``y_axis``, n is near the global axis that is most nearly normal to t, the first of those that are about
    equally so.
    """
    return dict(zip(AXIS, euler_parameters(drawn_axes(along, y_axis)), strict=True))


def drawn_axes(along: Iterable[Any], y_axis: Direction = UNSPECIFIED) -> tuple[Vector, Vector, Vector]:
    """The axes t, n and b."""
    t = Vector(*map(float, along))
    if not any(t):
        what = "it has no direction: the given direction is zero, or its nodes coincide"
        raise ModelError("", what, "give a direction, or move one of the nodes")
    t, near = _unit(t), Vector(*map(float, y_axis))
    if not any(near):
        least = min(map(abs, t))
        first = next(i for i in range(3) if abs(t[i]) <= least + _AS_NORMAL)
        near = Vector(*(float(i == first) for i in range(3)))
    near = _unit(near)
    n = near - t * (near @ t)
    if sqrt(n @ n) <= 1e-9:
        what = "the direction is parallel to the element"
        raise ModelError("y_axis", what, "give a direction that is not parallel to it")
    n = _unit(n)
    return t, n, cross(t, n)


def _unit(v: Vector) -> Vector:
    """Vector of length one; numbers are scaled first, so that their squares do not overflow."""
    largest = max(map(abs, v))
    scaled = Vector(*(c / largest for c in v))
    return scaled * (1.0 / sqrt(scaled @ scaled))


def euler_parameters(axes: tuple[Vector, Vector, Vector]) -> tuple[float, float, float, float]:
    """The Euler parameters of the rotation to these axes, from the largest diagonal combination of its matrix."""
    (xx, yx, zx), (xy, yy, zy), (xz, yz, zz) = axes
    squares = (1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz)
    k = max(range(4), key=lambda i: squares[i])
    products = (
        (squares[0], zy - yz, xz - zx, yx - xy),
        (zy - yz, squares[1], xy + yx, xz + zx),
        (xz - zx, xy + yx, squares[2], yz + zy),
        (yx - xy, xz + zx, yz + zy, squares[3]),
    )[k]
    size = 2.0 * sqrt(squares[k])
    positive = sum(weight * c for weight, c in zip(_SIGNS, products, strict=True)) >= 0.0
    e0, e1, e2, e3 = (c / (size if positive else -size) for c in products)
    return e0, e1, e2, e3
