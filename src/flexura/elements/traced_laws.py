"""Laws of elements, traced: their inputs, outputs, slopes and kernels.

A traced law depends on the content of its element alone, and is remembered. Its form is shared by the laws that differ
in their constants alone: a new value is traced, and differentiates nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from flexura.algebra import Vector
from flexura.derive.directional_derivatives import Derivative
from flexura.derive.expression import ONE, ZERO, Expr, forget, symbol, symbols_in
from flexura.derive.law_kernels import LawKernel, law_kernel
from flexura.derive.lifted_constants import Lifted, constant_symbol, lift, with_symbols
from flexura.derive.switching_functions import switching_functions
from flexura.elements.contacts import is_held, law_stresses
from flexura.elements.element import Element
from flexura.elements.rolling import rolling_law

_MOST_FORMS = 512
"""Forms that are remembered."""


class LawOutput(NamedTuple):
    """A stress or a displayed force: its strain or slip, and the inputs that it depends on."""

    row: str
    signals: tuple[str, ...]
    numbers: tuple[str, ...]
    """numbers of the element that follow the motion"""


class Named(NamedTuple):
    """Names of the rows that a law loads, of those with displayed forces, and of its inputs."""

    acting: tuple[str, ...]
    displayed: tuple[str, ...]
    signals: tuple[str, ...]
    numbers: tuple[str, ...]
    holds: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class LawForm:
    """The laws of elements that differ in their constants alone."""

    signals: tuple[str, ...]
    """strains, and rates of strains and slips with a prime, that are inputs"""
    numbers: tuple[str, ...]
    """numbers of the element that follow the motion and are inputs, after the signals"""
    holds: tuple[str, ...]
    """inputs that hold contacts open or pressed, after the numbers; zero but for the steps of a run"""
    loads: tuple[LawOutput, ...]
    displayed: tuple[LawOutput, ...]
    slopes: tuple[tuple[int, int], ...]
    """(load, signal) of the slopes that are not zero"""
    expressions: tuple[list[Expr], ...]
    """loads, slopes and displayed forces"""
    switching: list[Expr]
    """functions of the signals at whose changes of sign loads have kinks"""
    by_number: dict[tuple[int, int], Expr]
    """non-zero slopes of loads: by the tracked numbers, and then by the constants"""
    constants: int
    """number of constants"""

    def kernels(self, count: int) -> tuple[LawKernel, ...]:
        """Kernels of loads, slopes and displayed forces, for about ``count`` laws."""
        # symbols outlive the table of nodes that they were made in
        inputs, constants = self._symbols
        return tuple(law_kernel(inputs, constants, outputs, count) for outputs in self.expressions)

    def switching_kernel(self, count: int) -> LawKernel:
        """Kernel of the switching functions, for about ``count`` laws."""
        return law_kernel(*self._symbols, self.switching, count)

    def number_kernel(self, count: int) -> LawKernel:
        """Kernel of the slopes by numbers, for about ``count`` laws."""
        return law_kernel(*self._symbols, list(self.by_number.values()), count)

    @cached_property
    def _symbols(self) -> tuple[list[Expr], list[Expr | None]]:
        """Symbols of the inputs and of the constants."""
        made = {one.data: one for part in self.expressions for value in part for one in symbols_in(value)}
        inputs = [made[name] for name in (*self.signals, *self.numbers, *self.holds)]
        return inputs, [made.get(name) for name in map(constant_symbol, range(self.constants))]

    @cached_property
    def single(self) -> tuple[LawKernel, ...]:
        """Kernels for one law."""
        return self.kernels(1)


class TracedLaw(NamedTuple):
    """The laws of one element, as loads on its strains and slips."""

    form: LawForm
    constants: tuple[float, ...]


def has_own_law(element: Element) -> bool:
    """True for an element with stresses beside those of contacts."""
    return type(element).stress is not Element.stress or rolling_law(element) is not None


def traced_law(element: Element, numbers: Mapping[str, float], released: frozenset[str]) -> TracedLaw | None:
    """The laws of an element with these numbers; None without any. ``released`` strains and slips have none."""
    if not element.contacts and not has_own_law(element):
        return None
    return _traced(element, tuple(numbers.items()), released)


@lru_cache(maxsize=512)
def _traced(element: Element, numbers: tuple[tuple[str, float], ...], released: frozenset[str]) -> TracedLaw:
    forget()
    values, rates = element.deformations(), tuple(f"{row}'" for row in element.rows())
    followed = {number: symbol(f":{number}") for number in element.following()}
    e, v = (Vector(*map(symbol, names)) for names in (values, rates))
    holds = {contact.hold: symbol(f":{contact.hold}") for contact in element.contacts if is_held(element, contact)}
    law = law_stresses(element.placed({**dict(numbers), **followed}), e, v, released, holds)
    acting = {row: -stress for row, stress in zip(element.rows(), law.stress, strict=True) if stress is not ZERO}
    shown = {row: -force for row, force in law.displayed.items()}
    exprs = [*acting.values(), *shown.values()]
    named = Named(tuple(acting), tuple(shown), (*values, *rates), tuple(followed), tuple(holds))
    lifted = lift(exprs)
    return TracedLaw(_form(named, lifted, exprs), lifted.constants)


_forms: dict[tuple[Named, object], LawForm] = {}


def _form(named: Named, lifted: Lifted, exprs: Sequence[Expr]) -> LawForm:
    """The form of a law, derived where it is not remembered."""
    key = (named, lifted.form)
    found = _forms.get(key)
    if found is None:
        found = _derived(named, with_symbols(exprs, lifted.constants), len(lifted.constants))
        if len(_forms) >= _MOST_FORMS:
            _forms.clear()
        _forms[key] = found
    return found


def _derived(named: Named, exprs: list[Expr], constants: int) -> LawForm:
    acting, shown = exprs[: len(named.acting)], exprs[len(named.acting) :]
    loads = tuple(_output(row, expr, named) for row, expr in zip(named.acting, acting, strict=True))
    displayed = tuple(_output(row, expr, named) for row, expr in zip(named.displayed, shown, strict=True))
    outputs = (*loads, *displayed)
    signals = tuple(name for name in named.signals if any(name in one.signals for one in outputs))
    slopes = _slopes(acting, signals)
    numbers = tuple(f":{name}" for name in named.numbers if any(name in one.numbers for one in outputs))
    used = {one.data for expr in exprs for one in symbols_in(expr)}
    return LawForm(
        signals,
        numbers,
        tuple(hold for name in named.holds if (hold := f":{name}") in used),
        loads,
        displayed,
        tuple(slopes),
        (acting, list(slopes.values()), shown),
        [expr for expr in switching_functions(acting) if any(one.data in signals for one in symbols_in(expr))],
        _slopes(acting, [*numbers, *map(constant_symbol, range(constants))]),
        constants,
    )


def _slopes(acting: list[Expr], names: Sequence[str]) -> dict[tuple[int, int], Expr]:
    """Derivatives of loads by named numbers, those left out that are identically zero."""
    by = [Derivative({symbol(name): ONE}) for name in names]
    return {
        (load, place): slope
        for load, expr in enumerate(acting)
        for place, derivative in enumerate(by)
        if (slope := derivative(expr)) is not ZERO
    }


def _output(row: str, expr: Expr, named: Named) -> LawOutput:
    used = {one.data for one in symbols_in(expr)}
    numbers = tuple(n for n in named.numbers if f":{n}" in used)
    return LawOutput(row, tuple(n for n in named.signals if n in used), numbers)
