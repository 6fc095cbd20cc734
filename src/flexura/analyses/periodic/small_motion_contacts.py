"""Contacts of small motions: those with gaps of displaced nodes, and laws that store the approach velocity.

The gap of a contact is a function of the displaced nodes, or of strains that are linear in
the small motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flexura.algebra import Vector
from flexura.analyses.periodic.nominal_motion import Course
from flexura.derive.expression import symbol, symbols_in
from flexura.derive.program_builder import ProgramBuilder
from flexura.derive.records import Floats, Ints
from flexura.elements.contacts import Contact, Surfaces, surfaces_of, takes_time
from flexura.errors import ModelError
from flexura.integrators.small_motion_equations import Geometry
from flexura.integrators.small_motion_gaps import Watch
from flexura.integrators.small_motion_slopes import LawSlopes
from flexura.mechanics.contact.contact_scales import LAW_TOUCH
from flexura.mechanics.core.index_arrays import ints
from flexura.mechanics.core.system import Calls
from flexura.model.feedback import kept, rules_of
from flexura.model.names import Names

Watched = tuple[str, Contact]
"""Element and contact."""


def remembering(names: Names) -> list[Watched]:
    """Contacts whose laws store the approach velocity; other laws with a memory are refused."""
    recalled = {place: rule.where for rule in rules_of(names) for place in rule.recalled}
    found = []
    for (name, number), where in recalled.items():
        contact = next((c for c in names.elements[name].contacts if c.memory == number), None)
        if contact is None:
            what = "its law depends on the history of the motion, which small motions do not support"
            raise ModelError(where, what, "give it a law without memory, or use simulate")
        found.append((name, contact))
    return found


def gauged(names: Names, remembered: Sequence[Watched]) -> list[Watched]:
    """All contacts whose gaps are functions of signals: those with stored velocities first, then those of strains."""
    of_strains = [(name, c) for name, element in names.elements.items() for c in element.contacts if c.of_strains]
    others = [each for each in of_strains if each not in remembered and takes_time(names.elements[each[0]], each[1])]
    return [*remembered, *others]


def unmeasured_rates(course: Course, contacts: Sequence[Watched]) -> dict[str, int]:
    """Rates of strains in the gaps of these contacts that no law measures, and indices of the strains."""
    formulas, names = course.ready.assembler.formulas, course.ready.layout.names
    order = {name: number for number, name in enumerate(formulas.measured)}
    rates = [_surfaces(names, *each).rate for each in contacts]
    used = {one.data for rate in rates for one in symbols_in(rate)} - set(order)
    return {f"{name}'": number for name, number in order.items() if f"{name}'" in used}


def watched(course: Course, contacts: Sequence[Watched], remembered: int) -> Watch:
    """Gaps of these contacts of a course; the first ``remembered`` store the approach velocity."""
    formulas, names = course.ready.assembler.formulas, course.ready.layout.names
    surfaces = [_surfaces(names, name, contact) for name, contact in contacts]
    gaps, rates = [at.gap for at in surfaces], [at.rate for at in surfaces]
    used = {one.data for expr in (*gaps, *rates) for one in symbols_in(expr)}
    extra = len(formulas.builder.finish().registers)
    places = {name: formulas.builder.input(name) for name in formulas.measured}
    places |= {name: extra + i for i, name in enumerate(unmeasured_rates(course, contacts))}
    signals = [name for name in places if name in used]
    builder = ProgramBuilder(inputs=tuple(signals))
    span = builder.add([*gaps, *rates])
    count = len(contacts)
    return Watch(
        program=builder.finish(),
        span=ints([span.start, span.stop]),
        signal=ints(places[name] for name in signals),
        gap=ints(span.outputs[:count]),
        rate=ints(span.outputs[count:]),
        approach=ints(formulas.builder.input(kept(name, c.memory)) for name, c in contacts[:remembered]),
        near=np.array([LAW_TOUCH * course.ready.layout.size]),
        side=np.zeros(remembered, dtype=np.int64),
        now=np.zeros(remembered),
        before=np.zeros(remembered),
    )


def _surfaces(names: Names, name: str, contact: Contact) -> Surfaces:
    """Gap and rate of a contact as functions of signals."""
    element = names.elements[name]
    e = Vector(*(symbol(f"{name}.{strain}") for strain in element.deformations()))
    v = Vector(*(symbol(f"{name}.{row}'") for row in element.rows()))
    return surfaces_of(element.placed(names.drawing.numbers(name)), e, v)[contact]


# ── the geometry of displaced nodes ──────────────────────────────────────────────────────────────────────────────────


class NodalContacts(NamedTuple):
    """Contacts whose gaps are functions of nodes: elements with their gaps and slips, and all their coordinates."""

    strains: dict[str, list[int]]
    coordinates: dict[str, Ints]

    @staticmethod
    def of(course: Course) -> NodalContacts:
        """Nodal contacts of a course."""
        layout, strains, coordinates = course.ready.layout, dict[str, list[int]](), dict[str, Ints]()
        for group in layout.groups:
            for name, first, columns in zip(group.names, group.firsts, group.table, strict=True):
                element = layout.names.elements[name]
                rows = {row for c in element.contacts if not c.of_strains for row in (c.name, *c.slips)}
                if rows:
                    strains[name] = [int(first) + k for k, row in enumerate(element.rows()) if row in rows]
                    coordinates[name] = np.unique(columns)
        return NodalContacts(strains, coordinates)

    @property
    def every_coordinate(self) -> Ints:
        """Coordinates of all these contacts."""
        return np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *self.coordinates.values()]))

    def open(self, course: Course, loads: Floats) -> NodalContacts:
        """Contacts without a load in the nominal motion; ``loads`` has one row for each time.

        The others are always pressed: their linear forces include the stiffness of the surfaces.
        """
        acting = {int(k) for (strain, k), load in zip(_targets(course), loads.T, strict=True) if strain and load.any()}
        free = [name for name, strains in self.strains.items() if not acting & set(strains)]
        return NodalContacts({n: self.strains[n] for n in free}, {n: self.coordinates[n] for n in free})

    def split(self, course: Course) -> tuple[Ints, Ints]:
        """Indices of the linear ones among the measured signals and the loads of a course."""
        inside = {k for strains in self.strains.values() for k in strains}

        def linear(rows: Ints) -> Ints:
            return ints(i for i, (strain, k) in enumerate(rows) if not (strain and int(k) in inside))

        return linear(course.small.system.feedback.signal[:, :2]), linear(_targets(course))

    def unmeasured_rates(self, course: Course) -> dict[str, int]:
        """Rates of their gaps that no law measures, and indices of the gaps."""
        inside = {k for strains in self.strains.values() for k in strains}
        names, rows = course.ready.assembler.formulas.measured, course.small.system.feedback.signal
        found = {name: int(k) for name, (strain, k, *_) in zip(names, rows, strict=True) if strain and int(k) in inside}
        return {f"{name}'": k for name, k in found.items() if not name.endswith("'") and f"{name}'" not in found}

    def geometry(self, course: Course, drift: Floats, register: int) -> Geometry:
        """Their kernels, signals and loads; rates that no law measures have registers from the given one on."""
        system, layout = course.small.system, course.ready.layout
        inside = {k for strains in self.strains.values() for k in strains}
        loads = [register for _, register in course.ready.assembler.driving.fed]
        acting = [(k, r) for (strain, k), r in zip(_targets(course), loads, strict=True) if strain and int(k) in inside]
        measured = [(k, o, r) for strain, k, o, r in system.feedback.signal if strain and int(k) in inside]
        measured += [(k, 1, register + i) for i, k in enumerate(self.unmeasured_rates(course).values())]
        size = len(layout.coordinates)
        place = np.full(size, -1, dtype=np.int64)
        place[self.every_coordinate] = np.arange(self.every_coordinate.size)
        return Geometry(
            system=system,
            calls=_calls(course, set(self.strains)),
            coordinate=self.every_coordinate,
            place=place,
            drift=drift,
            signal=np.array(measured, dtype=np.int64).reshape(-1, 3),
            load=np.array(acting, dtype=np.int64).reshape(-1, 2),
            x=course.first.x.copy(),
            v=np.zeros(size),
            force=np.zeros(size),
        )


def law_slopes(course: Course, linear: tuple[Ints, Ints], n: int) -> LawSlopes:
    """Slopes of loads by signals: those with these indices are linear, the others belong to contacts.

    There are n coordinates, or amplitudes of modes.
    """
    feedback = course.small.system.feedback

    def numbered(count: int, chosen: Ints) -> Ints:
        """New indices: the linear ones first, in their order, then the others in theirs."""
        inner = chosen[chosen < count]
        others = np.setdiff1d(np.arange(count), inner)
        found = np.zeros(count, dtype=np.int64)
        found[inner], found[others] = np.arange(inner.size), chosen.size + np.arange(others.size)
        return found

    signals, loads = (
        numbered(len(rows), one) for rows, one in zip((feedback.signal, feedback.load), linear, strict=True)
    )
    return LawSlopes(
        slope=ints(feedback.slope[:, 2]),
        load=ints(loads[feedback.slope[:, 0]]),
        signal=ints(signals[feedback.slope[:, 1]]),
        by_place=np.zeros(n),
        by_rate=np.zeros(n),
        column=np.zeros(n),
    )


def _targets(course: Course) -> Ints:
    """(1 for a strain or 0 for a coordinate, index) of each load."""
    return course.small.system.feedback.load


def _calls(course: Course, elements: set[str]) -> Calls:
    """The kernels of strains of the kinds of these elements."""
    layout, shape = course.ready.layout, course.small.system.shape
    used = [g for g, level in enumerate(course.ready.assembler.shape.levels) if level.entries]
    rows = ints(row for row, g in enumerate(used) if elements & set(layout.groups[g].names))
    per_kind = ("address", "count", "index_start", "number_start", "extra_start", "out_start")
    found: Calls = shape.replaced(**{name: getattr(shape, name)[rows] for name in per_kind})
    return found
