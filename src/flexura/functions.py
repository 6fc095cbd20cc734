"""Table of the elementary functions: everything that the package knows about each of them.

An entry of the table is the function itself: called on floats, arrays, complex numbers, symbols or dual numbers, it
returns its value. Kernels, programs, derivatives, formulas in model files, surfaces and the battery read the same
entry, so that a new function is one entry here and its name in ``__all__``.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from flexura.arcs import arc_number
from flexura.elementary import Function

__all__ = [
    "absolute",
    "acos",
    "arc",
    "asin",
    "atan",
    "atan2",
    "cos",
    "cosh",
    "exp",
    "log",
    "maximum",
    "minimum",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "step",
    "tan",
    "tanh",
]


def _arcs(c: Any, order: Any) -> Any:
    return np.array([arc_number(float(one), order) for one in c.ravel()]).reshape(c.shape)


def _first_larger(a: Any, b: Any) -> tuple[Any, Any]:
    first = step(a - b)
    return first, 1 - first


_ABOVE_ZERO = ("fcmp ogt {type} {0}, {zero}", "uitofp {truth} {1} to {type}")
# where the first argument is no number the choice falls on it, so that NaN is passed on
_LARGER = (
    "fcmp oge {type} {0}, {1}",
    "fcmp uno {type} {0}, {zero}",
    "or {truth} {2}, {3}",
    "select {truth} {4}, {type} {0}, {type} {1}",
)

sin: Function = Function(
    "sin",
    "Sine.",
    real=math.sin,
    slopes=lambda x: (cos(x),),
    array=np.sin,
    analytic=cmath.sin,
    assembly="@llvm.sin.f64",
    formula="sin",
    parity="odd",
)

cos: Function = Function(
    "cos",
    "Cosine.",
    real=math.cos,
    slopes=lambda x: (-sin(x),),
    array=np.cos,
    analytic=cmath.cos,
    assembly="@llvm.cos.f64",
    formula="cos",
    parity="even",
)

tan: Function = Function(
    "tan",
    "Tangent.",
    real=math.tan,
    slopes=lambda x: (1 + tan(x) * tan(x),),
    array=np.tan,
    analytic=cmath.tan,
    assembly="@tan",
    formula="tan",
    parity="odd",
)

asin: Function = Function(
    "asin",
    "Inverse sine, in [-π/2, π/2].",
    real=math.asin,
    slopes=lambda x: (1 / sqrt(1 - x * x),),
    array=np.arcsin,
    analytic=cmath.asin,
    assembly="@asin",
    formula="asin",
    parity="odd",
)

acos: Function = Function(
    "acos",
    "Inverse cosine, in [0, π].",
    real=math.acos,
    slopes=lambda x: (-1 / sqrt(1 - x * x),),
    array=np.arccos,
    analytic=cmath.acos,
    assembly="@acos",
    formula="acos",
)

atan: Function = Function(
    "atan",
    "Inverse tangent, in (-π/2, π/2).",
    real=math.atan,
    slopes=lambda x: (1 / (1 + x * x),),
    array=np.arctan,
    analytic=cmath.atan,
    assembly="@atan",
    formula="atan",
    parity="odd",
)

sinh: Function = Function(
    "sinh",
    "Hyperbolic sine.",
    real=math.sinh,
    slopes=lambda x: (cosh(x),),
    array=np.sinh,
    analytic=cmath.sinh,
    assembly="@sinh",
    formula="sinh",
    parity="odd",
)

cosh: Function = Function(
    "cosh",
    "Hyperbolic cosine.",
    real=math.cosh,
    slopes=lambda x: (sinh(x),),
    array=np.cosh,
    analytic=cmath.cosh,
    assembly="@cosh",
    formula="cosh",
    parity="even",
)

tanh: Function = Function(
    "tanh",
    "Hyperbolic tangent.",
    real=math.tanh,
    slopes=lambda x: (1 - tanh(x) * tanh(x),),
    array=np.tanh,
    analytic=cmath.tanh,
    assembly="@tanh",
    formula="tanh",
    parity="odd",
)

exp: Function = Function(
    "exp",
    "Exponential function.",
    real=math.exp,
    slopes=lambda x: (exp(x),),
    array=np.exp,
    analytic=cmath.exp,
    assembly="@llvm.exp.f64",
    formula="exp",
)

log: Function = Function(
    "log",
    "Natural logarithm.",
    real=math.log,
    slopes=lambda x: (1 / x,),
    array=np.log,
    analytic=cmath.log,
    assembly="@llvm.log.f64",
    formula="log",
)

# a power in the expression graph
sqrt: Function = Function(
    "sqrt",
    "Square root.",
    real=math.sqrt,
    slopes=lambda x: (0.5 / sqrt(x),),
    array=np.sqrt,
    analytic=cmath.sqrt,
    formula="sqrt",
)

absolute: Function = Function(
    "absolute",
    "Absolute value.",
    real=abs,
    slopes=lambda x: (sign(x),),
    array=np.abs,
    assembly="@llvm.fabs.f64",
    formula="abs",
    smooth=False,
    parity="even",
    trial=(-0.4,),
)

sign: Function = Function(
    "sign",
    "1 where x is positive, -1 where it is negative, 0 at 0.",
    real=lambda x: math.copysign(1.0, x) if x else 0.0,
    slopes=lambda x: (0.0,),
    array=np.sign,
    assembly=(
        *_ABOVE_ZERO,
        "fcmp olt {type} {0}, {zero}",
        "uitofp {truth} {3} to {type}",
        "fsub {type} {2}, {4}",
    ),
    formula="sign",
    smooth=False,
    trial=(-0.4,),
)

step: Function = Function(
    "step",
    "1 where x is positive, 0 elsewhere.",
    real=lambda x: 1.0 if x > 0.0 else 0.0,
    slopes=lambda x: (0.0,),
    array=lambda x: np.where(x > 0.0, 1.0, 0.0),
    assembly=_ABOVE_ZERO,
    formula="step",
    smooth=False,
)

atan2: Function = Function(
    "atan2",
    "Angle of the vector (x, y), given as atan2(y, x), in (-π, π].",
    real=math.atan2,
    slopes=lambda y, x: (x / (x * x + y * y), -y / (x * x + y * y)),
    array=np.arctan2,
    arity=2,
    assembly="@atan2",
    formula="atan2",
)

minimum: Function = Function(
    "minimum",
    "Smaller of two values.",
    real=min,
    slopes=lambda a, b: _first_larger(b, a),
    array=np.minimum,
    arity=2,
    assembly=(_LARGER[0].replace("oge", "ole"), *_LARGER[1:]),
    formula="min",
    smooth=False,
)

maximum: Function = Function(
    "maximum",
    "Larger of two values.",
    real=max,
    slopes=_first_larger,
    array=np.maximum,
    arity=2,
    assembly=_LARGER,
    formula="max",
    smooth=False,
)

arc: Function = Function(
    "arc",
    "ϑ/sin ϑ of the angle with the cosine c, or its derivative by c of an order up to 5; smooth at ϑ = 0.",
    real=arc_number,
    slopes=lambda c, order: (arc(c, order + 1), 0.0),
    array=_arcs,
    # the order is a parameter
    analytic=lambda c, order: complex(arc_number(c.real, order), arc_number(c.real, order + 1) * c.imag),
    arity=2,
    defaults=(0,),
    assembly="@flexura_arc",
    external=arc_number,
    trial=(0.4, 1.0),
)

# an atom of the expression graph
_atom: Function = Function(
    "atom",
    "Value to be taken as a whole.",
    real=lambda x: x,
    slopes=lambda x: (1.0,),
    array=lambda x: x,
)

TABLE = {entry.name: entry for entry in list(vars().values()) if isinstance(entry, Function)}
"""All functions by name, in the order of this file."""

FORMULAS = {entry.formula: entry for entry in TABLE.values() if entry.formula}
"""Functions that formulas may call, by the names that they have there."""
