"""Expressions as formulas, kernels as Python."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.algebra import atan2, atom, maximum, sin, sqrt
from flexura.battery.examples import specimens
from flexura.battery.kernel import outputs
from flexura.battery.state import states
from flexura.derive.expression import as_expr, const, forget, substitute, symbol
from flexura.derive.kernels import derive, read_kernel
from flexura.derive.levels import LEVELS
from flexura.derive.python_kernel import load_python
from flexura.laws.formula_parser import parse
from flexura.planar import Beam
from unit.derive.trees import NAMES, SYMBOLIC, build, trees


@pytest.fixture
def letters():
    forget()
    return tuple(symbol(name) for name in "xyz")


def test_formulas(letters):
    x, y, z = letters
    expected = {
        "x + y": x + y,
        "2*x*sin(y) - z^2 + 3": 2 * x * sin(y) - z**2 + 3,
        "-x": -x,
        "(x + y)/(x*z)": (x + y) / (z * x),
        "1/sqrt(x^2 + y^2)": 1 / sqrt(x * x + y * y),
        "2.5/x": 2.5 / x,
        "z*(x + y)": atom(x + y) * z,
        "max(x, -y)": maximum(x, -y),
        "atan2(y, x)": atan2(y, x),
        "(x + y)^3": (x + y) ** 3,
        "x^0.3": x**0.3,
        "-1.5": const(-1.5),
    }
    assert {str(expr): expr for expr in expected.values()} == expected


@given(trees, st.tuples(*[st.floats(-2.0, 2.0)] * 3))
@settings(deadline=None, max_examples=60)
def test_formulas_are_read_back(tree, inputs):
    symbols = {name: symbol(name) for name in NAMES}
    expr = as_expr(build(tree, symbols, SYMBOLIC))
    text = str(expr)
    if "…" in text or len(text) > 1000:
        return
    values = {symbols[name]: const(value) for name, value in zip(NAMES, inputs, strict=True)}
    again = parse(text, symbols)
    one, other = (substitute([e], values)[0].data for e in (expr, again))
    assert one == pytest.approx(other, rel=1e-12, abs=1e-12)


def test_long_formulas_are_abbreviated(letters):
    x, *_ = letters
    value = x
    for _ in range(40):
        value = sin(value) * value + 1.0
    assert "(…)" in str(value)
    assert len(str(value)) < 10000


@pytest.mark.parametrize("level", LEVELS)
def test_kernels_in_python_compute_the_same(level):
    specimen = specimens(Beam)[0]
    state = states(specimen)[1]
    derived = derive(specimen.kind, level)
    rng = np.random.default_rng(1)
    extra = rng.normal(size=max(derived.extra, 1))
    x, v = np.asarray(state.x, dtype=float), rng.normal(size=len(state.x))
    kernel = load_python(read_kernel(specimen.kind, level))
    out = np.full(max(len(derived.entries), 1), math.nan)
    index = np.arange(specimen.kind.width)
    kernel(1, index, np.array(list(specimen.numbers.values())), x, v, extra, out)
    expected = outputs(specimen, level, x, v, extra)
    # the balance leaves the places of the masses alone
    for (name, i, j), value in zip(derived.entries, out, strict=False):
        assert value == pytest.approx(expected[name][i, j], rel=1e-12, abs=1e-12, nan_ok=name == "mass"), (name, i, j)
