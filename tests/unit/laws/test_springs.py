"""Laws on one strain."""

import numpy as np
import pytest

from flexura.derive.directional_derivatives import gradient
from flexura.derive.expression import symbol
from flexura.derive.program import tabulate
from flexura.derive.program_builder import ProgramBuilder
from flexura.errors import ModelError
from flexura.laws.signals import Expression, Table
from flexura.laws.springs import LinearLaw, law_expression


def stress(law, t, e, v):
    """The stress and its slopes in strain and rate."""
    symbols = [symbol(name) for name in ("t", "e", "v")]
    builder = ProgramBuilder(("t", "e", "v"))
    sigma = law_expression(law, symbols[1], symbols[2], symbols[0], builder)
    span = builder.add([sigma, *gradient(sigma, symbols[1:])])
    return tabulate(builder.finish(), span, np.array([[t, e, v]]))[0]


def test_linear_spring():
    np.testing.assert_allclose(stress(LinearLaw(k=100.0, c=2.0, preload=5.0), 0.0, 0.1, 3.0), [21.0, 100.0, 2.0])
    np.testing.assert_array_equal(stress(LinearLaw(), 1.0, 1.0, 1.0), [0.0, 0.0, 0.0])


def test_table_of_force_over_strain():
    x = np.linspace(-1.0, 1.0, 9)
    np.testing.assert_allclose(stress(Table(x, x**3), 0.0, 0.3, 7.0), [0.027, 0.27, 0.0], atol=1e-14)


def test_formula_of_strain_rate_and_time():
    law = Expression("1000*e + 5e4*e^3 + 2*v*abs(v) + sin(t)")
    expected = [1000 * 0.1 + 50 + 2 * 0.25 + np.sin(0.3), 1000 + 1500, 2.0]
    np.testing.assert_allclose(stress(law, 0.3, 0.1, 0.5), expected, rtol=1e-14)


def test_infinite_stiffness_is_refused():
    with pytest.raises(ModelError, match=r"LinearLaw\.k: inf is out of range"):
        LinearLaw(k=float("inf"))
