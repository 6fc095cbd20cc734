"""Layout of a model in which values of elements, inputs and loads have changed, without resolving names again.

A sweep changes few of them at a time; the contributions of all others to the layout are reused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import NamedTuple

from flexura.derive.kinds import Kind
from flexura.elements.element import Element
from flexura.elements.slots import targets
from flexura.elements.traced_laws import TracedLaw
from flexura.laws.signals import Expression, Signal
from flexura.mechanics.core.constitution import Constitution, constitution_of
from flexura.mechanics.core.element_groups import Group
from flexura.mechanics.core.layout import Layout
from flexura.model.annotations import fields
from flexura.model.feedback import laws_of_elements
from flexura.model.frozen_mapping import Frozen
from flexura.model.model import Model
from flexura.model.names import Names

_OF_TIME = ("inputs", "loads")
"""fields of signals"""


class Difference(NamedTuple):
    """Values in which a model differs from another one, except those of its start."""

    elements: Mapping[str, Element]
    signals: bool
    """true if inputs or loads have other numbers"""


def difference(before: Model, after: Model) -> Difference | None:
    """Values in which a model differs from an earlier one; None if it differs in more than values."""
    signals = False
    for name in fields(Model):
        old, new = getattr(before, name), getattr(after, name)
        if name == "start":
            # in space its names are present
            if old is not new and tuple(old) != tuple(new):
                return None
        elif old is not new and name != "elements" and (old != new or not _same_order(old, new)):
            if name not in _OF_TIME or not _alike(old, new):
                return None
            signals = True
    elements = _changed_elements(before, after)
    return None if elements is None else Difference(elements, signals)


def _changed_elements(before: Model, after: Model) -> dict[str, Element] | None:
    """Elements with other values than before; None if they differ in more than values."""
    if before.elements is after.elements:
        return {}
    if tuple(before.elements) != tuple(after.elements):
        return None
    pairs = zip(before.elements.items(), after.elements.values(), strict=True)
    found = {name: new for (name, old), new in pairs if new is not old and new != old}
    for name, new in found.items():
        old = before.elements[name]
        if type(new) is not type(old) or targets(new) != targets(old) or new.companions(name) or old.companions(name):
            return None
    return found


def _same_order(old: object, new: object) -> bool:
    """True if equal parts of models have the same order of names, which the comparison of dictionaries ignores."""
    return not isinstance(old, Frozen) or not isinstance(new, Frozen) or tuple(old) == tuple(new)


def _alike(old: Mapping[str, object], new: Mapping[str, object]) -> bool:
    """True if signals differ at most in their numbers; formulas are texts."""
    return tuple(old) == tuple(new) and all(
        one == other or (type(one) is type(other) and isinstance(one, Signal) and not isinstance(one, Expression))
        for one, other in zip(old.values(), new.values(), strict=True)
    )


class Changes(NamedTuple):
    """Parts of elements with other values, and the kinds of values that changed."""

    names: Names
    parts: Sequence[str]
    constitutions: Mapping[str, Constitution]
    """of the parts with strains or slips"""
    laws: Mapping[str, TracedLaw]
    """of the parts that have laws"""
    stressed: bool
    """true if a stiffness, damping, preload or law of impact has changed"""
    gripping: bool
    """true if a part has dry friction"""
    signals: bool
    """true if inputs or loads have other numbers"""

    @staticmethod
    def of(layout: Layout, names: Names, parts: Sequence[str], signals: bool) -> Changes:
        """Changes by parts with other values in a layout, and by its inputs and loads."""
        elements = names.elements
        constitutions = {name: constitution_of(names, name) for name in parts if elements[name].rows()}
        stressed = any(not own.same(layout.constitution[name]) for name, own in constitutions.items())
        gripping = any(elements[name].grips() for name in parts)
        return Changes(names, parts, constitutions, laws_of_elements(names, parts), stressed, gripping, signals)


def changed_layout(layout: Layout, changes: Changes) -> Layout | None:
    """Layout with other values in some parts of elements, inputs and loads; None if these change the structure."""
    names, parts, constitutions = changes.names, changes.parts, changes.constitutions
    if any(names.strained(names.resolve(name)).owner in parts for name in names.model.laws):
        return None
    new = copy(layout)
    new.model, new.names = names.model, names
    if parts:
        new.number_facts = {}
    if changes.signals:
        new.take_inputs()
    if changes.stressed:
        new.stiffness, new.damping, new.preload = dict(layout.stiffness), dict(layout.damping), layout.preload.copy()
        new.restitution, new.constitution = dict(layout.restitution), dict(layout.constitution)
    new.element_numbers = dict(layout.element_numbers)
    renewed: dict[Kind, Group] = {}
    for name in parts:
        element, kind = names.elements[name], layout.element_kind[name]
        if name in constitutions and changes.stressed:
            new.constitution[name] = own = constitutions[name]
            if not own.alike(layout.constitution[name]):
                return None
            new.constitute(name, own)
        numbers = names.drawing.numbers(name)
        if not new.same_kind(name, element):
            return None
        if kind not in renewed:
            renewed[kind] = copy(next(group for group in layout.groups if group.kind == kind))
            renewed[kind].numbers = list(renewed[kind].numbers)
        renewed[kind].numbers[renewed[kind].names.index(name)] = list(numbers.values())
        new.element_numbers[name] = numbers
    new.groups = [renewed.get(group.kind, group) for group in layout.groups]
    if changes.gripping:
        new.find_grips()
    return new
