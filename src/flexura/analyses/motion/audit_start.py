"""Auditor at the start of a run: the laws to check in a model, and the bounds for a method."""

from __future__ import annotations

import numpy as np

from flexura.algebra import Vector
from flexura.derive.expression import symbol
from flexura.derive.records import Floats, FloatTable, Ints
from flexura.elements.contacts import friction_of, law_of
from flexura.elements.element import Element
from flexura.integrators.audit_record import FALL, MASS, SIZE, TIME, WHOLE, Audit
from flexura.integrators.local_tolerance import local_tolerance
from flexura.integrators.methods import Method
from flexura.mechanics.core.index_arrays import floats, ints, table
from flexura.mechanics.core.kernel_outputs import moving_masses
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact, number_fact
from flexura.mechanics.core.system import System

_FIXED_STEP = 1e-3
"""Tolerance attributed to a fixed step."""
_CLOSED, _BALANCED = 1e-8, 1e-7
"""Relative errors of constraints and of the energy that are always acceptable: positions have rounding errors."""
_OF_A_RUN = 10.0
"""Acceptable relative error of the energy over the tolerance of a run."""
_ASTRAY = 0.05
"""Relative error of the energy that is always doubtful."""


def audit_of(layout: Layout, s: System, conserved: FloatTable, method: Method) -> Audit:
    """Record at the start of a run; ``conserved`` are the directions of conserved momenta."""
    contacts = law_contacts(layout)
    pulling = _pulling(layout, contacts)
    key = (audit_of, id(s), method, tuple(contacts), pulling)
    _, known = layout.facts.get(key, (None, None))
    if known is None or not np.array_equal(known.conserved, conserved):
        known = _new_audit(layout, s, conserved, method, contacts)
        layout.facts[key] = s, known
    audit: Audit = known
    audit.body[:] = moving_masses(layout)
    audit.tally[MASS] = audit.body.sum()
    audit.tally[FALL] = audit.tally[MASS] * audit.tally[SIZE] * np.linalg.norm(audit.gravity)
    return audit


def _new_audit(layout: Layout, s: System, conserved: FloatTable, method: Method, contacts: list[str]) -> Audit:
    """Record without masses."""
    counts = [WHOLE, 3 * s.grips.sticks.size, 3 * s.gaps.strain.size, 2 * len(contacts), len(conserved)]
    first = np.cumsum(counts)
    worst = np.zeros((first[-1], 5))
    worst[:, TIME] = np.inf
    loads, rates, pushing = _law_tables(layout, s, contacts)
    tally, gravity = np.zeros(10), np.array(layout.gravity, dtype=float)
    tally[SIZE] = layout.size
    return Audit(
        count=ints([1, 0, 0]),
        tally=tally,
        bound=_bounds(method),
        worst=worst,
        first=ints(first[:4]),
        body=np.zeros(moving_masses(layout).size),
        gravity=gravity,
        momentum=np.zeros(3 * (layout.model.dimension - 1)),
        conserved=conserved,
        momentum_start=np.zeros(len(conserved)),
        law_load=loads,
        law_rate=rates,
        law_gap=pushing,
        law_power=np.zeros((len(contacts), 2)),
    )


def _bounds(method: Method) -> Floats:
    """Acceptable errors, from the requested tolerance."""
    settings = vars(method)
    fixed = settings.get("step", 0.0) > 0.0 or "tolerance" not in settings
    tolerance = _FIXED_STEP if fixed else local_tolerance(method)
    balanced = 1e3 * tolerance if fixed or not method.can.stiff else _OF_A_RUN * settings["tolerance"]
    closed = max(tolerance, _CLOSED)
    # adaptive methods, too, measure rates relative to the size of the model per second
    unresolved = 0.0 if fixed else 1e2 * tolerance
    return floats([max(balanced, _BALANCED), tolerance, _ASTRAY, closed, closed, 1e-6, unresolved])


def law_contacts(layout: Layout) -> list[str]:
    """Elements with contact laws that are all declared dissipative, and without other laws."""
    found = []
    for name in _touching_elements(layout):
        element = layout.names.elements[name]
        laws = [law for c in element.contacts for law in (law_of(element, c), friction_of(element, c)) if law]
        if laws and all(getattr(law, "dissipative", False) for law in laws) and not _has_own_law(layout, name):
            found.append(name)
    return found


@fact
def _touching_elements(layout: Layout) -> list[str]:
    """Elements that have contacts."""
    return [name for name, element in layout.names.elements.items() if element.contacts]


def _has_own_law(layout: Layout, name: str) -> bool:
    """True if an element has stresses in addition to those of its contacts."""
    return type(layout.names.elements[name]).stress is not Element.stress and _stressed(layout)[name]


@number_fact
def _stressed(layout: Layout) -> dict[str, bool]:
    """True, for each element with contacts, if its own law has stresses."""
    return {name: _gives_stress(layout, name) for name in _touching_elements(layout)}


def _gives_stress(layout: Layout, name: str) -> bool:
    element = layout.names.elements[name]
    followed = {number: symbol(number) for number in element.following()}
    e, v = (Vector(*map(symbol, names)) for names in (element.deformations(), element.rows()))
    return len(list(element.placed({**layout.names.drawing.numbers(name), **followed}).stress(e, v))) > 0


def _pulling(layout: Layout, contacts: list[str]) -> frozenset[str]:
    """Elements among these with contacts that may be in tension."""
    elements = layout.names.elements
    laws = [(name, law_of(elements[name], contact)) for name in contacts for contact in elements[name].contacts]
    return frozenset(name for name, law in laws if getattr(law, "sticky", False))


def _law_tables(layout: Layout, s: System, contacts: list[str]) -> tuple[Ints, Ints, Ints]:
    """Loads, rates and gaps of the contacts with force laws."""
    pulling = _pulling(layout, contacts)
    place = {name: n for n, name in enumerate(contacts)}
    owner = [place.get(address.owner, -1) for address in layout.strains]
    strains = [(int(s.laws.strain[law]), register) for law, register in s.driven.load_law.tolist()]
    loads = [(owner[k], k, register) for k, register in strains if owner[k] >= 0]
    signals = s.feedback.signal.tolist()
    rates = [register for of_strain, k, order, register in signals if of_strain and order and owner[k] >= 0]
    shown = dict(s.feedback.shown.tolist())
    touching = [k for k in s.touch.strain.tolist() if owner[k] >= 0 and layout.strains[k].owner not in pulling]
    gaps = [(owner[k], k, shown.get(k, -1)) for k in touching]
    return table(loads, 3), ints(rates), table(gaps, 3)
