"""Expressions with symbols instead of constants.

Expressions that differ only in the values of their constants have one form. Derivatives of the form hold
for all values, so that a new value needs no differentiation.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isfinite
from typing import NamedTuple

from flexura.derive.expression import ONE, Expr, add, call, const, forget, multiply, power, symbol

_STRUCTURAL = {0.0, 1.0, -1.0}
"""Constants that belong to the form, because the expression has no factor for them."""


class Lifted(NamedTuple):
    """Form of some expressions, equal for those that differ only in constants, and their constants."""

    form: Hashable
    constants: tuple[float, ...]


def lift(roots: Sequence[Expr]) -> Lifted:
    """Form and constants of expressions. Constants of equal magnitude share a symbol."""
    number: dict[Expr, int] = {}
    constants: dict[float, int] = {}
    rows: list[Hashable] = []

    def slot(value: float) -> Hashable:
        return (value > 0.0, constants.setdefault(abs(value), len(constants))) if _varies(value) else value

    def visit(expr: Expr) -> int:
        if expr in number:
            return number[expr]
        row: Hashable
        if expr.kind in {"const", "symbol"}:
            row = slot(expr.data) if expr.kind == "const" else expr.data
        elif expr.kind == "sum":
            row = slot(expr.data[0]), tuple((visit(term), slot(c)) for term, c in expr.data[1])
        elif expr.kind == "product":
            row = tuple((visit(factor), exponent) for factor, exponent in expr.data)
        elif expr.kind == "table":
            row = visit(expr.data[0]), *(which.data for which in expr.data[1:])
        else:
            row = tuple(map(visit, expr.data))
        rows.append((expr.kind, row))
        number[expr] = len(rows) - 1
        return number[expr]

    ends = tuple(map(visit, roots))
    return Lifted((tuple(rows), ends), tuple(constants))


def constant_symbol(place: int) -> str:
    """Name of the symbol of a constant."""
    return f"#{place}"


def with_symbols(roots: Sequence[Expr], constants: Sequence[float]) -> list[Expr]:
    """Expressions with symbols instead of their constants, rebuilt such that they depend only on the form."""
    forget()
    place, done = {value: i for i, value in enumerate(constants)}, dict[Expr, Expr]()

    def scaled(value: float, factor: Expr) -> tuple[Expr, float]:
        if not _varies(value):
            return factor, value
        return multiply(symbol(constant_symbol(place[abs(value)])), factor), 1.0 if value > 0.0 else -1.0

    def visit(expr: Expr) -> Expr:
        if expr not in done:
            done[expr] = made(expr)
        return done[expr]

    def made(expr: Expr) -> Expr:
        if expr.kind == "const":
            return add(scaled(expr.data, ONE))
        if expr.kind == "symbol":
            return symbol(expr.data)
        if expr.kind == "sum":
            constant, terms = expr.data
            return add(scaled(constant, ONE), *(scaled(c, visit(term)) for term, c in terms))
        if expr.kind == "product":
            result = ONE
            for factor, exponent in expr.data:
                result = multiply(result, power(visit(factor), exponent))
            return result
        if expr.kind == "table":
            return call("table", visit(expr.data[0]), *(const(which.data) for which in expr.data[1:]))
        return call(expr.kind, *map(visit, expr.data))

    return [visit(root) for root in roots]


def _varies(value: float) -> bool:
    return isfinite(value) and value not in _STRUCTURAL
