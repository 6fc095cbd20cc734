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
Across = Annotated[Direction, Unit("", "near the second of its axes, y, as drawn; as it comes if not given")]

UNSAID: Direction = (0.0, 0.0, 0.0)
"""A direction that is not given."""


def axis_numbers(along: Iterable[Any], across: Direction = UNSAID) -> dict[str, float]:
    """The numbers that draw an element's axes: t along it, n across it as near as can be to the wish ``across``.

    Without a wish n is near the global axis that is most nearly normal to t.
    """
    return dict(zip(AXIS, euler_parameters(drawn_axes(along, across)), strict=True))


def drawn_axes(along: Iterable[Any], across: Direction = UNSAID) -> tuple[Vector, Vector, Vector]:
    """The axes t, n and b."""
    t = Vector(*map(float, along))
    if not any(t):
        what = "it has no direction: the one given is zero, or its nodes are drawn at the same place"
        raise ModelError("", what, "give a direction, or move one of the nodes")
    t, wish = _unit(t), Vector(*map(float, across))
    if not any(wish):
        least = min(range(3), key=lambda i: abs(t[i]))
        wish = Vector(*(float(i == least) for i in range(3)))
    wish = _unit(wish)
    n = wish - t * (wish @ t)
    if sqrt(n @ n) <= 1e-9:
        what = "the direction across is along the element itself"
        raise ModelError("across", what, "give a direction that is not parallel to it")
    n = _unit(n)
    return t, n, cross(t, n)


def _unit(v: Vector) -> Vector:
    """A vector of length one; numbers of any size are brought to that of one first, for their squares."""
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
    e0, e1, e2, e3 = (c / (size if products[0] >= 0.0 else -size) for c in products)
    return e0, e1, e2, e3
