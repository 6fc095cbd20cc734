"""Structure of a layout: the part that does not depend on the numbers of its model.

A stiffness, damping or mass that becomes zero, infinite or finite again changes the class of a strain, the pattern of a
law or the numbers of an element, and so the structure.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from flexura.laws.signals import Expression
from flexura.mechanics.core.layout import Layout
from flexura.model.annotations import fields
from flexura.model.feedback import rules_of
from flexura.model.model import Model

Structure = tuple[Any, ...]
"""Structure, equal for layouts that differ only in their numbers."""


def structure_of(layout: Layout) -> Structure:
    """Names and indices of a layout, its kinds of elements, and the patterns of its laws and loads."""
    patterns = [
        (first, ((s != 0.0) | (layout.damping[first] != 0.0)).tobytes()) for first, s in layout.stiffness.items()
    ]
    return (
        (layout.condensed, layout.about, layout.held, layout.redundancy),
        layout.coordinates,
        layout.strains,
        layout.strain_class,
        [(group.kind, group.names, group.coordinates) for group in layout.groups],
        [(c, signal is None) for c, signal in layout.known.items()],
        list(layout.driven_strain),
        list(layout.law),
        list(layout.restitution),
        [(held.slips, held.by, [row[:3] for row in held.pressure]) for held in layout.grips],
        patterns,
        [(name, isinstance(load, tuple)) for name, load in layout.model.loads.items()],
        [(rule.target, rule.signals, rule.use and rule.use.law.form.slopes) for rule in rules_of(layout.names)],
    )


def layout_with_numbers(layout: Layout, model: Model) -> Layout | None:
    """Layout of a model with other numbers; None if the structure differs."""
    if _differs_in_loads(layout.model, model):
        changed = copy(layout)
        changed.model, changed.names = model, copy(layout.names)
        changed.names.model = model
        return changed
    changed = Layout(model, layout.condensed, layout.held, layout.about, redundancy=layout.redundancy)
    return changed if structure_of(changed) == structure_of(layout) else None


def _differs_in_loads(before: Model, after: Model) -> bool:
    """True if all other parts are identical, and loads differ only in numbers: no name has to be resolved again."""
    if any(getattr(before, name) is not getattr(after, name) for name in fields(Model) if name != "loads"):
        return False
    if tuple(before.loads) != tuple(after.loads):
        return False
    pairs = [(old, new) for old, new in zip(before.loads.values(), after.loads.values(), strict=True) if old is not new]
    return all(type(old) is type(new) and not isinstance(new, Expression | tuple) for old, new in pairs)
