"""Derivatives of expression graphs along a direction."""

from __future__ import annotations

from flexura.derive.expression import ONE, ZERO, Expr, add, as_expr, atom, below, call, multiply, power
from flexura.functions import TABLE

Direction = dict[Expr, Expr]


class Derivative:
    """d/dτ of expressions in which each symbol s is s + τ·direction[s]; common subexpressions are differentiated once.

    If ``partial``, atoms that are not in the direction are constant.
    """

    def __init__(self, direction: Direction, partial: bool = False) -> None:
        self.done: dict[Expr, Expr] = dict(direction)
        self.partial = partial

    def __call__(self, expr: Expr) -> Expr:
        found = self.done.get(expr)
        if found is None:
            found = self.done[expr] = self._visit(expr)
        return found

    def _visit(self, expr: Expr) -> Expr:
        if expr.kind in {"const", "symbol"}:
            return ZERO
        if expr.kind == "atom":
            return ZERO if self.partial else atom(self(expr.data[0]))
        if expr.kind == "sum":
            terms = [(slope, c) for term, c in expr.data[1] if (slope := self(term)) is not ZERO]
            return add(*terms) if terms else ZERO
        if expr.kind == "product":
            return self._product(expr)
        slopes = partials(expr)
        return add(*((multiply(slope, self(a)), 1.0) for slope, a in zip(slopes, expr.data, strict=True)))

    def _product(self, expr: Expr) -> Expr:
        summands = []
        for factor, exponent in expr.data:
            slope = self(factor)
            if slope is not ZERO:
                rest = ONE
                for other, other_exponent in expr.data:
                    if other is not factor:
                        rest = multiply(rest, power(other, other_exponent))
                summands.append((multiply(multiply(rest, power(factor, exponent - 1.0)), slope), exponent))
        return add(*summands) if summands else ZERO


def partials(expr: Expr) -> tuple[Expr, ...]:
    """∂f/∂argument of an elementary function, for each argument."""
    if expr.kind == "table":
        x, number, order = expr.data
        return (call("table", x, number, order + ONE), ZERO, ZERO)
    if expr.kind not in TABLE:
        raise ValueError(f"no derivative is known for {expr.kind!r}")
    return tuple(map(as_expr, TABLE[expr.kind].slopes(*expr.data)))


def jacobian(exprs: list[Expr], symbols: list[Expr]) -> list[list[Expr]]:
    """Matrix ∂expr_i/∂symbol_j."""
    columns = [Derivative({s: ONE}) for s in symbols]
    return [[column(e) for column in columns] for e in exprs]


def along(exprs: list[Expr], symbols: list[Expr], direction: list[Expr]) -> list[Expr]:
    """Derivative of each expression along a direction."""
    derivative = Derivative(dict(zip(symbols, direction, strict=True)))
    return [derivative(e) for e in exprs]


def gradient(expr: Expr, symbols: list[Expr]) -> list[Expr]:
    """Partial derivatives of one expression by reverse accumulation, a short form for second derivatives."""
    pulls: list[tuple[Expr, Expr]] = [(expr, ONE)]
    for whole in reversed(_atoms(expr)):
        pull = _pulled(pulls, whole)
        if pull is not ZERO:
            pulls.append((whole.data[0], atom(pull)))
    return [_pulled(pulls, s) for s in symbols]


def pull_back(weighted: list[tuple[Expr, Expr]], symbols: list[Expr]) -> list[Expr]:
    """Partial derivatives of Σ weight · expr, given as (expr, weight), by reverse accumulation."""
    pulls: dict[Expr, list[tuple[Expr, float]]] = {}
    for expr, weight in weighted:
        pulls.setdefault(expr, []).append((weight, 1.0))
    # operands are older than the nodes that use them, so that all derivatives of a node are known when it is reached
    for expr in sorted(reachable([expr for expr, _ in weighted]), key=lambda node: -node.number):
        if expr.kind in {"const", "symbol"} or expr not in pulls:
            continue
        pull = atom(add(*pulls.pop(expr)))
        for operand, slope, factor in _operand_slopes(expr):
            if slope is not ZERO:
                pulls.setdefault(operand, []).append((multiply(pull, slope), factor))
    return [add(*pulls.get(s, ())) if s in pulls else ZERO for s in symbols]


def _operand_slopes(expr: Expr) -> list[tuple[Expr, Expr, float]]:
    """(operand, slope, factor) of each operand of a node; the derivative is the product of slope and factor."""
    if expr.kind == "atom":
        return [(expr.data[0], ONE, 1.0)]
    if expr.kind == "sum":
        return [(term, ONE, coefficient) for term, coefficient in expr.data[1]]
    if expr.kind != "product":
        return [(operand, slope, 1.0) for operand, slope in zip(expr.data, partials(expr), strict=True)]
    found = []
    for factor, exponent in expr.data:
        rest = power(factor, exponent - 1.0)
        for other, other_exponent in expr.data:
            if other is not factor:
                rest = multiply(rest, power(other, other_exponent))
        found.append((factor, rest, exponent))
    return found


def reachable(roots: list[Expr]) -> set[Expr]:
    """All nodes of some expressions."""
    found, waiting = set(roots), list(roots)
    while waiting:
        for operand in below(waiting.pop()):
            if operand not in found:
                found.add(operand)
                waiting.append(operand)
    return found


def _pulled(pulls: list[tuple[Expr, Expr]], at: Expr) -> Expr:
    """Σ pull · ∂(definition)/∂at, with all other atoms constant."""
    derivative = Derivative({at: ONE}, partial=True)
    return add(*((multiply(pull, derivative(definition)), 1.0) for definition, pull in pulls))


def _atoms(root: Expr) -> list[Expr]:
    """Atoms in an expression, each after those that it depends on."""
    found: dict[Expr, None] = {}
    seen: set[Expr] = set()

    def visit(expr: Expr) -> None:
        if expr in seen:
            return
        seen.add(expr)
        for part in below(expr):
            visit(part)
        if expr.kind == "atom":
            found[expr] = None

    visit(root)
    return list(found)
