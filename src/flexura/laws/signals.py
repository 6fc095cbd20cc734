"""Functions of time for inputs and loads.

Each gives itself as an expression of the time, so that its rates are exact and it runs in compiled code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import ArrayLike

from flexura.algebra import maximum, minimum, sin
from flexura.derive.directional_derivatives import Derivative
from flexura.derive.expression import ONE, ZERO, Expr, add, as_expr, call, const, power, symbol
from flexura.derive.program import tabulate
from flexura.derive.program_builder import ProgramBuilder
from flexura.errors import ModelError
from flexura.laws.formula_parser import parse
from flexura.laws.tables import Array, Tables, refuse_bad_points, spline
from flexura.laws.units import Positive, Unit
from flexura.laws.validation import validate

Time = Annotated[float, Unit("s", "time at which the change begins")]
Value = Annotated[float, Unit("", "value before the change, in the unit of the signal")]


class Signal(ABC):
    """Function of time, in the unit of the driven signal."""

    @abstractmethod
    def expression(self, t: Expr, tables: Tables) -> Expr:
        """This function at the time t."""


@dataclass(frozen=True)
class Constant(Signal):
    """Constant value."""

    value: float

    def __post_init__(self) -> None:
        validate(self)

    def expression(self, t: Expr, tables: Tables) -> Expr:
        return const(self.value)


@dataclass(frozen=True)
class Ramp(Signal):
    """Constant rate: value + rate·(t - start); constant before ``start`` if that is positive."""

    rate: Annotated[float, Unit("", "rate, in the unit of the signal per second")]
    start: Time = 0.0
    value: Value = 0.0

    def __post_init__(self) -> None:
        validate(self)

    def expression(self, t: Expr, tables: Tables) -> Expr:
        elapsed = t - self.start
        return as_expr(self.value + self.rate * (maximum(elapsed, 0.0) if self.start > 0.0 else elapsed))


@dataclass(frozen=True)
class Sine(Signal):
    """Harmonic function: offset + amplitude·sin(frequency·t + phase)."""

    amplitude: Annotated[float, Unit("", "amplitude, in the unit of the signal")]
    frequency: Annotated[float, Unit("rad/s", "angular frequency")]
    phase: Annotated[float, Unit("rad", "phase at t = 0")] = 0.0
    offset: Annotated[float, Unit("", "mean value, in the unit of the signal")] = 0.0

    def __post_init__(self) -> None:
        validate(self)

    def expression(self, t: Expr, tables: Tables) -> Expr:
        return as_expr(self.offset + self.amplitude * sin(self.frequency * t + self.phase))


@dataclass(frozen=True)
class Polynomial(Signal):
    """Polynomial c₀ + c₁t + c₂t² + …, given by its coefficients in this order."""

    coefficients: Annotated[tuple[float, ...], Unit("", "coefficients of 1, t, t² and so on")]

    def __post_init__(self) -> None:
        validate(self)
        if not 1 <= len(self.coefficients) <= 20:
            what = f"{len(self.coefficients)} coefficients are out of range for a polynomial"
            raise ModelError("Polynomial.coefficients", what, "give 1 to 20, or use a Table")

    def expression(self, t: Expr, tables: Tables) -> Expr:
        return add(*((power(t, float(i)), c) for i, c in enumerate(self.coefficients)))


@dataclass(frozen=True)
class Smoothstep(Signal):
    """Smooth transition from value to value + rise, with zero rate and acceleration at both ends.

    With u from 0 to 1 over the duration the change is rise·(10u³ - 15u⁴ + 6u⁵).
    """

    rise: Annotated[float, Unit("", "change of the value, in the unit of the signal")]
    duration: Annotated[float, Unit("s", "duration of the change"), Positive()]
    start: Time = 0.0
    value: Value = 0.0

    def __post_init__(self) -> None:
        validate(self)

    def expression(self, t: Expr, tables: Tables) -> Expr:
        u = minimum(maximum((t - self.start) / self.duration, 0.0), 1.0)
        return as_expr(self.value + self.rise * (u**3 * (10.0 - 15.0 * u + 6.0 * u**2)))


@dataclass(frozen=True)
class Table(Signal):
    """Smooth curve through points: y over time, or force over strain as the law of a strain.

    The curve is a cubic spline. Outside the points the value is that of the nearer end and the slope is zero; give
    points beyond the range of interest if the curve does not end with zero slope.
    """

    x: Annotated[tuple[float, ...], Unit("", "times in s, or strains; increasing")]
    y: Annotated[tuple[float, ...], Unit("", "values, or stresses of a law")]

    def __post_init__(self) -> None:
        validate(self)
        refuse_bad_points("Table", self.x, self.y)

    def expression(self, t: Expr, tables: Tables) -> Expr:
        number = tables.table(*spline(self.x, self.y))
        return call("table", t, const(number), ZERO)


@dataclass(frozen=True)
class Expression(Signal):
    """Formula of the time t, or, as the law of a strain, of the strain e, its rate v and the time t.

    ``Expression("0.1*sin(20*t)")``. As a load or the rate of a state it may also contain signals of the model and
    their rates, ``Expression("-40*hub.rotation - 3*hub.rotation'")``. It is parsed as arithmetic with a
    few functions and never executed.
    """

    text: Annotated[str, Unit("", "formula")]

    def __post_init__(self) -> None:
        validate(self)
        parse(self.text, None)

    def expression(self, t: Expr, tables: Tables) -> Expr:
        return parse(self.text, {"t": t})


if TYPE_CHECKING:
    SignalLike = Signal | float | str
    """A signal as a model is given it: a number is a constant, a text an expression."""
else:
    # the constructor of a model turns the bare forms into signals
    SignalLike = Signal


def as_signal(given: SignalLike) -> Signal:
    """A signal as given, the constant of a number, or the expression of a text."""
    if isinstance(given, Signal):
        return given
    return Expression(given) if isinstance(given, str) else Constant(given)


def value(signal: Signal, t: ArrayLike) -> tuple[Array, Array, Array]:
    """A signal with its first and second derivative at these times."""
    builder, time = ProgramBuilder(("t",)), symbol("t")
    derivative = Derivative({time: ONE})
    f = signal.expression(time, builder)
    rate = derivative(f)
    span = builder.add([f, rate, derivative(rate)])
    times = np.asarray(t, dtype=float)
    result = tabulate(builder.finish(), span, times.reshape(-1, 1))
    f0, f1, f2 = (column.reshape(times.shape) for column in result.T)
    return f0, f1, f2
