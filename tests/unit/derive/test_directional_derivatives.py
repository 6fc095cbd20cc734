"""Derivatives of expression graphs against SymPy."""

import math

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.derive.directional_derivatives import Derivative, along, gradient, jacobian
from flexura.derive.expression import ONE, ZERO, as_expr, call, const, symbol
from flexura.derive.expression_assembly import Writer
from flexura.derive.forward_accumulation import accumulated
from unit.derive.running import run
from unit.derive.trees import NAMES, SYMBOLIC, build, trees

SYMPY = {name: getattr(sympy, name) for name in ("sin", "cos", "tan", "exp", "log", "tanh", "atan2")}
SYMPY |= {"maximum": sympy.Max, "absolute": sympy.Abs}
REAL = {name: sympy.Symbol(name, real=True) for name in NAMES}


@given(trees, st.tuples(*[st.floats(-2.0, 2.0)] * 3))
@settings(deadline=None, max_examples=60)
def test_gradients_are_those_of_sympy(tree, inputs):
    expr = as_expr(build(tree, {name: symbol(name) for name in NAMES}, SYMBOLIC))
    twin = sympy.sympify(build(tree, REAL, SYMPY))
    expected = []
    for name in NAMES:
        slope = sympy.diff(twin, REAL[name]).subs({REAL[n]: v for n, v in zip(NAMES, inputs, strict=True)})
        expected.append(complex(slope.evalf(20)) if not slope.has(sympy.Derivative) else math.nan)
    found = run(gradient(expr, [symbol(name) for name in NAMES]), dict(zip(NAMES, inputs, strict=True)))
    size = max(1.0, *(abs(e) for e in expected))
    for one, other in zip(found, expected, strict=True):
        # at a kink (|x| or max at equality) there is no derivative to agree on
        if math.isfinite(one) and np.isfinite(other):
            assert abs(one - other) <= 1e-9 * size or _kinked(twin, inputs)


def _kinked(twin, inputs):
    """Whether an argument of |·| or a difference of max is zero here."""
    at = {REAL[n]: v for n, v in zip(NAMES, inputs, strict=True)}
    edges = [a.args[0] for a in twin.atoms(sympy.Abs)] + [a.args[0] - a.args[-1] for a in twin.atoms(sympy.Max)]
    edges += [s.args[0] for s in twin.atoms(sympy.sign, sympy.Heaviside)]
    return any(abs(complex(edge.subs(at).evalf())) < 1e-9 for edge in edges)


@pytest.mark.parametrize("derivative", [along, accumulated])
def test_second_and_third_derivatives_of_a_length(derivative):
    """What every element has: the distance of two points, three times along a direction."""
    names = ("x", "y", "u", "w")
    x, y, u, w = (symbol(name) for name in names)
    length = (x * x + y * y) ** 0.5
    third = [length]
    for _ in range(3):
        third = derivative(third, [x, y], [u, w])
    X, Y, U, W, t = sympy.symbols("X Y U W t")
    twin = sympy.diff(sympy.sqrt((X + t * U) ** 2 + (Y + t * W) ** 2), t, 3).subs(t, 0)
    values = (0.7, -1.1, 0.4, 2.3)
    expected = float(twin.subs(dict(zip((X, Y, U, W), values, strict=True))))
    assert run(third, dict(zip(names, values, strict=True)))[0] == pytest.approx(expected, rel=1e-14)


def test_tables_and_steps():
    t = symbol("t")
    table = call("table", t * t, const(0.0), ZERO)
    slope = Derivative({t: ONE})(table)
    assert slope is 2.0 * t * call("table", t * t, const(0.0), ONE)
    assert Derivative({t: ONE})(call("step", t)) is ZERO
    assert Derivative({t: ONE})(call("sign", t)) is ZERO


def test_shared_work_is_differentiated_once():
    x = symbol("x")
    expr = x
    for _ in range(60):  # a tree of 2⁶⁰ leaves, a graph of 60 nodes
        expr = call("sin", expr * expr)
    assert jacobian([expr], [x])[0][0] is not ZERO


def test_an_unknown_function_is_refused():
    x = symbol("x")
    with pytest.raises(ValueError, match="no derivative is known for 'gamma'"):
        Derivative({x: ONE})(call("gamma", x))


@given(trees, st.tuples(*[st.floats(-2.0, 2.0)] * 3))
@settings(deadline=None, max_examples=60)
def test_accumulated_derivatives_are_those_of_gradients(tree, inputs):
    expr, symbols = as_expr(build(tree, {name: symbol(name) for name in NAMES}, SYMBOLIC)), list(map(symbol, NAMES))
    directions = [const(0.7), const(-1.3), const(0.4)]
    one, *parts = run(
        accumulated([expr], symbols, directions) + gradient(expr, symbols), dict(zip(NAMES, inputs, strict=True))
    )
    terms = [part * direction.data for part, direction in zip(parts, directions, strict=True)]
    if math.isfinite(one) and np.all(np.isfinite(terms)):
        assert abs(one - sum(terms)) <= 1e-9 * max(1.0, *map(abs, terms))


def test_products_of_many_factors_have_short_accumulated_derivatives():
    """Two products and a sum for each factor after the first, where the expanded rule has as many terms as factors."""
    symbols = [symbol(f"p{i}") for i in range(12)]
    product = ONE
    for one in symbols:
        product = product * (one + 1.0)
    writer = Writer({one: f"%{one.data}" for one in symbols + [symbol(f"d{i}") for i in range(12)]})
    writer.write(accumulated([product], symbols, [symbol(f"d{i}") for i in range(12)]))
    assert len(writer.lines) <= 12 + 4 * 11
