"""Switching functions of expressions: at their sign changes an expression has a kink or jumps."""

from __future__ import annotations

from collections.abc import Iterable

from flexura.derive.expression import Expr, add, below
from flexura.functions import TABLE


def switching_functions(roots: Iterable[Expr]) -> list[Expr]:
    """Arguments of the non-smooth functions in some expressions: the difference if there are two."""
    found, seen, left = dict[Expr, None](), set[Expr](), list(roots)
    while left:
        expr = left.pop()
        if expr in seen:
            continue
        seen.add(expr)
        left += below(expr)
        if expr.kind in TABLE and not TABLE[expr.kind].smooth:
            first, *other = expr.data
            found[add((first, 1.0), *((one, -1.0) for one in other))] = None
    return [expr for expr in found if expr.kind != "const"]
