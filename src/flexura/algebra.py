"""All that a kernel may call: vectors and functions that run alike on floats, arrays, complex numbers and symbols.

An element's ``strain`` and ``shape`` are written with these names only. Evaluated on floats they give numbers, on
arrays whole histories, on complex numbers the complex-step derivatives of the tests, on symbols
(:mod:`flexura.derive`) the compiled kernels.
"""

from __future__ import annotations

import cmath
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from flexura.arcs import arc_number

__all__ = [
    "Scalar",
    "Vector",
    "absolute",
    "angle",
    "arc",
    "atan2",
    "atom",
    "cos",
    "cross",
    "exp",
    "hermite",
    "log",
    "maximum",
    "minimum",
    "norm",
    "rotate",
    "sin",
    "sqrt",
    "step",
    "tan",
    "tanh",
    "vec",
]


class Scalar(ABC):
    """A number-like value that brings its own elementary functions (a symbol, a dual number)."""

    @abstractmethod
    def apply(self, function: str, *others: Any) -> Any:
        """The value of an elementary function at this number."""


def _unary(name: str, real: Any, complex_: Any, array: Any) -> Any:
    def function(x: Any) -> Any:
        if isinstance(x, Scalar):
            return x.apply(name)
        if isinstance(x, complex):
            return complex_(x)
        return array(x) if isinstance(x, np.ndarray) else real(x)

    function.__name__ = name
    function.__doc__ = f"{name}(x) of a number or a symbol."
    return function


sin = _unary("sin", math.sin, cmath.sin, np.sin)
cos = _unary("cos", math.cos, cmath.cos, np.cos)
tan = _unary("tan", math.tan, cmath.tan, np.tan)
exp = _unary("exp", math.exp, cmath.exp, np.exp)
log = _unary("log", math.log, cmath.log, np.log)
tanh = _unary("tanh", math.tanh, cmath.tanh, np.tanh)
sqrt = _unary("sqrt", math.sqrt, cmath.sqrt, np.sqrt)
# the complex step carries a tiny imaginary part, so the modulus would lose the derivative
absolute = _unary("absolute", abs, lambda x: x if x.real >= 0 else -x, np.abs)


def atan2(y: Any, x: Any) -> Any:
    """The angle of the vector (x, y), in (-π, π]."""
    if isinstance(y, Scalar):
        return y.apply("atan2", x)
    if isinstance(x, Scalar):
        return x.apply("ratan2", y)
    if isinstance(y, complex) or isinstance(x, complex):
        # first order in the imaginary parts, which is all a complex step carries
        y, x = complex(y), complex(x)
        slope = (x.real * y.imag - y.real * x.imag) / (x.real**2 + y.real**2)
        return complex(math.atan2(y.real, x.real), slope)
    if isinstance(y, np.ndarray) or isinstance(x, np.ndarray):
        return np.arctan2(y, x)
    return math.atan2(y, x)


def arc(c: Any, order: int = 0) -> Any:
    """ϑ/sin ϑ of the angle with the cosine c, or its derivative by c of an order up to 5; smooth at ϑ = 0."""
    if isinstance(c, Scalar):
        return c.apply("arc", order)
    if isinstance(c, np.ndarray):
        return np.array([arc_number(float(one), order) for one in c.ravel()]).reshape(c.shape)
    if isinstance(c, complex):
        # first order in the imaginary part, which is all a complex step carries
        return complex(arc_number(c.real, order), arc_number(c.real, order + 1) * c.imag)
    return arc_number(c, order)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two values."""
    if isinstance(a, Scalar):
        return a.apply("maximum", b)
    if isinstance(b, Scalar):
        return b.apply("maximum", a)
    return a if complex(a).real >= complex(b).real else b


def step(x: Any) -> Any:
    """One where x is positive, else zero."""
    if isinstance(x, Scalar):
        return x.apply("step")
    return 1.0 if complex(x).real > 0.0 else 0.0


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two values."""
    return -maximum(-a, -b)


class Vector:
    """A short vector of scalars of any one type; ``@`` is the inner product."""

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
    """A vector of these components."""
    return Vector(*components)


def norm(v: Vector) -> Any:
    """The length of a vector."""
    return sqrt(v @ v)


def cross(a: Vector, b: Vector) -> Any:
    """The vector product: a scalar in the plane, a vector in space."""
    if len(a) == 2:
        return a[0] * b[1] - a[1] * b[0]
    return Vector(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def rotate(v: Vector, phi: Any) -> Vector:
    """A plane vector turned by the angle phi."""
    c, s = cos(phi), sin(phi)
    return Vector(c * v[0] - s * v[1], s * v[0] + c * v[1])


def angle(v: Vector, near: Any) -> Any:
    """The direction angle of a plane vector, on the turn that is nearest to the angle ``near``.

    With ``near`` a tracked number of the element (see ``Element.track``) the angle is continuous over any number of
    turns.
    """
    e = Vector(cos(near), sin(near))
    return near + atan2(cross(e, v), e @ v)


def atom(value: Any) -> Any:
    """The value as an atom of the expression graph: later formulas take it as a whole, so derivatives stay small."""
    if isinstance(value, Vector):
        return Vector(*(atom(component) for component in value))
    return value.apply("atom") if isinstance(value, Scalar) else value


def hermite(s: Any, p: Vector, dp: Vector, q: Vector, dq: Vector) -> Vector:
    """The cubic through p and q with the slopes dp and dq, at s in [0, 1]."""
    s2, s3 = s * s, s * s * s
    line: Vector = (1 - 3 * s2 + 2 * s3) * p + (s - 2 * s2 + s3) * dp + (3 * s2 - 2 * s3) * q + (s3 - s2) * dq
    return line
