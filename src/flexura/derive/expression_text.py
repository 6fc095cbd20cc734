"""Expressions as text: formulas for readers, and lines of Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flexura.functions import TABLE

if TYPE_CHECKING:
    from flexura.derive.expression import Expr

_SUM, _PRODUCT, _POWER, _WHOLE = range(4)
"""Precedence of the operators in a text."""

_LONGEST = 2000
"""Characters of a formula above which its parts are omitted: shared parts are written each time."""


def formula(expr: Expr) -> str:
    """Text of an expression in the syntax of formulas in model files, such as ``2*x*sin(y) - z^2``."""
    return Printer({}, "^").text(expr, _SUM)


class Printer:
    """Writer of expressions as text, given the names of parts that are written elsewhere."""

    def __init__(self, names: Mapping[Expr, str], power: str) -> None:
        self.names = names
        self.power = power
        self._done: dict[Expr, tuple[str, int]] = {}

    def text(self, expr: Expr, binding: int = _SUM) -> str:
        """Text of an expression, in brackets unless it binds at least this strongly."""
        named = self.names.get(expr)
        return named if named is not None else self.definition(expr, binding)

    def definition(self, expr: Expr, binding: int = _SUM) -> str:
        """Text of an expression, written out even if it has a name."""
        if expr.kind == "atom":
            return self.text(expr.data[0], binding)
        if expr not in self._done:
            text, held = self._written(expr)
            abbreviated = len(text) > _LONGEST and self.power == "^"
            self._done[expr] = ("(…)", _WHOLE) if abbreviated else (text, held)
        text, held = self._done[expr]
        return text if held >= binding else f"({text})"

    def _written(self, expr: Expr) -> tuple[str, int]:
        if expr.kind == "const":
            return _number(expr.data), _WHOLE if expr.data >= 0.0 else _SUM
        if expr.kind == "symbol":
            return str(expr.data), _WHOLE
        if expr.kind == "sum":
            return self._sum(*expr.data)
        if expr.kind == "product":
            return self._product(expr.data)
        entry = TABLE.get(expr.kind)
        name = (entry.formula if entry and self.power == "^" else "") or expr.kind
        return f"{name}({', '.join(self.text(argument) for argument in expr.data)})", _WHOLE

    def _sum(self, constant: float, terms: Any) -> tuple[str, int]:
        text = ""
        for term, coefficient in sorted(terms, key=lambda tc: tc[1] < 0.0):
            size, part = abs(coefficient), self.text(term, _PRODUCT)
            scaled = f"{_number(size)}{part[1:] if part.startswith('1/') else f'*{part}'}"
            piece = part if size == 1.0 else scaled
            text += f"{_sign(coefficient, text)}{piece}"
        if constant:
            return f"{text}{_sign(constant, text)}{_number(abs(constant))}", _SUM
        return text, _PRODUCT if len(terms) == 1 and terms[0][1] > 0.0 else _SUM

    def _product(self, factors: Any) -> tuple[str, int]:
        above = [self._power(factor, exponent) for factor, exponent in factors if exponent > 0.0]
        below = [self._power(factor, -exponent) for factor, exponent in factors if exponent < 0.0]
        if len(above) == 1 and not below:
            return above[0], _POWER
        text = "*".join(above) or "1"
        if below:
            text += f"/{below[0]}" if len(below) == 1 else f"/({'*'.join(below)})"
        return text, _PRODUCT

    def _power(self, base: Expr, exponent: float) -> str:
        if exponent == 1.0:
            return self.text(base, _POWER)
        if exponent == 0.5:
            return f"sqrt({self.text(base)})"
        return f"{self.text(base, _WHOLE)}{self.power}{_number(exponent)}"


def _sign(number: float, before: str) -> str:
    if before:
        return " - " if number < 0.0 else " + "
    return "-" if number < 0.0 else ""


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
