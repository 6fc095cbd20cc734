"""Derivatives of expression graphs along a direction."""

from __future__ import annotations

from flexura.derive.expression import ONE, ZERO, Expr, add, call, const, multiply, power

Direction = dict[Expr, Expr]


class Derivative:
    """d/dτ of expressions in which each symbol s moves as s + τ·direction[s]; shared work is done once."""

    def __init__(self, direction: Direction) -> None:
        self.done: dict[Expr, Expr] = dict(direction)

    def __call__(self, expr: Expr) -> Expr:
        found = self.done.get(expr)
        if found is None:
            found = self.done[expr] = self._visit(expr)
        return found

    def _visit(self, expr: Expr) -> Expr:
        if expr.kind in {"const", "symbol"}:
            return ZERO
        if expr.kind == "sum":
            return add(*((self(term), coefficient) for term, coefficient in expr.data[1]))
        if expr.kind == "product":
            return self._product(expr)
        slopes = _partials(expr)
        return add(*((multiply(slope, self(a)), 1.0) for slope, a in zip(slopes, expr.data, strict=False)))

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
        return add(*summands)


def _partials(expr: Expr) -> tuple[Expr, ...]:  # noqa: PLR0911 - one return a function
    """∂f/∂argument of an elementary function, argument by argument."""
    a = expr.data[0]
    match expr.kind:
        case "sin":
            return (call("cos", a),)
        case "cos":
            return (-call("sin", a),)
        case "tan":
            return (ONE + expr * expr,)
        case "tanh":
            return (ONE - expr * expr,)
        case "exp":
            return (expr,)
        case "log":
            return (power(a, -1.0),)
        case "absolute":
            return (call("sign", a),)
        case "sign" | "step":
            return (ZERO,)
        case "atan2":
            y, x = expr.data
            square = x * x + y * y
            return (x / square, -y / square)
        case "maximum":
            first = call("step", a - expr.data[1])
            return (first, ONE - first)
        case "table":
            # data: argument, table number, order of derivative
            return (call("table", a, expr.data[1], expr.data[2] + const(1.0)),)
    raise ValueError(f"no derivative is known for {expr.kind!r}")


def gradient(expr: Expr, symbols: list[Expr]) -> list[Expr]:
    """The partial derivatives of one expression."""
    return [Derivative({s: ONE})(expr) for s in symbols]


def jacobian(exprs: list[Expr], symbols: list[Expr]) -> list[list[Expr]]:
    """The matrix ∂expr_i/∂symbol_j."""
    columns = [Derivative({s: ONE}) for s in symbols]
    return [[column(e) for column in columns] for e in exprs]


def along(exprs: list[Expr], symbols: list[Expr], direction: list[Expr]) -> list[Expr]:
    """The derivative of each expression along a direction."""
    derivative = Derivative(dict(zip(symbols, direction, strict=True)))
    return [derivative(e) for e in exprs]
