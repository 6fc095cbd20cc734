"""Expression graphs as straight-line source."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor

from flexura.derive.expression import Expr

_FUNCTIONS = {
    "sin": "math.sin",
    "cos": "math.cos",
    "tan": "math.tan",
    "exp": "math.exp",
    "log": "math.log",
    "tanh": "math.tanh",
    "atan2": "math.atan2",
    "absolute": "abs",
    "maximum": "max",
}


class Writer:
    """Writes each shared node once, as an assignment, in an order that can be executed."""

    def __init__(self, inputs: dict[Expr, str]) -> None:
        self.names = dict(inputs)
        self.lines: list[str] = []
        self.powers: dict[tuple[Expr, float], str] = {}

    def write(self, roots: Iterable[Expr]) -> list[str]:
        """The names (or literals) of the roots; ``lines`` has grown by what they need."""
        return [self._operand(root) for root in roots]

    def _assign(self, text: str) -> str:
        name = f"t{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def _operand(self, expr: Expr) -> str:
        if expr.kind == "const":
            return repr(expr.data)
        name = self.names.get(expr)
        if name is None:
            if expr.kind == "symbol":
                raise KeyError(f"the symbol {expr.data!r} is not an input of this kernel")
            name = self.names[expr] = self._assign(self._text(expr))
        return name

    def _text(self, expr: Expr) -> str:
        if expr.kind == "sum":
            return self._sum(expr)
        if expr.kind == "product":
            return self._product(expr)
        arguments = ", ".join(self._operand(a) for a in expr.data)
        if expr.kind == "sign":
            return f"(1.0 if {arguments} > 0.0 else (-1.0 if {arguments} < 0.0 else 0.0))"
        if expr.kind == "step":
            return f"(1.0 if {arguments} > 0.0 else 0.0)"
        return f"{_FUNCTIONS[expr.kind]}({arguments})"

    def _sum(self, expr: Expr) -> str:
        constant, terms = expr.data
        text = repr(constant) if constant else ""
        for term, coefficient in sorted(terms, key=lambda tc: tc[1] < 0.0):
            operand = self._operand(term)
            size = abs(coefficient)
            piece = operand if size == 1.0 else f"{size!r} * {operand}"
            if coefficient < 0.0:
                text = f"{text} - {piece}" if text else f"-{piece}"
            else:
                text = f"{text} + {piece}" if text else piece
        return text

    def _product(self, expr: Expr) -> str:
        above = [self._power(f, p) for f, p in expr.data if p > 0.0]
        below = [self._power(f, p) for f, p in expr.data if p < 0.0]
        return " * ".join(above + below)

    def _power(self, base: Expr, exponent: float) -> str:
        """A power as a named value built from multiplications, one root and one reciprocal a base."""
        operand = self._operand(base)
        if exponent == 1.0:
            return operand
        key = (base, exponent)
        if key not in self.powers:
            if exponent == 0.5:
                text = f"math.sqrt({operand})"
            elif exponent == -1.0:
                text = f"1.0 / {operand}"
            elif exponent == -0.5:
                text = f"1.0 / {self._power(base, 0.5)}"
            elif not float(2.0 * exponent).is_integer():
                text = f"{operand} ** {exponent!r}"
            elif exponent < 0.0:
                text = f"{self._power(base, exponent + 1.0)} * {self._power(base, -1.0)}"
            else:
                rest = exponent - floor(exponent / 2.0) if exponent >= 2.0 else 0.5
                text = f"{self._power(base, exponent - rest)} * {self._power(base, rest)}"
            self.powers[key] = self._assign(text)
        return self.powers[key]
