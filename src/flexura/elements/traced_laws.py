"""Laws of elements, traced: their inputs, outputs, slopes and kernels.

A traced law depends on the content of its element alone, and is remembered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from flexura.algebra import Vector
from flexura.derive.differentiate import Derivative
from flexura.derive.expression import ONE, ZERO, Expr, forget, symbol, symbols_in
from flexura.derive.law_kernels import LawKernel, law_kernel
from flexura.elements.contacts import law_stresses
from flexura.elements.element import Element
from flexura.elements.rolling import rolling_law


class LawOutput(NamedTuple):
    """A stress or a displayed force: its strain or slip, and the inputs that it depends on."""

    row: str
    signals: tuple[str, ...]
    numbers: tuple[str, ...]
    """numbers of the element that follow the motion"""


@dataclass(frozen=True, eq=False)
class TracedLaw:
    """The laws of one element, as loads on its strains and slips."""

    signals: tuple[str, ...]
    """strains, and rates of strains and slips with a prime, that are inputs"""
    numbers: tuple[str, ...]
    """numbers of the element that follow the motion and are inputs, after the signals"""
    loads: tuple[LawOutput, ...]
    displayed: tuple[LawOutput, ...]
    slopes: tuple[tuple[int, int], ...]
    """(load, signal) of the slopes that are not zero"""
    expressions: tuple[list[Expr], ...]
    """loads, slopes and displayed forces"""

    def kernels(self, count: int) -> tuple[LawKernel, ...]:
        """Kernels of loads, slopes and displayed forces, for about ``count`` laws."""
        inputs = [self._symbols[name] for name in (*self.signals, *self.numbers)]
        return tuple(law_kernel(inputs, outputs, count) for outputs in self.expressions)

    @cached_property
    def _symbols(self) -> dict[str, Expr]:
        """The symbols in the expressions, which outlive the table of nodes that they were made in."""
        return {one.data: one for part in self.expressions for value in part for one in symbols_in(value)}

    @cached_property
    def single(self) -> tuple[LawKernel, ...]:
        """Kernels for one law."""
        return self.kernels(1)


def traced_law(element: Element, numbers: Mapping[str, float], released: frozenset[str]) -> TracedLaw | None:
    """The laws of an element with these numbers; None without any. ``released`` strains and slips have none."""
    if type(element).stress is Element.stress and not element.contacts and rolling_law(element) is None:
        return None
    return _traced(element, tuple(numbers.items()), released)


@lru_cache(maxsize=512)
def _traced(element: Element, numbers: tuple[tuple[str, float], ...], released: frozenset[str]) -> TracedLaw:
    forget()
    values, rates = element.deformations(), tuple(f"{row}'" for row in element.rows())
    followed = {number: symbol(f":{number}") for number in element.following()}
    e, v = (Vector(*map(symbol, names)) for names in (values, rates))
    law = law_stresses(element.placed({**dict(numbers), **followed}), e, v, released)
    acting = {row: -stress for row, stress in zip(element.rows(), law.stress, strict=True) if stress is not ZERO}
    shown = {row: -force for row, force in law.displayed.items()}
    loads, displayed = (
        tuple(_output(row, expr, (*values, *rates), tuple(followed)) for row, expr in found.items())
        for found in (acting, shown)
    )
    outputs = (*loads, *displayed)
    signals = tuple(name for name in (*values, *rates) if any(name in one.signals for one in outputs))
    by = [Derivative({symbol(name): ONE}) for name in signals]
    slopes = {
        (load, signal): slope
        for load, expr in enumerate(acting.values())
        for signal, derivative in enumerate(by)
        if (slope := derivative(expr)) is not ZERO
    }
    return TracedLaw(
        signals,
        tuple(f":{name}" for name in followed if any(name in one.numbers for one in outputs)),
        loads,
        displayed,
        tuple(slopes),
        (list(acting.values()), list(slopes.values()), list(shown.values())),
    )


def _output(row: str, expr: Expr, signals: tuple[str, ...], numbers: tuple[str, ...]) -> LawOutput:
    used = {one.data for one in symbols_in(expr)}
    return LawOutput(row, tuple(n for n in signals if n in used), tuple(n for n in numbers if f":{n}" in used))
