"""Dual numbers, the battery's own derivatives, against SymPy and complex steps."""

import numpy as np
import pytest
import sympy

from flexura import algebra
from flexura.algebra import vec
from flexura.derive.duals import along, complex_step, jacobian, number, numbers

FUNCTIONS = ("sin", "cos", "tan", "exp", "log", "tanh", "sqrt")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_three_derivatives_of_every_function(name):
    function, t = getattr(algebra, name), sympy.Symbol("t")
    twin = getattr(sympy, name)(t * t / 3)
    values = [lambda x: [function(x[0] * x[0] / 3)]]
    for order in range(1, 4):
        inner = values[-1]
        values.append(lambda x, inner=inner: along(inner, x, [1.0]))
        expected = float(sympy.diff(twin, t, order).subs(t, 0.7))
        assert number(values[-1]([0.7])[0]) == pytest.approx(expected, rel=1e-13)


def test_powers_quotients_and_angles():
    def function(x):
        a, b = x
        return [a**3 / b, 2.0 / (a - b), 1.0 - a**b, 2.0**a, algebra.atan2(a, b), algebra.atan2(1.0, b)]

    a, b = sympy.symbols("a b", positive=True)
    twin = [a**3 / b, 2 / (a - b), 1 - a**b, 2**a, sympy.atan2(a, b), sympy.atan2(1, b)]
    expected = [[float(sympy.diff(f, s).subs({a: 0.7, b: 1.9})) for s in (a, b)] for f in twin]
    np.testing.assert_allclose(numbers(jacobian(function, [0.7, 1.9])), expected, rtol=1e-14, atol=1e-15)


def test_differentiations_do_not_take_each_others_part():
    # d/dx (x · d/dy (x + y)) = 1: what is constant for the inner is not for the outer
    def outer(x):
        return [x[0] * along(lambda y: [x[0] + y[0]], [1.0], [1.0])[0]]

    assert along(outer, [3.0], [1.0]) == [1.0]


def test_kinks_take_the_side_they_are_on():
    assert along(lambda x: [algebra.absolute(x[0]), algebra.maximum(x[0], 0.0)], [-2.0], [1.0]) == [-1.0, 0.0]
    assert along(lambda x: [algebra.absolute(x[0]), algebra.maximum(0.0, x[0])], [2.0], [1.0]) == [1.0, 1.0]


def test_vectors_and_complex_steps():
    def function(x):
        v = vec(x[0], x[1] * x[0])
        return [algebra.norm(v), *(2.0 * v), x[0] * v[1]]

    slopes = numbers(jacobian(function, [0.3, -1.2]))
    np.testing.assert_allclose(slopes, complex_step(function, [0.3, -1.2]), rtol=1e-14, atol=1e-15)
