"""The reader of formulas: what it understands, what it refuses, and that it never lingers."""

import contextlib
import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.derive.expression import symbol
from flexura.derive.program import tabulate
from flexura.derive.program_builder import ProgramBuilder
from flexura.errors import ModelError
from flexura.functions import FORMULAS
from flexura.laws.formula_parser import parse
from flexura.laws.signals import Expression, value


def variables():
    return {name: symbol(name) for name in ("t", "e", "v")}


def evaluate(text, t=0.3, e=0.2, v=-0.7):
    builder = ProgramBuilder(("t", "e", "v"))
    span = builder.add([parse(text, variables())])
    return tabulate(builder.finish(), span, np.array([[t, e, v]]))[0, 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1+2*3", 7.0),
        ("(1+2)*3", 9.0),
        ("2-3-4", -5.0),
        ("16/4/2", 2.0),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2**-1", 0.5),
        ("2*-3", -6.0),
        ("--3", 3.0),
        ("+3", 3.0),
        ("2^-1^2", 0.5),
        (".5e1 + 1E-1 + 2.", 7.1),
        (" pi\n* t\t", math.pi * 0.3),
        ("2*t^2", 0.18),
        ("t^0.5 - t^2.5 + t^-1.5", 0.3**0.5 - 0.3**2.5 + 0.3**-1.5),
        ("t^e", 0.3**0.2),
        ("2^t", 2**0.3),
        ("abs(v) + sign(v) + step(v) + step(t)", 0.7 - 1 + 0 + 1),
        ("min(t, e) + 10*max(t, v)", 0.2 + 3.0),
        ("atan2(v, t)", math.atan2(-0.7, 0.3)),
        ("asin(t) + 2*acos(t) + 3*atan(v)", math.asin(0.3) + 2 * math.acos(0.3) + 3 * math.atan(-0.7)),
        ("acos(v)", math.acos(-0.7)),
        ("sinh(t) + cosh(v) + tanh(e)", math.sinh(0.3) + math.cosh(0.7) + math.tanh(0.2)),
        ("exp(1) + log(2) + sqrt(2) + tan(t)", math.e + math.log(2) + math.sqrt(2) + math.tan(0.3)),
        ("+".join(["t"] * 500), 150.0),
        ("(" * 50 + "t" + ")" * 50, 0.3),
    ],
)
def test_meaning(text, expected):
    assert evaluate(text) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "character 1: the formula ends too early; give a number"),
        ("1+", "character 3: the formula ends too early"),
        ("1 2", "character 3: '2' does not belong here; put an operator such as * before it"),
        ("2t", "character 2: 't' does not belong here; put an operator such as * before it"),
        ("1)", "character 2: ')' does not belong here; check the brackets"),
        ("(1", "character 3: ')' is missing; close each bracket"),
        ("(1,2)", "character 3: there is ',' where ')' is expected"),
        ("*2", "character 1: there is '*' where a value is expected"),
        ("sin()", "character 5: there is ')' where a value is expected"),
        ("sine(t)", "character 1: there is no function 'sine'; did you mean 'sin'?"),
        ("2*time", "character 3: there is no variable 'time'"),
        ("sin", "character 1: the function 'sin' has no value of its own; write sin(…)"),
        ("t(2)", "character 1: 't' cannot be called; write t*( to multiply"),
        ("sin(1, 2)", "character 1: sin is given 2 values; it takes 1"),
        ("max(1)", "character 1: max is given 1 values; it takes 2"),
        ("1/0", "character 2: '/' gives no finite number here"),
        ("log(0)", "character 1: 'log' gives no finite number here"),
        ("sqrt(-1)", "character 1: 'sqrt' gives no finite number here"),
        ("(-8)^(1/3)", "character 5: '^' gives no finite number here"),
        ("(-2)^t", "character 5: '^' gives no finite number here"),
        ("exp(1000)", "character 1: 'exp' gives no finite number here"),
        ("1e999", "character 1: '1e999' gives no finite number here"),
        ("1e300*1e300", "character 6: '*' gives no finite number here"),
        ("9**9**9", "character 2: the exponent 3.8742e+08 is too large; use at most 100"),
        ("t^-1000", "character 2: the exponent -1000 is too large"),
        ("9**9**9**9**9", "character 8: the exponent"),
        ("(" * 51 + "t" + ")" * 51, "character 51: more than 50 levels of brackets and signs"),
        ("-" * 60 + "t", "character 51: more than 50 levels"),
        ("sin(" * 240 + "t", "character 201: more than 50 levels"),
        ("^".join(["t"] * 60), "character 102: more than 50 levels"),
        ("t+" * 600 + "t", "1201 characters are too many; use at most 1000"),
        ("*".join(f"(t+{i})" for i in range(30)), "a product of more than 20 factors"),
        # Python that is no arithmetic
        ("__import__('os').system('ls')", 'character 12: "\'" means nothing in a formula; write numbers'),
        ("__import__(t)", "character 1: there is no function '__import__'"),
        ("t.real", "character 1: the signal 't.real' cannot be used here; signals stand in the formulas of loads"),
        ("2*t.__class__", "character 3: the signal 't.__class__' cannot be used here"),
        ("t'", 'character 1: there is no variable "t\'"'),
        ("t.", "character 2: '.' means nothing in a formula"),
        ("t[0]", "character 2: '[' means nothing"),
        ("lambda: t", "character 7: ':' means nothing"),
        ("lambda t", "character 1: there is no variable 'lambda'"),
        ("(t for t in e)", "character 4: there is 'for' where ')' is expected"),
        ("t if t else e", "character 3: 'if' does not belong here"),
        ("t; t", "character 2: ';' means nothing"),
        ("t == t", "character 3: '=' means nothing"),
        ("t := 1", "character 3: ':' means nothing"),
        ("t // 2", "character 4: there is '/' where a value is expected"),
        ("t % 2", "character 3: '%' means nothing"),
        ("1_000", "character 2: '_000' does not belong here"),
        ("0x10", "character 2: 'x10' does not belong here"),
        ("1j", "character 2: 'j' does not belong here"),
        ("eval(t)", "character 1: there is no function 'eval'"),
        ("t\u00a0+1", "character 2: '\\xa0' means nothing"),
        ("\uff11+1", "character 1: '\uff11' means nothing"),
        ("t²", "character 2: '²' means nothing"),
    ],
)
def test_refusals(text, complaint):
    with pytest.raises(ModelError) as refusal:
        parse(text, variables())
    assert complaint in str(refusal.value)
    assert refusal.value.remedy


