"""Constants of expressions as symbols: one form for all values, and the value of the expression."""

import random

import numpy as np
import pytest

import flexura as fx
from flexura.derive.expression import ONE, Expr, call, forget, substitute, symbol
from flexura.derive.lifted_constants import constant_symbol, lift, with_symbols
from flexura.elements import traced_laws
from flexura.elements.traced_laws import traced_law
from flexura.model.names import Names
from flexura.planar import Beam, Clearance


def traced(*constants: float) -> list[Expr]:
    """Two expressions with three constants each, an exponent and a sign among them."""
    a, b, c = constants
    x, y = symbol("x"), symbol("y")
    return [a * x - b * (y + c) ** 1.5 + 2.0, call("sin", -a * x) / (b + x * y)]


def value(expr: Expr, **names: float) -> float:
    (found,) = substitute([expr], {symbol(name): ONE * number for name, number in names.items()})
    return float(found.data)


def test_values_change_and_the_form_does_not():
    forget()
    one, other = lift(traced(3.0, 0.7, 1.25)), lift(traced(4.0, 0.2, 7.5))
    assert one.form == other.form
    assert one.constants == (2.0, 3.0, 1.25, 0.7)
    assert other.constants == (2.0, 4.0, 7.5, 0.2)


@pytest.mark.parametrize("special", [0.0, 1.0, -1.0, np.inf])
def test_zero_one_and_infinity_are_structure(special):
    forget()
    assert lift(traced(3.0, 0.7, 1.25)).form != lift(traced(special, 0.7, 1.25)).form


def test_exponents_signs_and_equal_constants_are_structure():
    forget()
    x = symbol("x")
    assert lift([x**1.5]) != lift([x**2.5])
    assert lift([3.0 * x + call("cos", 2.0 * x)]).form != lift([-3.0 * x + call("cos", 2.0 * x)]).form
    assert lift([3.0 * x + call("cos", 2.0 * x)]).form != lift([3.0 * x + call("cos", 3.0 * x)]).form


def test_lifted_expressions_have_the_values_of_the_original():
    for seed in range(20):
        chance = random.Random(seed)
        forget()
        exprs = traced(*(chance.uniform(0.1, 3.0) for _ in range(3)))
        names = {"x": chance.uniform(0.1, 2.0), "y": chance.uniform(0.1, 2.0)}
        expected = [value(expr, **names) for expr in exprs]
        lifted = lift(exprs)
        numbers = {constant_symbol(i): number for i, number in enumerate(lifted.constants)}
        found = [value(expr, **names, **numbers) for expr in with_symbols(exprs, lifted.constants)]
        assert found == pytest.approx(expected, rel=1e-14)


def pinned(clearance: float, restitution: float) -> Names:
    law = fx.Hertz(k=1e9, restitution=restitution)
    return Names(
        fx.Model(
            nodes={"O": (0, 0), "A": (1, 0), "B": (1, 0)},
            elements={
                "rod": Beam("O", "A", fx.Section(rhoA=1.0), rigid=True),
                "pin": Clearance("B", "rod.q", clearance=clearance, contact=law),
            },
            fixed=["O", "B"],
        )
    )


def test_a_new_value_of_a_law_differentiates_nothing(monkeypatch):
    def law(*values: float):
        names = pinned(*values)
        return traced_law(names.elements["pin"], names.drawing.numbers("pin"), frozenset())

    first = law(1e-3, 0.9)
    monkeypatch.setattr(traced_laws, "Derivative", None)
    second = law(2e-3, 0.8)
    assert second.form is first.form
    assert second.constants != first.constants
