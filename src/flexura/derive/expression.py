"""Symbols and the expression graph that results from calling a pure function on them.

Nodes are unique (equal expressions are the same object), sums collect equal terms, products collect equal factors, and
sin² + cos² is one, so that derived expressions are about as short as those derived by hand.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable
from threading import local
from typing import Any

from flexura.algebra import Scalar, Vector
from flexura.derive.expression_text import formula
from flexura.elementary import Function
from flexura.functions import TABLE


class _Nodes(local):
    """Existing nodes, separately for each thread."""

    def __init__(self) -> None:
        self.table: dict[tuple[Any, ...], Expr] = {}
        self.start()

    def start(self) -> None:
        """Start with only zero and one."""
        self.table.clear()
        for kept in _FIRST:
            self.table[("const", kept.data)] = kept


class Expr(Scalar):
    """Node of the graph: ``kind`` is const, symbol, sum, product, atom or the name of a function.

    ``data`` holds the value, the name, (constant, ((term, coefficient), …)), ((factor, power), …) or the arguments.
    An atom stands for its argument, which sums and products do not simplify.
    """

    __slots__ = ("data", "kind", "number")
    __array_ufunc__ = None  # operators of NumPy scalars are overridden here

    kind: str
    data: Any
    number: int

    def apply(self, function: Function, *arguments: Any) -> Expr:
        return call(function.name, *map(as_expr, arguments))

    def __add__(self, other: Any) -> Expr:
        return add((self, 1.0), (as_expr(other), 1.0))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Expr:
        return add((self, 1.0), (as_expr(other), -1.0))

    def __rsub__(self, other: Any) -> Expr:
        return add((as_expr(other), 1.0), (self, -1.0))

    def __neg__(self) -> Expr:
        return add((self, -1.0))

    def __mul__(self, other: Any) -> Any:
        # a vector scales its components itself
        return NotImplemented if isinstance(other, Vector) else multiply(self, as_expr(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Expr:
        return multiply(self, power(as_expr(other), -1.0))

    def __rtruediv__(self, other: Any) -> Expr:
        return multiply(as_expr(other), power(self, -1.0))

    def __pow__(self, exponent: Any) -> Expr:
        exponent = as_expr(exponent)
        if exponent.kind == "const":
            return power(self, exponent.data)
        return call("exp", exponent * call("log", self))

    def __rpow__(self, base: Any) -> Expr:
        return as_expr(base) ** self

    def __repr__(self) -> str:
        return f"{self.kind}#{self.number}"

    def __str__(self) -> str:
        return formula(self)


def _node(kind: str, data: Any, key: Any) -> Expr:
    full, table = (kind, key), _nodes.table
    node = table.get(full)
    if node is None:
        node = table[full] = _numbered(len(table), kind, data)
    return node


def _numbered(number: int, kind: str, data: Any) -> Expr:
    node = Expr()
    node.kind, node.data, node.number = kind, data, number
    return node


ZERO, ONE = _FIRST = _numbered(0, "const", 0.0), _numbered(1, "const", 1.0)
_nodes = _Nodes()


def forget() -> None:
    """Restart the numbering, so that the same function always gives the same graph and the same source."""
    _nodes.start()


def fingerprint(roots: Any) -> str:
    """Digest of expressions in nested sequences, and of all expressions created since :func:`forget`, in order."""

    def flat(value: Any) -> Any:
        if isinstance(value, Expr):
            return f"#{value.number}"
        return [flat(part) for part in value] if isinstance(value, Iterable) else value

    # the keys of the nodes contain the numbers of their operands
    return hashlib.sha256(repr((list(_nodes.table), flat(roots))).encode()).hexdigest()


def const(value: float) -> Expr:
    """A number."""
    return _node("const", float(value), float(value))


def symbol(name: str) -> Expr:
    """Named unknown."""
    return _node("symbol", name, name)


def atom(expr: Expr) -> Expr:
    """Expression that is treated as a whole."""
    if expr.kind in {"const", "symbol", "atom"} or (expr.kind == "product" and len(expr.data) == 1):
        return expr
    return _node("atom", (expr,), (expr.number,))


def as_expr(value: Any) -> Expr:
    """The value itself if it is an expression, else the constant of that number."""
    return value if isinstance(value, Expr) else const(value)


def add(*summands: tuple[Expr, float]) -> Expr:
    """Sum of coefficient times expression."""
    constant, terms = 0.0, dict[Expr, float]()
    if len(summands) == 1 and summands[0][1] == 1.0:
        return summands[0][0]
    for expr, scale in summands:
        if expr.kind == "const":
            constant += scale * expr.data
        elif expr.kind == "sum":
            constant += scale * expr.data[0]
            for term, coefficient in expr.data[1]:
                terms[term] = terms.get(term, 0.0) + scale * coefficient
        else:
            terms[expr] = terms.get(expr, 0.0) + scale
    constant += _pythagoras(terms)
    kept = tuple(sorted(((t, c) for t, c in terms.items() if c != 0.0), key=lambda tc: tc[0].number))
    if not kept:
        return const(constant)
    if constant == 0.0 and len(kept) == 1 and kept[0][1] == 1.0:
        return kept[0][0]
    return _node("sum", (constant, kept), (constant, tuple((t.number, c) for t, c in kept)))


def _pythagoras(terms: dict[Expr, float]) -> float:
    """Replace c·X·cos²a + c·X·sin²a by c·X in place; returns the part that becomes a number."""
    constant = 0.0
    if len(terms) < 2:
        return constant
    squares = (t for t in terms if t.kind == "product" for f, p in t.data if p == 2.0 and f.kind == "cos")
    for term in dict.fromkeys(squares):
        for factor, exponent in term.data:
            if exponent != 2.0 or factor.kind != "cos" or term not in terms:
                continue
            rest = tuple((f, p) for f, p in term.data if f is not factor)
            partner = _product((*rest, (call("sin", factor.data[0]), 2.0)))
            coefficient = terms[term]
            if coefficient == 0.0 or partner not in terms:
                continue
            # sums of rounded quadrature weights agree only to rounding
            if abs(terms[partner] - coefficient) > 1e-14 * abs(coefficient):
                continue
            del terms[term], terms[partner]
            if rest:
                whole = _product(rest)
                terms[whole] = terms.get(whole, 0.0) + coefficient
            else:
                constant += coefficient
    return constant


def _product(factors: tuple[tuple[Expr, float], ...]) -> Expr:
    if len(factors) == 1 and factors[0][1] == 1.0:
        return factors[0][0]
    factors = tuple(sorted(factors, key=lambda fp: fp[0].number))
    return _node("product", factors, tuple((f.number, p) for f, p in factors))


def _split(expr: Expr) -> tuple[float, Expr]:
    """Expression as a number times an expression; common numbers are factored out of sums such as 2a - 2b."""
    if expr.kind == "const":
        return expr.data, ONE
    if expr.kind == "sum":
        constant, terms = expr.data
        if constant == 0.0 and len(terms) == 1:
            return terms[0][1], terms[0][0]
        leading = terms[0][1]
        sizes = {abs(c) for _, c in terms} | ({abs(constant)} if constant else set())
        common = leading if len(sizes) == 1 else math.copysign(1.0, leading)
        if common != 1.0:
            return common, add((expr, 1.0 / common))
    return 1.0, expr


def multiply(a: Expr, b: Expr) -> Expr:
    """The product of two expressions."""
    if (a is ONE and b.kind != "sum") or (b is ONE and a.kind != "sum"):
        return b if a is ONE else a
    (ca, a), (cb, b) = _split(a), _split(b)
    coefficient = ca * cb
    if coefficient == 0.0:
        return ZERO
    factors = dict[Expr, float]()
    for expr in (a, b):
        for factor, exponent in expr.data if expr.kind == "product" else ((expr, 1.0),):
            if factor is not ONE:
                factors[factor] = factors.get(factor, 0.0) + exponent
    kept = tuple((f, p) for f, p in factors.items() if p != 0.0)
    if not kept:
        return const(coefficient)
    product = _product(kept)
    return product if coefficient == 1.0 else add((product, coefficient))


def distribute(a: Expr, b: Expr) -> Expr:
    """Product expanded over the terms of both factors, so that equal terms of several products can combine."""
    left = [(const(a.data[0]), 1.0), *a.data[1]] if a.kind == "sum" else [(a, 1.0)]
    right = [(const(b.data[0]), 1.0), *b.data[1]] if b.kind == "sum" else [(b, 1.0)]
    return add(*((multiply(x, y), cx * cy) for x, cx in left for y, cy in right))


def power(base: Expr, exponent: float) -> Expr:
    """Expression raised to a constant power."""
    if exponent == 0.0:
        return ONE
    if exponent == 1.0:
        return base
    if base.kind == "const":
        return const(base.data**exponent)
    coefficient, rest = _split(base)
    if coefficient > 0.0 or float(exponent).is_integer():
        scale = const(coefficient**exponent)
        if rest.kind == "product" and float(exponent).is_integer():
            return multiply(scale, _product(tuple((f, p * exponent) for f, p in rest.data)))
        return multiply(scale, _product(((rest, exponent),)))
    return _product(((base, exponent),))


def call(name: str, *arguments: Expr) -> Expr:
    """Elementary function of expressions, or a table of a program."""
    function = TABLE.get(name)
    if function is None:
        return _node(name, arguments, tuple(a.number for a in arguments))
    if name in _FORMS:
        return _FORMS[name](*arguments)
    if all(a.kind == "const" for a in arguments):
        return const(function.real(*(a.data for a in arguments)))
    if function.parity:
        sign, positive = _split(arguments[0])
        if sign == -1.0:
            result = _node(name, (positive,), (positive.number,))
            return result if function.parity == "even" else -result
    return _node(name, arguments, tuple(a.number for a in arguments))


_FORMS: dict[str, Callable[[Expr], Expr]] = {"sqrt": lambda x: power(x, 0.5), "atom": atom}
"""Functions with a special form in the graph."""


def below(expr: Expr) -> list[Expr]:
    """Operands of an expression."""
    if expr.kind in {"const", "symbol"}:
        return []
    if expr.kind == "sum":
        return [term for term, _ in expr.data[1]]
    if expr.kind == "product":
        return [factor for factor, _ in expr.data]
    return list(expr.data)


def symbols_in(root: Expr) -> set[Expr]:
    """Symbols that an expression depends on."""
    found, left = set[Expr](), [root]
    while left:
        expr = left.pop()
        if expr not in found:
            found.add(expr)
            left += below(expr)
    return {expr for expr in found if expr.kind == "symbol"}


def substitute(roots: list[Expr], values: dict[Expr, Expr]) -> list[Expr]:
    """Expressions with symbols replaced."""
    done = dict(values)

    def visit(expr: Expr) -> Expr:
        if expr in done:
            return done[expr]
        if expr.kind in {"const", "symbol"}:
            result = expr
        elif expr.kind == "sum":
            result = add((const(expr.data[0]), 1.0), *((visit(t), c) for t, c in expr.data[1]))
        elif expr.kind == "product":
            result = ONE
            for factor, exponent in expr.data:
                result = multiply(result, power(visit(factor), exponent))
        else:
            result = call(expr.kind, *map(visit, expr.data))
        done[expr] = result
        return result

    return [visit(root) for root in roots]
