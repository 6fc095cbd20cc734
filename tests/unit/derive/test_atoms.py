"""Atoms: expressions taken as a whole, which change the form of what is derived and nothing else."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.algebra import Vector, atom, norm, vec
from flexura.battery.examples import specimens
from flexura.battery.state import states
from flexura.derive.directional_derivatives import Derivative, along, gradient, jacobian
from flexura.derive.expression import ONE, ZERO, as_expr, const, substitute, symbol
from flexura.derive.kinds import Trace
from flexura.spatial import Beam
from unit.derive.trees import NAMES, PAIRS, SINGLES, SYMBOLIC, trees


def values(exprs, inputs):
    """The numbers that expressions have, folded from the bottom up."""
    numbers = {symbol(name): const(value) for name, value in inputs.items()}
    return np.array([expr.data for expr in substitute(exprs, numbers)])


def atomised(tree, kept):
    """A tree of expressions in which some branches, as the list ``kept`` says in turn, are atoms."""
    if isinstance(tree, str):
        return symbol(tree)
    if isinstance(tree, float):
        return const(tree)
    head, *rest = tree
    branches = [atomised(branch, kept) for branch in rest]
    whole = as_expr((PAIRS if len(branches) == 2 else SINGLES)[head](*branches, SYMBOLIC))
    kept.append(kept.pop(0))
    return atom(whole) if kept[-1] else whole


@given(trees, st.lists(st.booleans(), min_size=1, max_size=5), st.tuples(*[st.floats(-2.0, 2.0)] * 3))
@settings(deadline=None, max_examples=80)
def test_backwards_and_forwards_meet(tree, kept, inputs):
    symbols, at = [symbol(name) for name in NAMES], dict(zip(NAMES, inputs, strict=True))
    plain, whole = (as_expr(atomised(tree, list(choice))) for choice in ([False], kept))
    expected = values(jacobian([plain], symbols)[0], at)
    limit = 1e-11 * max(1.0, np.abs(expected).max())
    assert np.abs(values([whole], at) - values([plain], at)).max() <= limit
    assert np.abs(values(jacobian([whole], symbols)[0], at) - expected).max() <= limit
    assert np.abs(values(gradient(whole, symbols), at) - expected).max() <= limit


def test_second_derivatives_through_atoms_of_atoms():
    # f = (a² + b)³ with a = x y + z, b = a z: by hand ∂f/∂a = 3 (a² + b)² (2a + z)
    x, y, z = (symbol(name) for name in "xyz")
    a = atom(x * y + z)
    b = atom(a * z)
    f = atom(a * a + b) ** 3.0
    plain_a = x * y + z
    plain = (plain_a * plain_a + plain_a * z) ** 3.0
    at = {"x": 0.7, "y": -1.3, "z": 0.4}
    slopes = gradient(f, [x, y, z])
    found = [values(row, at) for row in jacobian(slopes, [x, y, z])]
    expected = [values(row, at) for row in jacobian(jacobian([plain], [x, y, z])[0], [x, y, z])]
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    np.testing.assert_allclose(found, np.transpose(found), rtol=1e-13)
    whole = 0.7 * -1.3 + 0.4
    by_hand = 3 * (whole**2 + whole * 0.4) ** 2 * (2 * whole + 0.4) * -1.3
    assert values(slopes, at)[0] == pytest.approx(by_hand, rel=1e-13)


def test_a_partial_derivative_holds_atoms():
    x = symbol("x")
    a = atom(x * x + 1.0)
    f = a * x
    assert Derivative({x: ONE}, partial=True)(f) is a
    assert Derivative({a: ONE}, partial=True)(f) is x
    assert Derivative({x: ONE})(f) is not a


def test_what_is_simple_is_its_own_atom():
    x = symbol("x")
    assert [atom(e) for e in (x, ZERO, const(2.5))] == [x, ZERO, const(2.5)]
    whole = atom(x + 1.0)
    assert atom(whole) is whole
    assert atom(x + 1.0) is whole


def test_numbers_are_their_own_atoms():
    assert atom(0.3) == 0.3
    assert atom(1j) == 1j
    kept = atom(vec(symbol("x") + 1.0, 2.0))
    assert isinstance(kept, Vector)
    assert kept[0].kind == "atom"
    assert kept[1] == 2.0


def test_distances_through_atoms():
    names = ("x", "y", "z")
    x = [symbol(name) for name in names]
    long = atom(norm(vec(*x)))
    at = dict(zip(names, (0.3, -0.4, 1.2), strict=True))
    assert values(gradient(long, x), at) == pytest.approx([0.3 / 1.3, -0.4 / 1.3, 1.2 / 1.3], rel=1e-15)
    assert values(along([long], x, x), at) == pytest.approx([1.3], rel=1e-15)


def test_the_strains_of_the_spatial_beam_backwards():
    (specimen, *_) = [s for s in specimens(Beam) if s.element.second_order and not s.shared]
    state = states(specimen)[1]
    trace = Trace(specimen.kind)
    at = {f"x{i}": value for i, value in enumerate(state.x)}
    at |= {f"n_{name}": value for name, value in specimen.numbers.items()}
    for strain, forwards in zip(trace.strain, trace.slope, strict=True):
        backwards = gradient(strain, trace.x)
        np.testing.assert_allclose(values(backwards, at), values(forwards, at), rtol=0.0, atol=1e-14)
