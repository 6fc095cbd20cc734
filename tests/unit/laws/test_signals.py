"""Signals with their rates against SymPy and closed forms."""

import math

import numpy as np
import pytest
import sympy
from scipy.interpolate import CubicSpline

from flexura.errors import ModelError
from flexura.laws.signals import Constant, Expression, Polynomial, Ramp, Sine, Smoothstep, Table, as_signal, value

t = sympy.Symbol("t", real=True)
u = (t - 0.5) / 2
FORMULAS = [
    (Constant(2.5), sympy.Float(2.5) + 0 * t),
    (Ramp(150.0), 150 * t),
    (Ramp(3.0, value=1.0), 1 + 3 * t),
    (Ramp(3.0, start=-1.0), 3 * (t + 1)),
    (Ramp(3.0, start=1.0, value=2.0), sympy.Piecewise((2, t < 1), (2 + 3 * (t - 1), True))),
    (Sine(0.1, 20.0, 0.3, 1.0), 1 + sympy.Rational(1, 10) * sympy.sin(20 * t + sympy.Rational(3, 10))),
    (Polynomial([1, -2, 0, 3, 0.5]), 1 - 2 * t + 3 * t**3 + t**4 / 2),
    (Polynomial([4]), sympy.Integer(4)),
    (
        Smoothstep(4.0, 2.0, 0.5, 1.0),
        sympy.Piecewise((1, t < 0.5), (5, t > 2.5), (1 + 4 * (10 * u**3 - 15 * u**4 + 6 * u**5), True)),
    ),
]
FORMULAS += [
    (Expression(text), sympy.sympify(text, locals={"t": t, "max": sympy.Max, "min": sympy.Min, "abs": sympy.Abs}))
    for text in (
        "0.1*sin(20*t)",
        "exp(-t/2)*cos(3*t) + t^2/(1 + t)",
        "sqrt(1 + t^2)*tanh(t - 1)",
        "log(1 + t)/(2 - cos(t))**3",
        "t^2.5 - (1 + t)^-1.5 + 2^t + (1 + t)^t",
        "atan2(sin(t), 2 + cos(t)) + atan(t)",
        "asin(t/5) + acos(t/5)*t",
        "sinh(t/2)*cosh(t/3)",
        "tan(t/4)^2",
        "max(t, 2)*min(t^2, 3) + abs(t - 1)^3",
    )
]
# a corner has no derivative, and beside it there is none to see
MODULES = [{"DiracDelta": lambda x: 0}, "mpmath"]
# none of these falls on a corner
TIMES = np.linspace(0.013, 4.017, 41)


@pytest.mark.parametrize(("signal", "formula"), FORMULAS, ids=lambda x: str(x)[:40])
def test_values_and_rates_are_those_of_the_formula(signal, formula):
    for order, found in enumerate(value(signal, TIMES)):
        exact = sympy.lambdify(t, sympy.diff(formula, t, order) if order else formula, MODULES)
        expected = [float(exact(sympy.Float(time, 30))) for time in TIMES]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * max(map(abs, expected)) + 1e-14)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 30])
def test_table_is_the_spline_through_its_points(n):
    x = np.sort(np.random.default_rng(n).uniform(0.0, 4.0, n))
    y = np.sin(3 * x)
    spline = CubicSpline(x, y)
    times = np.linspace(x[0], x[-1], 101)
    for order, found in enumerate(value(Table(x, y), times)):
        expected = spline(times, order)
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10 * np.abs(expected).max() + 1e-13)


def test_table_holds_its_ends():
    table = Table([0.0, 1.0, 2.0], [1.0, 3.0, 2.0])
    f, rate, acceleration = value(table, [-1.0, 0.0, 2.0, 2.1, 9.0])
    np.testing.assert_allclose(f, [1.0, 1.0, 2.0, 2.0, 2.0], atol=1e-14)
    assert rate[0] == rate[3] == rate[4] == 0.0
    assert acceleration[0] == acceleration[3] == 0.0
    # at the end points themselves the slope is that of the curve
    assert rate[1] == pytest.approx(3.5)
    assert rate[2] == pytest.approx(-2.5)


@pytest.mark.parametrize(
    "signal", [Smoothstep(4.0, 2.0, 0.5, 1.0), Table(np.linspace(0, 4, 9), np.cos(np.linspace(0, 4, 9)))]
)
def test_acceleration_is_continuous(signal):
    corners = [0.5, 2.5, 1.0]
    before, after = (value(signal, np.array(corners) + h)[2] for h in (-1e-9, 1e-9))
    np.testing.assert_allclose(before, after, atol=1e-6)


def test_smoothstep_rises_once_and_evenly():
    f, rate, _ = value(Smoothstep(2.0, 1.0), [0.0, 0.5, 1.0, 5.0])
    np.testing.assert_allclose(f, [0.0, 1.0, 2.0, 2.0], atol=1e-15)
    np.testing.assert_allclose(rate, [0.0, 2.0 * 15 / 8, 0.0, 0.0], atol=1e-15)


def test_the_shape_of_the_times_is_kept():
    assert [part.shape for part in value(Sine(1.0, 1.0), np.zeros((3, 2)))] == [(3, 2)] * 3
    assert value(Sine(1.0, 1.0), 0.0)[1] == pytest.approx(1.0)


def test_signals_are_values():
    assert Polynomial([1, 2]) == Polynomial((1.0, 2.0))
    assert len({Table([0, 1], [2, 3]), Table(np.array([0.0, 1.0]), (2, 3)), Expression("t"), Expression("t")}) == 2
    assert as_signal(3) == Constant(3.0)
    assert as_signal(Ramp(1.0)) == Ramp(1.0)


def test_domain_errors_are_nan():
    assert math.isnan(value(Expression("sqrt(t - 1)"), 0.0)[0])
    assert math.isnan(value(Expression("log(t - 1)"), 0.0)[0])


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Constant(math.nan), "Constant.value: the value is not a number (NaN)"),
        (lambda: Ramp(math.inf), "Ramp.rate: inf is out of range"),
        (lambda: Smoothstep(1.0, 0.0), "Smoothstep.duration: 0 is out of range; give a finite number greater than 0"),
        (lambda: Polynomial([]), "Polynomial.coefficients: 0 coefficients are out of range for a polynomial"),
        (lambda: Polynomial(1.0), "Polynomial.coefficients: 1.0 is not a list of numbers"),
        (lambda: Table([0.0], [1.0]), "Table: 1 points are too few for a curve; give two points or more"),
        (lambda: Table([0.0, 1.0], [1.0]), "Table: x has 2 numbers and y has 1; give equal numbers of both"),
        (lambda: Table([0.0, 2.0, 1.0], [1.0] * 3), "Table.x: x[2] = 1 is not greater than x[1] = 2; sort the points"),
        (lambda: Table([0.0, 0.0], [1.0, 2.0]), "Table.x: x[1] = 0 is not greater than x[0] = 0"),
        (lambda: Table([0.0, math.nan], [1.0, 2.0]), "Table.x: the value is not a number (NaN)"),
        (lambda: Expression(3), "Expression.text: 3 is not a text"),
        (lambda: Expression("sin(t"), "Expression, character 6: ')' is missing"),
    ],
)
def test_refusals(make, text):
    with pytest.raises(ModelError) as refusal:
        make()
    assert str(refusal.value).startswith(text)
