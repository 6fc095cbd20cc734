"""Contacts of small motions whose laws remember the approach velocity.

Gap and rate are functions of signals that are linear in the small motion.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexura.algebra import Vector
from flexura.analyses.periodic.nominal_motion import Course
from flexura.derive.expression import symbol, symbols_in
from flexura.derive.program_builder import ProgramBuilder
from flexura.elements.contacts import Contact, Surfaces, surfaces_of
from flexura.errors import ModelError
from flexura.integrators.small_motion_contacts import Watch
from flexura.mechanics.contact.contact_scales import LAW_TOUCH
from flexura.mechanics.core.index_arrays import ints
from flexura.model.feedback import kept, rules_of
from flexura.model.names import Names

Watched = tuple[str, Contact]
"""Element and contact."""


def remembering(names: Names) -> list[Watched]:
    """Contacts whose laws remember the approach velocity; other laws with a memory are refused."""
    recalled = {place: rule.where for rule in rules_of(names) for place in rule.recalled}
    found = []
    for (name, number), where in recalled.items():
        contact = next((c for c in names.elements[name].contacts if c.memory == number), None)
        if contact is None:
            what = "its law depends on the history of the motion, which small motions do not support"
            raise ModelError(where, what, "give it a law without memory, or use simulate")
        found.append((name, contact))
    return found


def watched(course: Course, contacts: Sequence[Watched]) -> Watch:
    """The watch on these contacts of a course."""
    formulas, names = course.ready.assembler.formulas, course.ready.layout.names
    surfaces = [_surfaces(names, name, contact) for name, contact in contacts]
    gaps, rates = [at.gap for at in surfaces], [at.rate for at in surfaces]
    used = set().union(*(symbols_in(expr) for expr in (*gaps, *rates)))
    signals = [name for name in formulas.measured if symbol(name) in used]
    builder = ProgramBuilder(inputs=tuple(signals))
    span = builder.add([*gaps, *rates])
    count = len(contacts)
    return Watch(
        program=builder.finish(),
        span=ints([span.start, span.stop]),
        signal=ints(formulas.builder.input(name) for name in signals),
        gap=ints(span.outputs[:count]),
        rate=ints(span.outputs[count:]),
        approach=ints(formulas.builder.input(kept(name, contact.memory)) for name, contact in contacts),
        near=np.array([LAW_TOUCH * course.ready.layout.size]),
        side=np.zeros(count, dtype=np.int64),
        now=np.zeros(count),
        before=np.zeros(count),
    )


def _surfaces(names: Names, name: str, contact: Contact) -> Surfaces:
    """Gap and rate of a contact as functions of signals."""
    element = names.elements[name]
    e = Vector(*(symbol(f"{name}.{strain}") for strain in element.deformations()))
    v = Vector(*(symbol(f"{name}.{row}'") for row in element.rows()))
    return surfaces_of(element.placed(names.drawing.numbers(name)), e, v)[contact]