def test_signals_know_the_time_only():
    with pytest.raises(ModelError, match=r"'e' can be used only in the law of a strain; .* Euler's number is exp\(1\)"):
        value(Expression("e^t"), 0.0)


@given(st.text(alphabet="te v0123.+-*/^()pisnax,'_[\n", max_size=40))
@settings(deadline=None)
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(ModelError):
        parse(text, variables())


def join(parts):
    left, operator, right, brackets = parts
    return f"({left}{operator}{right})" if brackets else f"{left} {operator} {right}"


formulas = st.recursive(
    st.sampled_from(["t", "2", "0.5", "1.5e1", "-t", "-3"]),
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "**"]), inner, st.booleans()).map(join),
    max_leaves=8,
)


@given(formulas)
@settings(deadline=None)
def test_arithmetic_means_what_it_means_in_python(text):
    try:
        expected = eval(text, {"t": 0.3})  # the text is the test's own
        found = evaluate(text)
    except (ArithmeticError, ModelError):
        return
    if isinstance(expected, float | int) and 1e-9 < abs(expected) < 1e9:
        # huge intermediate results may cancel
        assert found == pytest.approx(expected, rel=1e-6) or math.isnan(found)


@pytest.mark.parametrize(
    "text",
    [
        "*".join(f"(t+{i})" for i in range(1, 21)),
        "sin(" * 50 + "t" + ")" * 50,
        "exp(" * 50 + "t" + ")" * 50,
        "".join(f"sin(t*(t+{i})*(t-{i})*" for i in range(1, 30)) + "t" + ")" * 29,
        "+".join(f"sin({i}*t)" for i in range(80)),
        "^".join(["t"] * 50),
    ],
)
def test_the_worst_formula_does_not_linger(text):
    start = time.perf_counter()
    value(Expression(text), 0.3)
    assert time.perf_counter() - start < 10.0


def test_functions_are_those_that_are_documented():
    listed = "sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign step atan2 min max"
    assert list(FORMULAS) == listed.split()
