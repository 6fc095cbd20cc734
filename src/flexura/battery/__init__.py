"""Battery of tests for every element, a user's own included.

An element is given by pure functions; what is derived from them is checked here against dual numbers and complex steps,
laws of mechanics, and the rules of the house. ``flexura check my_element.py`` runs it on a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flexura.battery import amounts, contacts, derivatives, form, laws, motions
from flexura.battery.examples import specimens
from flexura.battery.specimen import Specimen
from flexura.elements.element import Element
from flexura.errors import ModelError

__all__ = ["Finding", "run_battery"]


@dataclass(frozen=True)
class Finding:
    """Result of one check."""

    name: str
    ok: bool
    detail: str

    def __str__(self) -> str:
        return f"{'ok  ' if self.ok else 'FAIL'}  {self.name}: {self.detail}"


Measured = Callable[[Specimen], float]
Judged = Callable[[Any], list[str]]

MEASURED: tuple[Measured, ...] = (
    motions.zero_as_drawn,
    motions.invariant_strain,
    motions.moving_shape,
    motions.equivariant_inertia,
    motions.rigid_rate,
    motions.invariant_slip,
    motions.linear_rates,
    derivatives.first_derivatives,
    derivatives.second_derivatives,
    derivatives.geometric_stiffness,
    derivatives.third_derivatives,
    derivatives.momenta,
    derivatives.tracked_numbers,
    amounts.symmetric_mass,
    amounts.total_mass,
    amounts.kinetic_energy,
    amounts.symmetric_laws,
    laws.laws_and_slopes,
    laws.contact_power,
    contacts.contact_directions,
    contacts.rigid_contacts,
)
"""Checks that measure a deviation on every example."""

BY_CLASS: tuple[Judged, ...] = (form.documented, form.nothing_overridden, form.in_the_schema)
BY_EXAMPLE: tuple[Judged, ...] = (form.names_and_units, form.counts, form.file_and_back, form.drawable, form.divided)


def run_battery(cls: type[Element], limit: float = 1e-12) -> list[Finding]:
    """All checks of an element class, each on examples of all its variants.

    Deviations up to ``limit`` are rounding: compared numbers are of order one, and there are no truncation errors.
    """
    findings = [_judge(check, [cls]) for check in BY_CLASS]
    try:
        examples = specimens(cls)
    except Exception as error:
        return [*findings, Finding("examples", False, _said(error))]
    findings.append(Finding("examples", True, f"{len(examples)} made from the annotations"))
    findings += [_judge(check, examples) for check in BY_EXAMPLE]
    findings += [_measure(check, limit, examples) for check in MEASURED]
    return findings


def _judge(check: Judged, subjects: Sequence[Any]) -> Finding:
    """The first misfit, or the statement that was confirmed."""
    try:
        complaints = [complaint for subject in subjects for complaint in check(subject)]
    except Exception as error:
        complaints = [_said(error)]
    return Finding(check.__name__, not complaints, complaints[0] if complaints else _claim(check))


def _measure(check: Measured, limit: float, examples: Sequence[Specimen]) -> Finding:
    """The largest deviation over the examples."""
    try:
        worst = max(check(example) for example in examples)
    except Exception as error:
        return Finding(check.__name__, False, f"{_claim(check)}: {_said(error)}")
    verdict = f"deviation {worst:.1e}, limit {limit:.0e}"
    return Finding(check.__name__, worst <= limit, f"{_claim(check)} ({verdict})")


def _claim(check: Callable[..., Any]) -> str:
    return (check.__doc__ or "").strip()


def _said(error: Exception) -> str:
    """Error of the element's own functions, in one line."""
    return str(error) if isinstance(error, ModelError) else f"{type(error).__name__}: {error}"
