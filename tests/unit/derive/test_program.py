"""The register machine against direct evaluation of the same expressions."""

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.derive.expression import ONE, ZERO, as_expr, atom, call, const, power, symbol
from flexura.derive.program import run, tabulate
from flexura.derive.program_builder import ProgramBuilder
from unit.derive.trees import NAMES, NUMERIC, SYMBOLIC, build, trees


def evaluate(exprs, inputs):
    builder = ProgramBuilder(NAMES)
    span = builder.add(exprs)
    return tabulate(builder.finish(), span, np.array([inputs], dtype=float))[0]


@given(st.lists(trees, min_size=1, max_size=3), st.tuples(*[st.floats(-3.0, 3.0)] * 3))
@settings(deadline=None)
def test_random_expressions(given_trees, inputs):
    exprs = [as_expr(build(tree, {name: symbol(name) for name in NAMES}, SYMBOLIC)) for tree in given_trees]
    expected = [build(tree, dict(zip(NAMES, inputs, strict=True)), NUMERIC) for tree in given_trees]
    size = max(1.0, *map(abs, expected))
    np.testing.assert_allclose(evaluate(exprs, inputs), expected, rtol=1e-9, atol=1e-9 * size)


@pytest.mark.parametrize("exponent", [*range(-9, 10), 0.5, -0.5, 1.5, -2.5, 7.5, 1 / 3, -0.2, 63.0, 64.0, 65.0, 99.5])
def test_powers(exponent):
    assert evaluate([power(symbol("t"), float(exponent))], (1.3, 0, 0))[0] == pytest.approx(1.3**exponent, rel=1e-14)


@pytest.mark.parametrize(("x", "step", "sign"), [(-2.0, 0.0, -1.0), (0.0, 0.0, 0.0), (3.0, 1.0, 1.0)])
def test_step_and_sign(x, step, sign):
    t = symbol("t")
    np.testing.assert_array_equal(evaluate([call("step", t), call("sign", t)], (x, 0, 0)), [step, sign])


def test_what_has_no_value_is_nan_or_infinite():
    t = symbol("t")
    exprs = [power(t, 0.5), power(t, 0.3), call("log", t), power(t + 1, -1.0), call("exp", -1e9 * t)]
    np.testing.assert_array_equal(evaluate(exprs, (-1.0, 0, 0)), [math.nan] * 3 + [math.inf] * 2)
    both = [call("maximum", t, ONE), call("maximum", ONE, t), call("sin", t), 2.0 * t]
    assert np.isnan(evaluate(both, (math.nan, 0, 0))).all()


def test_shared_work_is_done_once():
    t, e = symbol("t"), symbol("e")
    builder = ProgramBuilder(NAMES)
    shared = call("sin", t * e)
    span = builder.add([shared + 1, shared * e, call("exp", shared), power(t, 2.0) + power(t, 4.0)])
    # t·e, sin, +1, ·e, exp, t², t⁴, their sum
    assert span.stop - span.start == 8


def test_constants_and_inputs_need_no_rows():
    builder = ProgramBuilder(NAMES)
    span = builder.add([symbol("e"), const(2.5), ZERO, const(2.5)])
    assert span.start == span.stop
    assert span.outputs[0] == 1
    assert span.outputs[1] == span.outputs[3]
    np.testing.assert_array_equal(builder.finish().registers[list(span.outputs[1:])], [2.5, 0.0, 2.5])


def test_spans_stand_side_by_side():
    builder, t = ProgramBuilder(NAMES), symbol("t")
    spans = [builder.add([call("sin", t) + i]) for i in range(3)]
    program = builder.finish()
    registers = program.registers.copy()
    registers[0] = 0.3
    run(program, registers, spans[0].start, spans[2].stop)
    np.testing.assert_allclose([registers[span.outputs[0]] for span in spans], math.sin(0.3) + np.arange(3))
    # the program itself is left as it was
    assert program.registers[0] == 0.0


def test_tables_side_by_side_with_their_derivatives():
    builder, t = ProgramBuilder(NAMES), symbol("t")
    first = builder.table(np.array([0.0, 1.0, 3.0]), np.array([[1.0, 2.0, 3.0, 4.0], [10.0, 0.0, -1.0, 0.5]]))
    second = builder.table(np.array([0.0, 5.0]), np.array([[7.0, 1.0, 0.0, 0.0]]))
    again = builder.table(np.array([0.0, 5.0]), np.array([[7.0, 1.0, 0.0, 0.0]]))
    assert (first, second, again) == (0, 1, 1)
    orders = [call("table", t, const(first), const(order)) for order in range(5)]
    span = builder.add([*orders, call("table", t, const(second), ZERO)])
    result = tabulate(builder.finish(), span, np.array([[0.5], [2.0], [-1.0], [4.0]]))
    np.testing.assert_allclose(result[0], [1 + 1 + 0.75 + 0.5, 2 + 3 + 3, 6 + 12, 24, 0, 7.5])
    np.testing.assert_allclose(result[1], [10 - 1 + 0.5, -2 + 1.5, -2 + 3, 3, 0, 9.0])
    np.testing.assert_allclose(result[2], [1, 0, 0, 0, 0, 7.0])
    np.testing.assert_allclose(result[3], [10 - 4 + 4, 0, 0, 0, 0, 11.0])


def test_unknown_symbols_and_misshapen_tables_are_refused():
    with pytest.raises(KeyError, match="the symbol 'z' is not an input of this program; inputs are t, e, v"):
        ProgramBuilder(NAMES).add([symbol("z")])
    with pytest.raises(ValueError, match="do not make a table"):
        ProgramBuilder(NAMES).table(np.zeros(3), np.zeros((3, 4)))


def test_speed():
    """A few nanoseconds a row; the bound leaves room for a busy machine."""
    builder, t = ProgramBuilder(NAMES), symbol("t")
    value = ONE
    for i in range(100):
        value = (value + float(i)) * t + call("maximum", value, t)
    span = builder.add([value])
    program, inputs = builder.finish(), np.linspace(0.0, 1.0, 20000).reshape(-1, 1)
    tabulate(program, span, inputs[:1])
    rows, seconds = (span.stop - span.start) * len(inputs), []
    for _ in range(5):
        start = time.perf_counter()
        tabulate(program, span, inputs)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) / rows < 50e-9


def test_atoms_are_their_arguments():
    t, e = symbol("t"), symbol("e")
    whole = atom(t * e + 1.0)
    np.testing.assert_array_equal(evaluate([whole, whole * whole], (2.0, 3.0, 0.0)), [7.0, 49.0])
