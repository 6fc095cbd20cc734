"""Every function of the table: in Python, on arrays, dual numbers, in kernels, programs, formulas, and elements."""

from typing import ClassVar

import numpy as np
import pytest

from flexura import algebra
from flexura.algebra import atom, norm, vec
from flexura.battery import derivatives, laws
from flexura.battery.examples import specimens
from flexura.derive.directional_derivatives import along as slope_along
from flexura.derive.directional_derivatives import jacobian as slopes_of
from flexura.derive.duals import along, complex_step, jacobian, number, numbers
from flexura.derive.expression import const, forget, substitute, symbol
from flexura.derive.program import tabulate
from flexura.derive.program_builder import ProgramBuilder
from flexura.elements.element import Element
from flexura.functions import FORMULAS, TABLE
from flexura.laws.formula_parser import parse
from flexura.laws.surfaces import level
from flexura.nodes import At, Point
from unit.derive.running import run

FUNCTIONS = [entry for entry in TABLE.values() if entry.name != "atom"]
by_function = pytest.mark.parametrize("entry", FUNCTIONS, ids=lambda entry: entry.name)
NAMES = ("x", "y")


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLEXURA_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def trial(entry):
    """Arguments that vary, and parameters."""
    varied = entry.arity - len(entry.defaults)
    return list(entry.trial[:varied]), list(entry.trial[varied : entry.arity])


def differences(function, x):
    """∂f/∂x_j by central differences with steps h and h/2, extrapolated: error of the order of h⁴."""

    def central(j, h):
        ahead, behind = ([a + s * h * (i == j) for i, a in enumerate(x)] for s in (1, -1))
        return (function(ahead) - function(behind)) / (2 * h)

    return [(4 * central(j, 5e-4) - central(j, 1e-3)) / 3 for j in range(len(x))]


def expected(entry):
    """Value and derivatives, from the values on floats alone."""
    x, parameters = trial(entry)
    return entry(*x, *parameters), differences(lambda at: entry(*at, *parameters), x)


@by_function
def test_derivatives_in_python(entry):
    x, parameters = trial(entry)
    value, slopes = expected(entry)
    np.testing.assert_allclose(entry.slopes(*x, *parameters)[: len(x)], slopes, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        complex_step(lambda at: [entry(*at, *parameters)], x)[0], entry.slopes(*x, *parameters)[: len(x)], rtol=1e-14
    )
    # arrays have the values of their entries
    twice = entry(*(np.array([a, a]) for a in x), *parameters)
    np.testing.assert_allclose(twice, [value, value], rtol=1e-15)


@by_function
def test_derivatives_of_dual_numbers(entry):
    x, parameters = trial(entry)

    def function(at):
        return [entry(*at, *parameters)]

    _, slopes = expected(entry)
    np.testing.assert_allclose(numbers(jacobian(function, x))[0], slopes, rtol=1e-9, atol=1e-9)
    # the second derivative along (1, 1, …)
    found = along(lambda at: along(function, at, [1.0] * len(x)), x, [1.0] * len(x))
    shifted = differences(lambda s: sum(entry.slopes(*(a + s[0] for a in x), *parameters)[: len(x)]), [0.0])
    assert number(found[0]) == pytest.approx(shifted[0], rel=1e-8, abs=1e-8)


def graphs(entry):
    """The function, its partial derivatives and a second derivative as expressions, with their values by duals."""
    forget()
    x, parameters = trial(entry)
    symbols = [symbol(name) for name in NAMES[: len(x)]]
    value = entry(*symbols, *parameters)
    slopes = slopes_of([value], symbols)[0]
    second = slope_along(slope_along([value], symbols, [const(1.0)] * len(x)), symbols, [const(1.0)] * len(x))

    def function(at):
        return [entry(*at, *parameters)]

    numeric = [entry(*x, *parameters), *numbers(jacobian(function, x))[0]]
    numeric.append(number(along(lambda at: along(function, at, [1.0] * len(x)), x, [1.0] * len(x))[0]))
    return symbols, [value, *slopes, *second], numeric


