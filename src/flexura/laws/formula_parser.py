"""Parser of formulas as text, which returns expression graphs.

The reader knows numbers, the named variables, ``pi``, ``+ - * / ^`` (or ``**``), brackets and the functions below, and
nothing else. A variable may be a signal, whose name has dots, and a prime where it is a rate. The reader builds the
graph with its own hands: no text is ever executed, and its limits keep work and memory small whatever the text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from operator import add, mul, neg, sub, truediv
from typing import Any, NamedTuple

from flexura.derive.expression import Expr, const, symbol
from flexura.errors import ModelError, did_you_mean
from flexura.functions import FORMULAS

LONGEST = 1000
"""Characters of a formula."""
DEEPEST = 50
"""Brackets within brackets."""
HIGHEST = 100.0
"""A constant exponent, either sign."""
WIDEST = 20
"""Factors of one product: its second derivative grows with the square of this."""

CONSTANTS = {"pi": math.pi}
_OPERATIONS: dict[str, tuple[int, Callable[[Any, Any], Any]]] = {
    "+": (1, add),
    "-": (1, sub),
    "*": (2, mul),
    "/": (2, truediv),
    "^": (4, pow),
    "**": (4, pow),
}
_UNARY = 3
_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d²³][^\W²³]*(?:\.[^\W²³]+)*'*)|(?P<sign>\*\*|[-+*/^(),])|(?P<end>\Z)"
)


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


def _error(token: _Token, what: str, remedy: str) -> ModelError:
    return ModelError(f"Expression, character {token.place + 1}", what, remedy)


def parse(text: str, variables: Mapping[str, Expr] | None) -> Expr:
    """Expression of a formula, with these variables substituted.

    Without variables the formula is only read: every name that is free stands for itself.
    """
    reader = _Reader(text, variables)
    result = reader.operation(0, 0)
    token = reader.tokens[reader.next]
    if token.kind != "end":
        raise _error(token, f"{token.text!r} does not belong here", _remedy(token))
    return result


def _remedy(token: _Token) -> str:
    """Remedy for a token after the end of a formula."""
    if token.text == ",":
        return "write a decimal point: 3.5; a comma separates the arguments of a function"
    return "put an operator such as * before it" if token.kind in {"name", "number"} else "check the brackets"


def names_in(text: str) -> tuple[str, ...]:
    """Free names of a formula, the time and signals, each once."""
    reader = _Reader(text, None)
    reader.operation(0, 0)
    return tuple(dict.fromkeys(reader.free))


class _Reader:
    """Reader by precedence of operators, from left to right."""

    def __init__(self, text: str, variables: Mapping[str, Expr] | None) -> None:
        if len(text) > LONGEST:
            raise ModelError("Expression", f"{len(text)} characters are too many", f"use at most {LONGEST}, or a Table")
        self.variables = variables
        self.free: list[str] = []
        self.next = 0
        self.tokens: list[_Token] = []
        place = 0
        while not self.tokens or self.tokens[-1].kind != "end":
            place = len(text) - len(text[place:].lstrip(" \t\r\n"))
            found = _TOKEN.match(text, place)
            if found is None:
                remedy = _INSTEAD.get(text[place], _ALPHABET)
                raise _error(_Token("", "", place), f"{text[place]!r} means nothing in a formula", remedy)
            kind = found.lastgroup or ""
            self.tokens.append(_Token(kind, found[kind], found.start(kind)))
            place = found.end()

    def take(self) -> _Token:
        self.next += 1
        return self.tokens[self.next - 1]

    def expect(self, sign: str) -> None:
        token = self.take()
        if token.text != sign:
            what = f"there is {token.text!r} where {sign!r} is expected" if token.text else f"{sign!r} is missing"
            raise _error(token, what, "close each bracket")

    def operation(self, binding: int, depth: int) -> Expr:
        """Operand with all operators of higher precedence that follow it."""
        value = self.operand(depth)
        while True:
            token = self.tokens[self.next]
            strength, function = _OPERATIONS.get(token.text, (0, add))
            if strength <= binding:
                return value
            self.next += 1
            if function is pow:
                # powers go from right to left
                exponent = self.operation(strength - 1, self.deeper(token, depth))
                self.limit(token, exponent)
                value = self.fold(token, pow, value, exponent)
            else:
                value = self.fold(token, function, value, self.operation(strength, depth))

    def operand(self, depth: int) -> Expr:
        """A number, a variable, a call, a bracket, or one of these with a sign before it."""
        token = self.take()
        if token.kind == "number":
            return self.fold(token, lambda: const(float(token.text)))
        if token.kind == "name":
            return self.name(token, depth)
        if token.text == "(":
            value = self.operation(0, self.deeper(token, depth))
            self.expect(")")
            return value
        if token.text in {"+", "-"}:
            value = self.operation(_UNARY, self.deeper(token, depth))
            return neg(value) if token.text == "-" else value
        what = f"there is {token.text!r} where a value is expected" if token.text else "the formula ends too early"
        raise _error(token, what, "give a number, a variable, a function or a bracket")

    def name(self, token: _Token, depth: int) -> Expr:
        """A variable, a constant or a call."""
        called = self.tokens[self.next].text == "("
        if called and token.text in FORMULAS:
            return self.call(token, depth)
        if not called and token.text in CONSTANTS:
            return const(CONSTANTS[token.text])
        if not called and self.variables is None and token.text not in FORMULAS:
            self.free.append(token.text)
            return symbol(token.text)
        if not called and self.variables is not None and token.text in self.variables:
            return self.variables[token.text]
        raise self.unknown(token, called)

    def call(self, token: _Token, depth: int) -> Expr:
        depth = self.deeper(token, depth)
        self.expect("(")
        arguments = [self.operation(0, depth)]
        while self.tokens[self.next].text == ",":
            self.next += 1
            arguments.append(self.operation(0, depth))
        self.expect(")")
        function = FORMULAS[token.text]
        due = function.arity
        if len(arguments) != due:
            raise _error(token, f"{token.text} is given {len(arguments)} values", f"it takes {due}")
        return self.fold(token, function, *arguments)

    def unknown(self, token: _Token, called: bool) -> ModelError:
        """Error about an unknown name, with the most likely remedy."""
        variables = self.variables or {}
        known = list(FORMULAS) if called else [*variables, *CONSTANTS]
        if called and token.text in {*variables, *CONSTANTS, "t"}:
            return _error(token, f"{token.text!r} cannot be called", f"write {token.text}*( to multiply")
        if not called and token.text in FORMULAS:
            return _error(token, f"the function {token.text!r} has no value of its own", f"write {token.text}(…)")
        if token.text in {"e", "v"}:
            what = f"{token.text!r} can be used only in the law of a strain"
            return _error(token, what, "a function of time has the variable t; Euler's number is exp(1)")
        if "." in token.text and not called:
            what = f"the signal {token.text[:40]!r} cannot be used here"
            return _error(token, what, "signals stand in the formulas of loads and states")
        what = f"there is no {'function' if called else 'variable'} {token.text[:20]!r}"
        other = _OTHER_NAMES.get(token.text.lower().rpartition(".")[2]) if called else None
        remedy = f"write {other}" if other else did_you_mean(token.text[:20], known, most=len(FORMULAS))
        return _error(token, what, remedy)

    def deeper(self, token: _Token, depth: int) -> int:
        if depth >= DEEPEST:
            raise _error(token, f"more than {DEEPEST} levels of brackets and signs", "write it in a flatter way")
        return depth + 1

    def limit(self, token: _Token, exponent: Expr) -> None:
        if exponent.kind == "const" and abs(exponent.data) > HIGHEST:
            raise _error(token, f"the exponent {exponent.data:g} is too large", f"use at most {HIGHEST:g}")

    def fold(self, token: _Token, function: Callable[..., Expr], *arguments: Expr) -> Expr:
        """One step of the construction; constants are evaluated at once, and must be finite."""
        try:
            result = function(*arguments)
        except (ArithmeticError, ValueError, TypeError):
            result = None
        if result is None or (result.kind == "const" and not math.isfinite(result.data)):
            raise _error(token, f"{token.text!r} gives no finite number here", "look at the constants around it")
        if result.kind == "product" and len(result.data) > WIDEST:
            raise _error(token, f"a product of more than {WIDEST} factors", "use powers, or a Table")
        return result


_CONDITION = "write a condition by step: step(t - 1) is 1 where t is greater than 1, and 0 elsewhere"
_INSTEAD = dict.fromkeys("<>=!?", _CONDITION) | {"°": "angles are in radians: write 30*pi/180"}
"""Remedies for signs that other languages have in a formula."""
_OTHER_NAMES = {
    "heaviside": "step(x)",
    "ln": "log(x)",
    "log10": "log(x)/log(10)",
    "pow": "x^y",
    "sgn": "sign(x)",
    "arctan2": "atan2(y, x)",
    "radians": "x*pi/180",
    "if": "step(x), which is 1 where x is positive, and 0 elsewhere",
    "where": "step(x), which is 1 where x is positive, and 0 elsewhere",
}
"""Functions of other languages in the words of a formula."""
_ALPHABET = "write numbers, variables, + - * / ^, brackets, and " + ", ".join(FORMULAS)
