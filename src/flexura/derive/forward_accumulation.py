"""Derivatives of expression graphs along a direction by forward accumulation.

The rule of a product of many factors has as many terms, each with all factors but one. Here the factors are taken one
after the other instead, and intermediate results stay whole: fewer operations, but equal terms do not combine.
"""

from __future__ import annotations

from flexura.derive.directional_derivatives import Direction, partials
from flexura.derive.expression import ONE, ZERO, Expr, add, atom, multiply, power


class Accumulation:
    """d/dτ of expressions in which each symbol s is s + τ·direction[s], with shared intermediate results."""

    def __init__(self, direction: Direction) -> None:
        self.done: dict[Expr, Expr] = dict(direction)

    def __call__(self, expr: Expr) -> Expr:
        found = self.done.get(expr)
        if found is None:
            found = self.done[expr] = atom(self._visit(expr))
        return found

    def _visit(self, expr: Expr) -> Expr:
        if expr.kind in {"const", "symbol"}:
            return ZERO
        if expr.kind == "atom":
            return self(expr.data[0])
        if expr.kind == "sum":
            return add(*((self(term), coefficient) for term, coefficient in expr.data[1]))
        if expr.kind == "product":
            return self._product(expr)
        return add(*((multiply(slope, self(a)), 1.0) for slope, a in zip(partials(expr), expr.data, strict=True)))

    def _product(self, expr: Expr) -> Expr:
        """(f g h)′ = ((f′ g + f g′) h + (f g) h′) c, with the constant factors c in front."""
        constant, value, slope = ONE, ONE, ZERO
        for factor, exponent in expr.data:
            change, whole = self(factor), power(factor, exponent)
            if change is ZERO:
                constant = multiply(constant, whole)
                continue
            own = multiply(power(factor, exponent - 1.0), change)
            slope = atom(add((multiply(slope, whole), 1.0), (multiply(value, own), exponent)))
            value = atom(multiply(value, whole))
        return multiply(atom(constant), slope)


def accumulated(exprs: list[Expr], symbols: list[Expr], direction: list[Expr]) -> list[Expr]:
    """Derivative of each expression along a direction."""
    derivative = Accumulation(dict(zip(symbols, direction, strict=True)))
    return [derivative(e) for e in exprs]
