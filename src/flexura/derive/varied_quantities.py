"""Quantities of an element whose changes determine those of its accelerations, and their derivatives.

The quantities are ε, ε̇, ε̈ and the contribution to the balance of forces. Which form has the shortest derivatives
depends on the element: terms cancel in an expanded form, and an accumulated one shares its intermediate results. Both
are derived, and the shorter one is taken.
"""

from __future__ import annotations

from collections.abc import Callable

from flexura.derive.directional_derivatives import jacobian, pull_back, reachable
from flexura.derive.expression import Expr, atom
from flexura.derive.forward_accumulation import accumulated
from flexura.derive.kinds import Trace

VARIED = ("strain", "rate", "second", "force")
"""Names of the quantities: ε, ε̇, ε̈ and the balance of forces."""
Quantities = list[list[Expr]]


def changes_along(trace: Trace, symbols: list[Expr], changes: list[Expr]) -> Quantities:
    """Changes of all quantities with those of symbols."""

    def derived(quantities: Quantities) -> Quantities:
        ends = [len(values) for values in quantities]
        every = iter(accumulated([value for values in quantities for value in values], symbols, changes))
        return [[next(every) for _ in range(end)] for end in ends]

    return _shortest(trace, derived)


def gradient_of_sum(trace: Trace, weights: list[Expr], symbols: list[Expr]) -> list[Expr]:
    """Partial derivatives of the weighted sum of all quantities."""

    def derived(quantities: Quantities) -> Quantities:
        values = [value for part in quantities for value in part]
        return [pull_back(list(zip(values, weights, strict=True)), symbols)]

    return _shortest(trace, derived)[0]


def _shortest(trace: Trace, derived: Callable[[Quantities], Quantities]) -> Quantities:
    """Derivatives of the quantities in that form which has the shorter ones."""
    expanded = [trace.strain, trace.rate, trace.second, trace.force]
    return min(derived(expanded), derived(_accumulated_quantities(trace)), key=_operations)


def _operations(values: Quantities) -> int:
    """Approximate number of operations of expressions."""
    total = 0
    for expr in reachable([value for part in values for value in part]):
        if expr.kind == "sum":
            total += len(expr.data[1]) - 1 + sum(abs(coefficient) != 1.0 for _, coefficient in expr.data[1])
        elif expr.kind == "product":
            total += len(expr.data) - 1 + sum(exponent != 1.0 for _, exponent in expr.data)
    return total


def _accumulated_quantities(trace: Trace) -> Quantities:
    """All quantities by forward and reverse accumulation from strains, slips and displacements."""
    held, x, v, a = len(trace.strain) - len(trace.slip), trace.x, trace.v, trace.a
    strain = trace.strain[:held]
    rate = accumulated(strain, x, v) + trace.slip
    second = accumulated(rate, x + v, v + a)
    pull = pull_back(list(zip(strain, trace.stress[:held], strict=True)), x)
    parts = zip(_inertia(trace), trace.body_force, pull, trace.friction, strict=True)
    return [trace.strain, rate, second, [m - b + p + f for m, b, p, f in parts]]


def _inertia(trace: Trace) -> list[Expr]:
    """M ẍ + h, from the accelerations of the material."""
    if trace.flow is not None:
        return trace.flow
    x, v, a = trace.x, trace.v, trace.a
    total = trace.turning.force(a)
    for amount, displacement in trace.lines:
        [acceleration] = accumulated(accumulated([displacement], x, v), x + v, v + a)
        push = atom(amount * acceleration)
        total = [t + g * push for t, g in zip(total, jacobian([displacement], x)[0], strict=True)]
    return total
