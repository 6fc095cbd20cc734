"""Kept quantities of a run, given by texts such as ``max(abs(pin.gap.force))``.

A text is an expression of signals, numbers, ``+ - * /``, functions of every sample such as ``abs``, and reductions such
as ``max``. Without a reduction the whole history is kept. A text is read by this module alone and never executed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from operator import add, mul, sub, truediv
from typing import Any, NamedTuple

import numpy as np

from flexura.analyses.studies.quantity import Quantity, number
from flexura.analyses.studies.reductions import (
    ELEMENTWISE,
    MOST_EVENTS,
    REDUCTIONS,
    elementwise,
    event_count,
    event_times,
    history_of,
    reduce_history,
    spectrum,
)
from flexura.errors import AnalysisError, ModelError, did_you_mean
from flexura.results.cycle import Cycle
from flexura.results.motion import Motion
from flexura.results.periodic_motion import PeriodicMotion

LONGEST, DEEPEST = 1000, 50
_OF_EVENTS = ("events", "count")
_OF_SIGNALS = ("spectrum", *_OF_EVENTS)
FUNCTIONS = (*ELEMENTWISE, *REDUCTIONS, *_OF_SIGNALS)

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*(?:\.\w+)*'*(?:\.force)?)|(?P<sign>[-+*/(),]))"
)
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2}
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul, "/": truediv}


class Term(NamedTuple):
    """Node of an expression: a number, a signal, an operation or the call of a function."""

    kind: str
    text: str
    parts: tuple[Term, ...] = ()

    def signals(self) -> tuple[str, ...]:
        """Signals of the expression."""
        own = (self.text,) if self.kind == "signal" else ()
        return (*own, *(signal for part in self.parts for signal in part.signals()))

    def counts_events(self) -> bool:
        """True if the expression depends on events."""
        own = self.kind == "call" and self.text in _OF_EVENTS
        return own or any(part.counts_events() for part in self.parts)


def read(text: str) -> Term:
    """Expression of a text."""
    if len(text) > LONGEST:
        raise _error(text, f"{len(text)} characters are too many", f"use at most {LONGEST}")
    tokens, place = [], 0
    while text[place:].strip():
        found = _TOKEN.match(text, place)
        if found is None:
            raise _error(text, f"{text[place:].strip()[0]!r} means nothing here", "write signals, numbers, + - * / ( )")
        tokens.append((found.lastgroup or "", found[found.lastgroup or 0]))
        place = found.end()
    reader = _Reader(text, [*tokens, ("end", "")])
    term = reader.operation(0, 0)
    if reader.tokens[reader.next][0] != "end":
        raise _error(text, f"{reader.tokens[reader.next][1]!r} does not belong here", "check the brackets")
    return term


class _Reader:
    """Reader by precedence of operators, from left to right."""

    def __init__(self, text: str, tokens: list[tuple[str, str]]) -> None:
        self.text, self.tokens, self.next = text, tokens, 0

    def take(self) -> tuple[str, str]:
        self.next += 1
        return self.tokens[self.next - 1]

    def operation(self, binding: int, depth: int) -> Term:
        if depth > DEEPEST:
            raise _error(self.text, f"more than {DEEPEST} levels of brackets", "write it in a flatter way")
        term = self.operand(depth + 1)
        while _BINDING.get(self.tokens[self.next][1], 0) > binding:
            _, sign = self.take()
            term = Term("operation", sign, (term, self.operation(_BINDING[sign], depth + 1)))
        return term

    def operand(self, depth: int) -> Term:
        kind, text = self.take()
        if kind == "number":
            return Term("number", text)
        if kind == "name":
            return self.call(text, depth) if self.tokens[self.next][1] == "(" else Term("signal", text)
        if text == "(":
            term = self.operation(0, depth)
            self.close()
            return term
        if text == "-":
            return Term("operation", "-", (Term("number", "0"), self.operation(2, depth)))
        raise _error(self.text, "it ends too early" if kind == "end" else f"{text!r} stands where a value is expected")

    def call(self, name: str, depth: int) -> Term:
        if name not in FUNCTIONS:
            raise _error(
                self.text, f"there is no function '{name}'", did_you_mean(name, FUNCTIONS, most=len(FUNCTIONS))
            )
        self.take()
        parts = [self.operation(0, depth)]
        while self.tokens[self.next][1] == ",":
            self.take()
            parts.append(self.operation(0, depth))
        self.close()
        most = 2 if name == "events" else 1
        if len(parts) > most:
            raise _error(self.text, f"{name} is given {len(parts)} values", f"it takes {most}")
        if name in _OF_SIGNALS and parts[0].kind != "signal":
            raise _error(self.text, f"{name} needs the name of a signal", f"write {name}(B.x)")
        return Term("call", name, tuple(parts))

    def close(self) -> None:
        if self.take()[1] != ")":
            raise _error(self.text, "a bracket is not closed", "close each bracket")


def _error(text: str, what: str, remedy: str = "write for example max(abs(B.x))") -> ModelError:
    return ModelError(f"keep '{text[:60]}'", what, remedy)


def evaluate(term: Term, result: Any) -> Quantity:
    """Quantity of a result, by its expression."""
    if term.kind == "number":
        return number(float(term.text))
    if term.kind == "signal":
        return (
            history_of(result, term.text)
            if isinstance(result, Motion | PeriodicMotion | Cycle)
            else _variable(result, term.text)
        )
    if term.kind == "operation":
        left, right = (evaluate(part, result) for part in term.parts)
        return _combined(term.text, left, right)
    if term.text in _OF_SIGNALS:
        return _of_signal(term, result)
    inner = evaluate(term.parts[0], result)
    return elementwise(term.text, inner) if term.text in ELEMENTWISE else reduce_history(term.text, inner)


def _of_signal(term: Term, result: Any) -> Quantity:
    signal = term.parts[0].text
    if not isinstance(result, Motion):
        raise AnalysisError(f"{term.text} needs a motion, and the run gives a {type(result).__name__}")
    if term.text == "spectrum":
        return spectrum(result, signal)
    if term.text == "count":
        return event_count(result, signal)
    most = float(term.parts[1].text) if len(term.parts) > 1 and term.parts[1].kind == "number" else 20.0
    return event_times(result, signal, int(min(max(most, 1.0), MOST_EVENTS)))


def _variable(result: Any, name: str) -> Quantity:
    """Variable of another result than a motion, as its dataset names it."""
    data = result.to_xarray()
    if name not in data.variables:
        raise ModelError(
            f"keep '{name}'", "the result has no such variable", did_you_mean(name, map(str, data.data_vars))
        )
    found = data[name]
    values = np.asarray(found.values)
    if values.dtype.kind not in "biuf":
        what = f"it is an array of {values.dtype.name}, not of real numbers"
        raise ModelError(f"keep '{name}'", what, "keep a function of the result instead")
    dims = tuple(map(str, found.dims))
    labels = {dim: np.asarray(data[dim].values, float) for dim in dims if dim in data and data[dim].dtype.kind in "iuf"}
    return Quantity(values.astype(float), dims, str(found.attrs.get("units", "")), labels)


def _combined(sign: str, left: Quantity, right: Quantity) -> Quantity:
    """Sum, difference, product or quotient of two quantities, over time where one of them is."""
    wide = left if left.dims else right
    with np.errstate(all="ignore"):
        values = np.asarray(_OPERATIONS[sign](left.values, right.values), dtype=float)
    return replace(wide, values=values, unit=combined_unit(sign, left.unit, right.unit))


def combined_unit(sign: str, left: str, right: str) -> str:
    """Unit of a sum, difference, product or quotient."""
    if sign in "+-":
        return left or right
    if not right or not left:
        return left if not right else right if sign == "*" else f"1/({right})"
    return f"{left}·{right}" if sign == "*" else "" if left == right else f"{left}/({right})"
