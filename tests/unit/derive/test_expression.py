"""Symbols simplify themselves as far as a careful person would, and never wrongly."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.algebra import atan2, atom, cos, maximum, minimum, sin, sqrt, vec
from flexura.arcs import arc_number
from flexura.derive.expression import ONE, ZERO, as_expr, call, const, distribute, forget, power, substitute, symbol
from flexura.derive.expression_assembly import Writer
from unit.derive.running import run
from unit.derive.trees import NAMES, NUMERIC, SYMBOLIC, build, trees


@pytest.fixture
def letters():
    """Three symbols in a fresh table of nodes, as every trace has it."""
    forget()
    return tuple(symbol(name) for name in "xyz")


def test_equal_expressions_are_the_same_object(letters):
    x, y, z = letters
    assert sin(x * y + 1) is sin(1 + y * x)
    assert x + y is y + x
    assert (x * y) * z is x * (y * z)


def test_sums_collect_equal_terms(letters):
    x, y, _ = letters
    assert x + y - x is y
    assert 2 * x + 3 * x - 5 * x is ZERO
    assert (x + 1) - (x + 1) is ZERO
    assert (2 * x + y) + (y - 2 * x) is 2 * y


def test_products_collect_equal_factors(letters):
    x, y, _ = letters
    assert x * x * x is x**3
    assert x / x is ONE
    assert sqrt(x) * sqrt(x) is x
    assert (x * y) ** 2 is x**2 * y**2
    assert x * 0.0 is ZERO


def test_common_numbers_of_a_sum_come_out(letters):
    x, y, z = letters
    assert (2 * x - 2 * y) * z is 2 * ((x - y) * z)
    assert (y - x) * (x - y) is -((x - y) ** 2)


def test_roots_of_squares_keep_their_sign(letters):
    x, _, _ = letters
    # √(x²) is |x|, so it may not become x
    assert _value(sqrt(x**2), x=-3.0) == 3.0
    assert _value(sqrt(4 * x), x=9.0) == 6.0


def test_even_and_odd_functions_share_their_argument(letters):
    x, y, _ = letters
    assert cos(x - y) is cos(y - x)
    assert sin(x - y) is -sin(y - x)


def test_squares_of_sine_and_cosine_are_one(letters):
    x, y, z = letters
    assert sin(x) ** 2 + cos(x) ** 2 is ONE
    assert y * z * sin(x) ** 2 + y * z * cos(x) ** 2 is y * z
    assert sin(x) ** 2 * cos(y) ** 2 + cos(x) ** 2 * cos(y) ** 2 is cos(y) ** 2
    assert 2 * sin(x) ** 2 + cos(x) ** 2 is not ONE


def test_distributed_products_meet(letters):
    x, y, _ = letters
    normal, tangent = vec(-sin(x), cos(x)), vec(cos(x), sin(x))
    square = [distribute(a, a) for a in normal]
    assert square[0] + square[1] is ONE
    assert distribute(x + y, x - y) is x**2 - y**2
    assert normal @ tangent is ZERO


def test_numbers_are_computed_at_once():
    assert sin(const(0.5)).data == math.sin(0.5)
    assert atan2(const(1.0), const(-1.0)).data == math.atan2(1.0, -1.0)
    assert maximum(const(2.0), 3.0).data == 3.0
    assert power(const(2.0), 0.5).data == math.sqrt(2.0)


def test_numpy_numbers_are_numbers(letters):
    x, _, _ = letters
    assert np.float64(2.0) * x is 2.0 * x
    assert as_expr(np.float64(1.0)) is ONE


def test_substitution_simplifies_again(letters):
    x, y, _ = letters
    assert substitute([sin(x) ** 2 + y * cos(x) ** 2], {y: ONE}) == [ONE]
    assert substitute([minimum(x, y)], {x: const(2.0), y: const(1.0)})[0].data == 1.0


@given(st.lists(trees, min_size=1, max_size=3), st.tuples(*[st.floats(-3.0, 3.0)] * 3))
@settings(deadline=None)
def test_the_emitted_source_says_what_the_expression_says(given_trees, inputs):
    names = {name: symbol(name) for name in NAMES}
    exprs = [as_expr(build(tree, names, SYMBOLIC)) for tree in given_trees]
    expected = [build(tree, dict(zip(NAMES, inputs, strict=True)), NUMERIC) for tree in given_trees]
    found = run(exprs, dict(zip(NAMES, inputs, strict=True)))
    size = max(1.0, *map(abs, expected))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * size)


@pytest.mark.parametrize("exponent", [*range(-6, 7), 0.5, -0.5, 1.5, -2.5, 7.5, 1 / 3, -0.2])
def test_powers_are_emitted_right(exponent, letters):
    x, *_ = letters
    assert _value(power(x, float(exponent)), x=1.3) == pytest.approx(1.3**exponent, rel=1e-14)


def test_shared_work_is_emitted_once(letters):
    x, y, _ = letters
    writer = Writer({x: "%x", y: "%y"})
    writer.write([sin(x * y) + 1, sin(x * y) ** 2, 1 / sqrt(x), 1 / x, x**-1.5])
    assert sum("@llvm.sin" in line for line in writer.lines) == 1
    assert sum("@llvm.sqrt" in line for line in writer.lines) == 1
    assert sum("fdiv" in line for line in writer.lines) == 2


@pytest.mark.parametrize("x", [-2.0, 0.0, 3.0])
def test_choices_are_emitted_right(x, letters):
    t, *_ = letters
    found = run([call("sign", t), call("step", t), call("maximum", t, const(1.0)), call("absolute", t)], {"x": x})
    assert found == [np.sign(x), float(x > 0.0), max(x, 1.0), abs(x)]


@pytest.mark.parametrize("order", range(4))
@pytest.mark.parametrize("cosine", [1.0, 1.0 - 1e-9, 0.3, -0.8])
def test_arcs_are_emitted_right(cosine, order, letters):
    x, *_ = letters
    found = _value(call("arc", x, const(order)), x=cosine)
    # compiled, products and sums fuse
    assert found == pytest.approx(arc_number(cosine, order), rel=1e-14)


def test_numbers_keep_all_their_bits(letters):
    x, *_ = letters
    numbers = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -math.pi]
    assert run([x * 0.0 + number for number in numbers], {"x": 1.0}) == numbers
    assert run([const(-0.0), const(math.inf)], {"x": 1.0}) == [0.0, math.inf]


def test_a_kept_expression_is_a_whole_of_the_same_value(letters):
    x, y, z = letters
    whole = atom(x + y)
    # opened, the product would be collected into the square of the sum
    assert whole * z + whole is not (x + y) * z + (x + y)
    found, plain = run([sin(whole * whole), sin((x + y) * (x + y))], {"x": 0.3, "y": -1.2, "z": 0.0})
    assert found == plain


def test_a_strange_symbol_is_refused(letters):
    x, y, _ = letters
    with pytest.raises(KeyError, match="the symbol 'y' is not an input"):
        Writer({x: "%x"}).write([x + y])


def _value(expr, **inputs):
    return run([expr], inputs)[0]
