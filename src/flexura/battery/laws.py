"""Checks of the laws of elements and contacts, and of their slopes, as the compiled programs have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from flexura.algebra import Vector
from flexura.battery.contacts import consistent_rates, expected_law, expected_power
from flexura.battery.specimen import Array, Specimen
from flexura.battery.state import difference
from flexura.derive.directional_derivatives import jacobian as slopes_of
from flexura.derive.duals import complex_step, jacobian, number, numbers
from flexura.derive.expression import symbol
from flexura.derive.program import run
from flexura.derive.program_builder import ProgramBuilder
from flexura.elements.contacts import law_stresses

SIZES = (1.0, 1e-3)
"""of strains and rates: what touches may be small"""


class Derived(NamedTuple):
    """The laws of a specimen as the compiled programs have them."""

    evaluate: Callable[[Array], Array]
    """stresses, displayed forces and their slopes, of strains and rates"""
    displayed: list[str]


def laws_and_slopes(specimen: Specimen) -> float:
    """the stresses and displayed forces by its laws, and their slopes, are those of dual numbers or complex steps"""
    if not (specimen.element.contacts or specimen.stress(*([0.0] * size for size in _sizes(specimen)))):
        return 0.0
    strains, derived, worst = len(specimen.element.deformations()), _derived(specimen), 0.0

    def expected(y: list[Any]) -> list[Any]:
        stress, displayed = expected_law(specimen, y[:strains], y[strains:])
        return [*stress, *(displayed[name] for name in derived.displayed)]

    for y in _samples(specimen):
        try:
            values = numbers(expected(list(y)))
            # complex numbers do not tell how far a gap is
            contacts = specimen.element.contacts
            slope = numbers(jacobian(expected, list(y))) if contacts else complex_step(expected, list(y))
        except (ValueError, ZeroDivisionError):
            # beyond what the law bears
            continue
        found = derived.evaluate(y)
        worst = max(worst, difference(found[: values.size], values))
        worst = max(worst, difference(found[values.size :].reshape(values.size, -1), slope))
    return worst


def contact_power(specimen: Specimen) -> float:
    """the power of all stresses is that of push and drag at the contacts"""
    if not specimen.element.contacts:
        return 0.0
    (strains, rows), derived, worst = _sizes(specimen), _derived(specimen), 0.0
    for y in _samples(specimen):
        e, v = list(y[:strains]), list(y[strains:])
        try:
            v = [number(rate) for rate in consistent_rates(specimen, e, v)]
            expected = number(expected_power(specimen, e, v))
        except (ValueError, ZeroDivisionError):
            continue
        stress = derived.evaluate(np.array([*e, *v]))[:rows]
        worst = max(worst, difference([stress @ np.array(v)], [expected]))
    return worst


def _sizes(specimen: Specimen) -> tuple[int, int]:
    return len(specimen.element.deformations()), len(specimen.element.rows())


def _samples(specimen: Specimen) -> Iterator[Array]:
    """Strains and rates."""
    rng = np.random.default_rng(7)
    yield from (size * rng.uniform(-1.0, 1.0, sum(_sizes(specimen))) for size in SIZES for _ in range(4))


def _derived(specimen: Specimen) -> Derived:
    strains, rows = _sizes(specimen)
    names = [f"y{i}" for i in range(strains + rows)]
    symbols = [symbol(name) for name in names]
    law = law_stresses(specimen.placed, Vector(*symbols[:strains]), Vector(*symbols[strains:]))
    displayed = sorted(law.displayed)
    values = [*law.stress, *(law.displayed[name] for name in displayed)]
    builder = ProgramBuilder(inputs=tuple(names))
    span = builder.add([*values, *(slope for row in slopes_of(values, symbols) for slope in row)])
    program = builder.finish()

    def evaluate(y: Array) -> Array:
        for name, value in zip(names, y, strict=True):
            program.registers[builder.input(name)] = value
        run(program, program.registers, span.start, span.stop)
        return np.array([program.registers[register] for register in span.outputs])

    return Derived(evaluate, displayed)
