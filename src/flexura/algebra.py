"""Vectors and functions for kernels, evaluated alike on floats, arrays, complex numbers and symbols.

An element's ``strain`` and ``shape`` are written with these names only. Evaluated on floats they give numbers, on
arrays whole histories, on complex numbers the complex-step derivatives of the tests, on symbols
(:mod:`flexura.derive`) the compiled kernels. The elementary functions are those of :mod:`flexura.functions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import flexura.functions as functions  # noqa: PLR0402 - the package resolves its own names when it is complete
from flexura.elementary import Scalar
from flexura.functions import *  # noqa: F403 - every function of the table is a name of the algebra
from flexura.functions import atan2, cos, sin, sqrt

__all__ = ["Scalar", "Vector", "angle", "atom", "cross", "hermite", "norm", "rotate", "vec"]
__all__ += functions.__all__


class Vector:
    """Short vector of scalars of any one type; ``@`` is the inner product."""

    __slots__ = ("components",)
    __array_ufunc__ = None  # numpy's numbers leave the arithmetic to us

    def __init__(self, *components: Any) -> None:
        self.components = components

    def __getitem__(self, i: int) -> Any:
        return self.components[i]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.components)

    def __len__(self) -> int:
        return len(self.components)

    def __add__(self, other: Vector) -> Vector:
        return Vector(*(a + b for a, b in zip(self, other, strict=True)))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(*(a - b for a, b in zip(self, other, strict=True)))

    def __neg__(self) -> Vector:
        return Vector(*(-a for a in self))

    def __mul__(self, factor: Any) -> Vector:
        return Vector(*(a * factor for a in self))

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Vector:
        return Vector(*(a / divisor for a in self))

    def __matmul__(self, other: Vector) -> Any:
        total = self[0] * other[0]
        for a, b in zip(self.components[1:], other.components[1:], strict=True):
            total = total + a * b
        return total

    def __repr__(self) -> str:
        return f"vec{self.components!r}"


def vec(*components: Any) -> Vector:
    """Vector of these components."""
    return Vector(*components)


def norm(v: Vector) -> Any:
    """Length of a vector."""
    return sqrt(v @ v)


def cross(a: Vector, b: Vector) -> Any:
    """Vector product: a scalar in the plane, a vector in space."""
    if len(a) == 2:
        return a[0] * b[1] - a[1] * b[0]
    return Vector(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def rotate(v: Vector, phi: Any) -> Vector:
    """Plane vector turned by the angle phi."""
    c, s = cos(phi), sin(phi)
    return Vector(c * v[0] - s * v[1], s * v[0] + c * v[1])


def angle(v: Vector, near: Any) -> Any:
    """Direction angle of a plane vector, on the turn that is nearest to the angle ``near``.

    With ``near`` a tracked number of the element (see ``Element.track``) the angle is continuous over any number of
    turns.
    """
    e = Vector(cos(near), sin(near))
    return near + atan2(cross(e, v), e @ v)


def atom(value: Any) -> Any:
    """Value as an atom of the expression graph: later formulas take it as a whole, so derivatives stay small."""
    if isinstance(value, Vector):
        return Vector(*(atom(component) for component in value))
    return functions.TABLE["atom"](value)


def hermite(s: Any, p: Vector, dp: Vector, q: Vector, dq: Vector) -> Vector:
    """Cubic through p and q with the slopes dp and dq, at s in [0, 1]."""
    s2, s3 = s * s, s * s * s
    line: Vector = (1 - 3 * s2 + 2 * s3) * p + (s - 2 * s2 + s3) * dp + (3 * s2 - 2 * s3) * q + (s3 - s2) * dq
    return line
