"""Checks of declared contacts: their rows, their slips, and the power of their forces.

Rates and slopes are those of dual numbers; the expected values do not use the code that derives contacts.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from flexura.algebra import Vector, sqrt
from flexura.battery.rigid import common
from flexura.battery.specimen import Specimen, Values
from flexura.battery.state import difference, states
from flexura.derive.duals import along, jacobian, numbers
from flexura.elements.contacts import Contact

_STILL = 1e-60


def contact_directions(specimen: Specimen) -> float:
    """the gaps are distances: both bodies are pushed along one normal, and slide at right angles to it"""
    worst, element = 0.0, specimen.element
    for state in states(specimen) if element.contacts else ():
        x, v = list(state.x), list(state.v)
        gaps = numbers(jacobian(state.specimen.strain, x))[element.own_strains() :]
        slips = iter(
            numbers(jacobian(partial(state.specimen.slip, x), v))[len(element.slips) - _count(element.contacts) :]
        )
        for contact, gap in zip(element.contacts, gaps, strict=True):
            rows = np.array([gap, *(next(slips) for _ in contact.slips)])
            forces = [rows[:, places] for turns, places in specimen.blocks if not turns]
            acting = [force for force in forces if np.any(force)]
            worst = max(worst, difference(sum(acting), np.zeros_like(rows[:, : specimen.dimension])))
            if len(acting) == 2 and not contact.inclined:
                worst = max(worst, *(difference(force @ force.T, np.eye(len(rows))) for force in acting))
    return worst


def rigid_contacts(specimen: Specimen) -> float:
    """bodies that move as one neither approach nor slide on each other"""
    worst, element = 0.0, specimen.element
    motion = common(specimen)
    for state in states(specimen) if element.contacts else ():
        rates = list(motion.rates(state.specimen, state.x))
        approach = along(state.specimen.strain, list(state.x), rates)[element.own_strains() :]
        slips = state.specimen.slip(list(state.x), rates)[len(element.slips) - _count(element.contacts) :]
        found = numbers([*approach, *slips])
        worst = max(worst, difference(found, np.zeros(len(found))))
    return worst


def _count(contacts: tuple[Contact, ...]) -> int:
    return sum(len(contact.slips) for contact in contacts)


def expected_law(specimen: Specimen, e: Values, v: Values) -> tuple[Values, dict[str, Any]]:
    """Stresses and displayed forces at these strains, strain rates and slips."""
    placed, element = specimen.placed, specimen.element
    rows, own = element.rows(), element.own_strains()
    film = specimen.stress(e, v)
    stress = film + [0.0] * (len(rows) - len(film))
    displayed: dict[str, Any] = {}
    for contact, gap, rate, slips in _surfaces(specimen, e, v):
        push, drags = _forces(placed, contact, gap, rate, slips)
        acting = dict(zip((contact.name, *contact.slips), (-push, *drags), strict=True))
        direct = not contact.of_strains or any(set(grip.slips) & set(contact.slips) for grip in placed.grips())
        through = contact.of_strains and (film or not direct)
        slopes = _slopes(specimen, contact, e[:own], v[:own]) if through else []
        if slopes and film:
            displayed[contact.name] = -push + sum(f * g for f, g in zip(film, slopes[0], strict=False))
        if direct:
            stress = [s + acting.get(name, 0.0) for name, s in zip(rows, stress, strict=True)]
            continue
        for force, slope in zip(acting.values(), slopes, strict=True):
            stress = [s + (force * slope[k] if k < own else 0.0) for k, s in enumerate(stress)]
        displayed = acting | displayed
    return stress, displayed


def _surfaces(specimen: Specimen, e: Values, v: Values) -> list[tuple[Contact, Any, Any, Values]]:
    """Contacts with their gaps, rates and slips."""
    element, own = specimen.element, specimen.element.own_strains()
    strains = len(element.deformations())
    gaps, rates, slips = e[own:], v[own:strains], v[strains + len(element.slips) - _count(element.contacts) :]
    if element.contacts and element.contacts[0].of_strains:
        gaps, rates = _gaps(specimen, e[:own]), along(partial(_gaps, specimen), e[:own], v[:own])
        slips = _slides(specimen, e[:own], v[:own])
    rest = iter(slips)
    return [
        (contact, gap, rate, [next(rest) for _ in contact.slips])
        for contact, gap, rate in zip(element.contacts, gaps, rates, strict=True)
    ]


def _gaps(specimen: Specimen, e: Values) -> Values:
    return list(specimen.placed.gap(Vector(*e)))


def _slides(specimen: Specimen, e: Values, v: Values) -> Values:
    return list(specimen.placed.slide(Vector(*e), Vector(*v)))


def _slopes(specimen: Specimen, contact: Contact, e: Values, v: Values) -> list[Values]:
    """∂gap/∂ε, then ∂slip/∂ε̇ of a contact of strains."""
    contacts = specimen.element.contacts
    place = contacts.index(contact)
    first = _count(contacts[:place])
    slides = jacobian(partial(_slides, specimen, e), v) if contact.slips else []
    return [jacobian(partial(_gaps, specimen), e)[place], *slides[first : first + len(contact.slips)]]


def _forces(element: Any, contact: Contact, gap: Any, rate: Any, slips: Values) -> tuple[Any, Values]:
    """Push and drags."""
    push = getattr(element, contact.law).force(-gap, -rate, getattr(element, contact.memory))
    friction = getattr(element, contact.friction) if slips else None
    if friction is None:
        return push, [0.0] * len(slips)
    if len(slips) == 1:
        return push, [friction.drag(slips[0], push)]
    speed = sqrt(sum(s * s for s in slips) + _STILL)
    return push, [friction.drag(speed, push) / speed * s for s in slips]


def expected_power(specimen: Specimen, e: Values, v: Values) -> Any:
    """Power of the element's own stresses, and of push and drag at its contacts."""
    power = sum(f * rate for f, rate in zip(specimen.stress(e, v), v, strict=False))
    for contact, gap, rate, slips in _surfaces(specimen, e, v):
        push, drags = _forces(specimen.placed, contact, gap, rate, slips)
        power = power - push * rate + sum(drag * s for drag, s in zip(drags, slips, strict=True))
    return power


def consistent_rates(specimen: Specimen, e: Values, v: Values) -> Values:
    """The rates v with those of gaps and slips that follow from the others."""
    element = specimen.element
    rates = dict(zip(element.rows(), v, strict=True))
    for contact, _, rate, slips in _surfaces(specimen, e, v):
        rates |= dict(zip((contact.name, *contact.slips), (rate, *slips), strict=True))
    return list(rates.values())
