"""Dual numbers: derivatives without a graph and without a step, for whole arrays and as an independent check.

A dual number a + bτ with τ² = 0 has a value and a slope. The parts may be dual numbers themselves: n nested numbers
give the n-th derivative, exact to rounding. Each differentiation has a τ of its own, identified by its number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura import algebra, elementary
from flexura.algebra import Scalar, Vector

Function = Callable[[list[Any]], list[Any]]


class Dual(Scalar):
    """value + slope·τ, with τ² = 0; ``tau`` is the number of τ, higher for inner differentiations."""

    __slots__ = ("slope", "tau", "value")
    __array_ufunc__ = None  # operators of NumPy scalars are overridden here

    def __init__(self, value: Any, slope: Any, tau: int) -> None:
        self.value = value
        self.slope = slope
        self.tau = tau

    def apply(self, function: elementary.Function, *arguments: Any) -> Dual:
        tau = max(a.tau for a in arguments if isinstance(a, Dual))
        parts = [(a.value, a.slope) if isinstance(a, Dual) and a.tau == tau else (a, 0.0) for a in arguments]
        values = [value for value, _ in parts]
        changes = zip(function.slopes(*values), parts, strict=True)
        return Dual(function(*values), sum(slope * change for slope, (_, change) in changes), tau)

    def __add__(self, other: Any) -> Dual:
        if not isinstance(other, Dual) or other.tau < self.tau:
            return Dual(self.value + other, self.slope, self.tau)
        if other.tau > self.tau:
            return Dual(self + other.value, other.slope, other.tau)
        return Dual(self.value + other.value, self.slope + other.slope, self.tau)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope, self.tau)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Vector):  # a vector scales its components itself
            return NotImplemented
        if not isinstance(other, Dual) or other.tau < self.tau:
            return Dual(self.value * other, self.slope * other, self.tau)
        if other.tau > self.tau:
            return Dual(self * other.value, self * other.slope, other.tau)
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value, self.tau)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        return _quotient(self, other)

    def __rtruediv__(self, other: Any) -> Dual:
        return _quotient(other, self)

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, Dual):
            return algebra.exp(exponent * algebra.log(self))
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1) * self.slope, self.tau)

    def __rpow__(self, base: Any) -> Any:
        return algebra.exp(self * math.log(base))


def _meet(a: Any, b: Any) -> tuple[int, tuple[Any, Any], tuple[Any, Any]]:
    """Two numbers as (value, slope) of the innermost τ of either."""
    tau = max(x.tau for x in (a, b) if isinstance(x, Dual))
    first, second = ((x.value, x.slope) if isinstance(x, Dual) and x.tau == tau else (x, 0.0) for x in (a, b))
    return tau, first, second


def _quotient(above: Any, below: Any) -> Dual:
    tau, (a, da), (b, db) = _meet(above, below)
    quotient = a / b
    return Dual(quotient, (da - quotient * db) / b, tau)


def number(value: Any) -> float:
    """Real number of a nested dual number."""
    while isinstance(value, Dual):
        value = value.value
    return float(value)


_taus = count()


def along(function: Function, x: Sequence[Any], direction: Sequence[Any]) -> list[Any]:
    """Derivative of a function of x along a direction; the arguments may already be dual numbers."""
    tau = next(_taus)
    values = function([Dual(a, d, tau) for a, d in zip(x, direction, strict=True)])
    return [y.slope if isinstance(y, Dual) and y.tau == tau else 0.0 for y in values]


def jacobian(function: Function, x: Sequence[Any]) -> list[list[Any]]:
    """∂f_i/∂x_j, row by row; the slopes along all directions are propagated together, as arrays."""
    tau, axis, count = next(_taus), len(_open), len(x)
    units = np.eye(count).reshape(count, count, *[1] * axis)
    _open.append(tau)
    try:
        values = function([Dual(a, unit, tau) for a, unit in zip(x, units, strict=True)])
    finally:
        _open.pop()
    slopes = [y.slope if isinstance(y, Dual) and y.tau == tau else 0.0 for y in values]
    return [[_part(slope, j, axis) for j in range(count)] for slope in slopes]


_open: list[int] = []
"""Jacobians under evaluation, each with an axis of its own: the outermost has the last."""


def _part(slope: Any, j: int, axis: int) -> Any:
    """Part of a Jacobian for one direction."""
    if isinstance(slope, Dual):
        return Dual(_part(slope.value, j, axis), _part(slope.slope, j, axis), slope.tau)
    if np.ndim(slope) <= axis:
        return slope
    return slope[j if len(slope) > 1 else 0]


def numbers(values: Any) -> NDArray[np.float64]:
    """Real numbers of nested lists."""
    if isinstance(values, list):
        return np.array([numbers(value) for value in values])
    return np.array(number(values))


def complex_step(function: Function, x: Sequence[float]) -> NDArray[np.float64]:
    """∂f_i/∂x_j from the imaginary part of f(x + ih), by complex arithmetic only."""
    h = 1e-30
    columns = [
        [complex(y).imag / h for y in function([complex(a, h if i == j else 0.0) for i, a in enumerate(x)])]
        for j in range(len(x))
    ]
    return np.array(columns).T
