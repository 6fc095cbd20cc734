"""Gaps to be watched in small motions whose contacts remember the approach velocity.

The gap and its rate are what an element would hand to its law, of signals that are linear in the small motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexura.algebra import Vector
from flexura.analyses.periodic.nominal_motion import Course
from flexura.derive.expression import Expr, as_expr, symbol, symbols_in
from flexura.derive.program_builder import ProgramBuilder
from flexura.errors import ModelError
from flexura.integrators.small_motion_contacts import Watch
from flexura.laws.hertz import Hertz
from flexura.laws.line_contact import LineContact
from flexura.mechanics.core.index_arrays import ints
from flexura.model.feedback import kept, rules_of
from flexura.model.names import Names

_NEAR = 1e-12
"""A distance at which surfaces touch, as a part of the model's size."""


class _Depth:
    """A law that tells how deep the surfaces are in each other."""

    def force(self, depth: Any, rate: Any, approach: Any) -> Any:
        return depth


class _Closing:
    """A law that tells how fast they go deeper."""

    def force(self, depth: Any, rate: Any, approach: Any) -> Any:
        return rate


def remembering(names: Names) -> list[str]:
    """The elements whose laws keep something of the motion; others than contacts are refused."""
    found = {name: rule.where for rule in rules_of(names) for name, _ in rule.recalled}
    for name, where in found.items():
        element = names.elements[name]
        plain = isinstance(element.__dict__.get("contact"), Hertz | LineContact)
        if not plain or element.tracked != ("approach",) or len(element.gaps) != 1:
            what = "its law remembers the motion in a way that a small motion does not keep"
            raise ModelError(where, what, "give it a law without memory, or see simulate")
    return list(found)


def watched(course: Course, elements: Sequence[str]) -> Watch:
    """The watch on these elements of a course."""
    formulas, names = course.ready.assembler.formulas, course.ready.layout.names
    # an element pushes with what its law gives: the gap is minus the depth
    gaps, rates = ([-_pushed(names, name, law) for name in elements] for law in (_Depth(), _Closing()))
    used = set().union(*(symbols_in(expr) for expr in (*gaps, *rates)))
    signals = [name for name in formulas.measured if symbol(name) in used]
    builder = ProgramBuilder(inputs=tuple(signals))
    span = builder.add([*gaps, *rates])
    count = len(elements)
    return Watch(
        program=builder.finish(),
        span=ints([span.start, span.stop]),
        signal=ints(formulas.builder.input(name) for name in signals),
        gap=ints(span.outputs[:count]),
        rate=ints(span.outputs[count:]),
        approach=ints(formulas.builder.input(kept(name, "approach")) for name in elements),
        near=np.array([_NEAR * course.ready.layout.size]),
        side=np.zeros(count),
        now=np.zeros(count),
        before=np.zeros(count),
    )


def _pushed(names: Names, name: str, law: _Depth | _Closing) -> Expr:
    """Normal force of an element at its gap, with another law in place of its own."""
    element = names.elements[name]
    rows, (gap,) = element.rows(), element.gaps
    e = Vector(*(symbol(f"{name}.{strain}") for strain in element.strains))
    v = Vector(*(symbol(f"{name}.{row}'") for row in rows))
    placed = element.placed({**names.numbers(name), "contact": law})
    stresses = dict(zip(rows, placed.stress(e, v), strict=False)) | placed.shown(e, v)
    return -as_expr(stresses[gap])
