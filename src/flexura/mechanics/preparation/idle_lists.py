"""Lists of the elements that act through contacts only."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Ints
from flexura.elements.contacts import is_held
from flexura.elements.traced_laws import has_own_law
from flexura.mechanics.core.constitution import FREE
from flexura.mechanics.core.idle_tables import IdleElements
from flexura.mechanics.core.index_arrays import ints, table
from flexura.mechanics.core.kernel_outputs import Outputs
from flexura.mechanics.core.law_calls import STRESS
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.preparation.drives import Driving
from flexura.mechanics.preparation.signal_programs import Formulas
from flexura.model.feedback import kept
from flexura.model.names import Address

_OF_STRAINS = {"strain", "slope", "convection"}
"""Outputs of the motion level without which an element has no mass and no force."""


def idle_of(layout: Layout, motion: Outputs, driving: Driving, used: bool) -> IdleElements:
    """Elements that are left out while their contacts are held open; empty unless ``used``."""
    formulas = driving.formulas
    names = _names(layout, motion, formulas) if used else []
    place = {name: i for i, name in enumerate(names)}
    holds = [[formulas.builder.input(kept(name, hold)) for hold in _holds(layout, name)] for name in names]
    outputs = [formulas.law_table.registers[name][STRESS] for name in names]
    of_kernel = [
        place.get(n, -1)
        for g, level in zip(layout.groups, motion.levels, strict=True)
        if level.entries
        for n in g.names
    ]
    of_law = [place.get(name, -1) for kind in formulas.law_table.kinds.values() for name in kind]
    of_signal = [place.get(_owner(address), -1) for address, _ in formulas.measured.values()]
    of_stress = [place.get(layout.strains[k].owner, -1) for k in driving.law_strains]
    return IdleElements(
        hold_start=ints([0, *np.cumsum([len(one) for one in holds])]),
        hold=ints(register for one in holds for register in one),
        output=table([(one.start, one.stop) for one in outputs], 2),
        strain=table([_strains(layout, name) for name in names], 2),
        of_kernel=ints(of_kernel),
        of_law=ints(of_law),
        of_signal=ints(of_signal),
        of_stress=ints(of_stress),
        of_load=ints(of_stress[law] for law, _ in driving.driven.load_law),
        asleep=_room(len(names)),
        kernel=_room(len(of_kernel), 3),
        law=_room(len(of_law), 3),
        signal=_room(len(of_signal)),
        stress=_room(len(of_stress)),
        load=_room(len(driving.driven.load_law)),
        count=ints([-1, 0, 0, 0, 0]),
    )


def _names(layout: Layout, motion: Outputs, formulas: Formulas) -> list[str]:
    """Elements whose only forces are those of contacts that steps hold, and that no formula of the model refers to."""
    given = [rule for rule in formulas.rules if not rule.by_element]
    mentioned = {_owner(formulas.measured[name][0]) for rule in given for name in rule.measured}
    mentioned |= {_owner(address) for address, _ in formulas.loads} | {
        _owner(address) for address, rule in zip(formulas.followers, formulas.rules, strict=True) if not rule.by_element
    }
    found = []
    for group, level in zip(layout.groups, motion.levels, strict=True):
        if level.entries and level.by_quantity.keys() <= _OF_STRAINS:
            found += [name for name in group.names if name not in mentioned and _rests(layout, formulas, name)]
    return found


def _rests(layout: Layout, formulas: Formulas, name: str) -> bool:
    """True if an element has no other forces than those of contacts that steps hold."""
    element = layout.names.elements.get(name)
    if element is None or not element.contacts or name not in formulas.law_table.registers:
        return False
    rows = [layout.strain_index[Address("strain", name, row)] for row in element.rows()]
    free = all(layout.strain_class[k] == FREE and k not in layout.law for k in rows)
    held = all(is_held(element, c) and kept(name, c.hold) in formulas.holds for c in element.contacts)
    return free and held and not has_own_law(element)


def _holds(layout: Layout, name: str) -> list[str]:
    return [contact.hold for contact in layout.names.elements[name].contacts]


def _strains(layout: Layout, name: str) -> tuple[int, int]:
    rows = layout.names.elements[name].rows()
    first = layout.strain_index[Address("strain", name, rows[0])]
    return first, first + len(rows)


def _owner(address: Address) -> str:
    return address.owner if address.kind == "strain" else ""


def _room(*shape: int) -> Ints:
    return np.zeros(shape, dtype=np.int64)
