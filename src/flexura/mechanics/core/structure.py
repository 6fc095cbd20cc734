"""Structure of a layout: all that does not change when numbers of its model change.

A stiffness, damping or mass that turns zero, infinite or finite again changes the class of a strain, the pattern of a
law or the numbers of an element, and so the structure.
"""

from __future__ import annotations

from typing import Any

from flexura.mechanics.core.layout import Layout
from flexura.model.feedback import rules_of

Structure = tuple[Any, ...]
"""Equal for layouts that differ in their numbers alone."""


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