@by_function
def test_kernels(entry):
    symbols, exprs, numeric = graphs(entry)
    inputs = {s.data: value for s, value in zip(symbols, entry.trial, strict=False)}
    np.testing.assert_allclose(run(exprs, inputs), numeric, rtol=1e-14, atol=1e-15)


@by_function
def test_programs(entry):
    _, exprs, numeric = graphs(entry)
    builder = ProgramBuilder(NAMES)
    span = builder.add(exprs)
    inputs = np.array([[*trial(entry)[0], 0.0][:2]])
    np.testing.assert_allclose(tabulate(builder.finish(), span, inputs)[0], numeric, rtol=1e-14, atol=1e-15)


@by_function
def test_symbols_folded_to_numbers(entry):
    symbols, exprs, numeric = graphs(entry)
    values = dict(zip(symbols, map(const, entry.trial), strict=False))
    np.testing.assert_allclose([e.data for e in substitute(exprs, values)], numeric, rtol=1e-14, atol=1e-15)


@by_function
def test_formulas(entry):
    assert (entry.formula in FORMULAS) == bool(entry.formula)
    if not entry.formula:
        return
    found = parse(f"{entry.formula}({', '.join(map(repr, entry.trial[: entry.arity]))})", {})
    assert found.data == entry(*entry.trial[: entry.arity])


@by_function
def test_surfaces(entry):
    """Smooth functions make surfaces, the others are refused."""
    if not entry.formula:
        return
    text = f"z - {entry.formula}({', '.join(['0.4*x + 0.3'] * entry.arity)})"
    if not entry.smooth:
        with pytest.raises(Exception, match="a surface must be smooth"):
            level(text, vec(0.1, 0.2, 0.3))
        return
    found = level(text, vec(0.1, 0.2, 0.3))
    assert found.value == pytest.approx(0.3 - entry(*[0.34] * entry.arity), rel=1e-14)
    (slope,) = differences(lambda x: -entry(*[0.4 * x[0] + 0.3] * entry.arity), [0.1])
    assert found.gradient[0] == pytest.approx(slope, rel=1e-9, abs=1e-12)


def test_every_function_is_a_name_of_the_algebra():
    assert all(getattr(algebra, entry.name) is entry for entry in FUNCTIONS)
    assert {entry.name for entry in FUNCTIONS} < set(algebra.__all__)


def test_a_wrong_number_of_arguments():
    with pytest.raises(TypeError, match="atan2 takes 2 arguments, got 1"):
        algebra.atan2(1.0)
    assert algebra.arc(0.3) == algebra.arc(0.3, 0)


class Gauge(Element):
    """Spring whose strains and law are made of all functions of the table."""

    p: At[Point]
    q: At[Point]

    internal: ClassVar = True
    strains: ClassVar = tuple(entry.name for entry in FUNCTIONS)

    def strain(self, p, q):
        e = norm(q.r - p.r) - self.length
        return vec(*(self.moved(entry, 0.05 * e) - entry(*entry.trial[: entry.arity]) for entry in FUNCTIONS))

    def stiffness(self, length):
        return np.zeros((len(self.strains), len(self.strains)))

    def stress(self, e, v):
        return vec(*(self.moved(entry, atom(0.05 * (a + b))) for entry, a, b in zip(FUNCTIONS, e, v, strict=True)))

    @staticmethod
    def moved(entry, shift):
        x, parameters = trial(entry)
        return entry(*(a + (i + 1) * shift for i, a in enumerate(x)), *parameters)


@pytest.mark.parametrize(
    "check",
    [
        derivatives.first_derivatives,
        derivatives.second_derivatives,
        derivatives.geometric_stiffness,
        derivatives.third_derivatives,
        laws.laws_and_slopes,
    ],
    ids=lambda check: check.__name__,
)
def test_elements(check):
    """Strains, their slopes for linearisation, and laws of an element that uses every function."""
    assert max(check(specimen) for specimen in specimens(Gauge)) < 1e-12
