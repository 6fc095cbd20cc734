"""Curved surfaces, given by a formula f(x, y, z) = 0 as text."""

from __future__ import annotations

from functools import reduce
from operator import add, mul
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura import algebra
from flexura.algebra import Vector
from flexura.derive.directional_derivatives import gradient
from flexura.derive.expression import Expr, symbol
from flexura.errors import ModelError, placed
from flexura.functions import TABLE
from flexura.laws.formula_parser import names_in, parse
from flexura.laws.units import Formula, Unit

Floats = NDArray[np.float64]

AXES = ("x", "y", "z")

Surface = Annotated[str, Unit("", "formula f(x, y, z) that is zero on the surface"), Formula(AXES)]


class Level(NamedTuple):
    """Function of position: its value, its gradient, and the rate of the gradient along a velocity."""

    value: Any
    gradient: Vector
    rate: Vector


def level(text: str, place: Vector, velocity: Vector | None = None) -> Level:
    """Function f of a surface at a position, on floats, arrays and symbols alike."""
    axes = [symbol(name) for name in AXES]
    f = parse(text, dict(zip(AXES, axes, strict=True)))
    slopes = gradient(f, axes)
    values = dict(zip(AXES, place, strict=True))
    rates = [0.0, 0.0, 0.0]
    if velocity is not None:
        rates = [
            reduce(add, (_value(part, values) * v for part, v in zip(gradient(slope, axes), velocity, strict=True)))
            for slope in slopes
        ]
    return Level(_value(f, values), Vector(*(_value(slope, values) for slope in slopes)), Vector(*rates))


def refuse_surface(where: str, text: str) -> None:
    """Refuse a formula that is no smooth function of x, y, z."""
    with placed(where):
        f = parse(text, {name: symbol(name) for name in AXES})
    if not set(AXES) & set(names_in(text)):
        raise ModelError(where, f"'{text}' is constant", "write a formula of x, y and z")
    _value(f, {name: symbol(name) for name in AXES}, where)


def reached(text: str, drawn: float, ways: Floats, reach: float) -> list[list[float]]:
    """First intersections of rays from the origin, the columns of ``ways``, with f = drawn; others are left out.

    The ``reach`` is a distance of the right size.
    """
    far = np.concatenate([[0.0], reach * _FAR])
    ways = ways / np.sqrt((ways**2).sum(axis=0))

    def inside(distance: Floats, along: Floats) -> NDArray[np.bool_]:
        return level(text, Vector(*(along * distance))).value + 0.0 * distance < drawn

    # first change of sign, refined
    sides = np.array([inside(np.full(ways.shape[1], d), ways) for d in far])
    change = sides[1:] != sides[:1]
    met = change.any(axis=0)
    place, ways, first = change.argmax(axis=0)[met], ways[:, met], sides[0][met]
    low, high = far[place], far[place + 1]
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        here = inside(middle, ways) == first
        low, high = np.where(here, middle, low), np.where(here, high, middle)
    return (ways * high).T.tolist()


_FAR = np.geomspace(0.02, 200.0, 80)
_HALVINGS = 30


def extents(text: str, drawn: float, reach: float) -> Floats:
    """Largest extent of a body along each axis, in either direction; the ``reach`` if it is unbounded."""
    found = [reached(text, drawn, np.array([axis, -axis]).T, reach) for axis in np.eye(3)]
    return np.array([np.abs(ends).max() if ends else reach for ends in found])


def _value(expr: Expr, values: dict[str, Any], where: str = "surface") -> Any:
    """Value of an expression for any values of the axes: floats, arrays or symbols."""
    if expr.kind == "const":
        return expr.data
    if expr.kind == "symbol":
        return values[expr.data]
    if expr.kind == "sum":
        constant, terms = expr.data
        total = reduce(add, (_value(term, values, where) * c for term, c in terms))
        return total + constant if constant else total
    if expr.kind == "product":
        return reduce(mul, (_power(_value(factor, values, where), p) for factor, p in expr.data))
    # contact needs the curvature of a surface
    if not TABLE[expr.kind].smooth:
        raise ModelError(where, f"a surface must be smooth, and {expr.kind} is not", "use smooth functions")
    return TABLE[expr.kind](*(_value(argument, values, where) for argument in expr.data))


def _power(base: Any, exponent: float) -> Any:
    if exponent == 1.0:
        return base
    if exponent in {0.5, -0.5}:
        root = algebra.sqrt(base)
        return root if exponent > 0.0 else 1.0 / root
    return base ** (int(exponent) if exponent.is_integer() else exponent)
