"""Index lists of the adjoint of the accelerations, and tables of changes of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record
from flexura.derive.varied_quantities import VARIED
from flexura.mechanics.core.element_numbers import number_places
from flexura.mechanics.core.index_arrays import pairs
from flexura.mechanics.core.kernel_outputs import Outputs
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import Calls, Pairs, System
from flexura.mechanics.preparation.signal_programs import Formulas


class State(Record):
    """Additional inputs of a level by the state: accelerations, body forces and stresses."""

    acceleration: Pairs
    body: Pairs
    stress: Pairs


class Pulls(Record):
    """Adjoint level: slopes of a weighted sum of strains, rates, second derivatives and forces."""

    calls: Calls
    state: State
    strain: Pairs
    rate: Pairs
    second: Pairs
    force: Pairs
    """indices of the weights: of strains, or of coordinates"""
    by_x: Pairs
    by_v: Pairs
    by_number: Pairs
    by_body: Pairs


class LawSlopes(Record):
    """Slopes of loads by the numbers of the laws of elements."""

    address: Ints
    """kernels of each kind of law, 0 without"""
    out_start: Ints
    entry: IntTable
    """(load, tracked number or -1, constant of a law or -1, output) of each slope"""
    out: Floats


class Variations(Record):
    """System with its adjoint level, and memory for the weights of one quantity."""

    system: System
    laws: LawSlopes
    pull: Pulls
    strain: Floats
    rate: Floats
    stress: Floats
    second: Floats
    force: Floats
    """weights of strains, their rates, the stresses of laws, second derivatives of strains and forces on coordinates"""
    signal: Floats
    """weights of measured signals"""
    driven: Floats
    """weights of the values of formulas of time, in the order of :mod:`flexura.mechanics.linear.driven_changes`"""


class Numbers(Record):
    """Changes of the numbers of a system that are not formulas, one row for each parameter; or derivatives."""

    number: FloatTable
    body: FloatTable
    stiffness: FloatTable
    damping: FloatTable
    preload: FloatTable
    law: FloatTable
    """constants of the laws of elements"""


def variations_of(layout: Layout, system: System, formulas: Formulas) -> Variations:
    """Compile the levels of a layout for derivatives of its system."""
    strains, coordinates = max(len(layout.strains), 1), len(layout.coordinates)
    return Variations(
        system=system,
        laws=_law_slopes(layout, formulas),
        pull=_pulls(layout),
        strain=np.zeros(strains),
        rate=np.zeros(strains),
        stress=np.zeros(strains),
        second=np.zeros(strains),
        force=np.zeros(coordinates),
        signal=np.zeros(len(system.feedback.signal)),
        driven=np.zeros(driven_values(system)),
    )


def driven_values(system: System) -> int:
    """Number of values of formulas of time: three for each driven coordinate and strain, and one for each load."""
    driven = system.driven
    return int(3 * (driven.coordinate.size + driven.row.size) + driven.load_coordinate.size + len(driven.load_law))


def numbers_of(system: System) -> dict[str, Floats]:
    """Numbers of a system that are not formulas."""
    laws = system.laws
    return {
        "number": system.number,
        "body": system.driven.body_base,
        "stiffness": laws.stiffness,
        "damping": laws.damping,
        "preload": laws.preload,
        "law": system.feedback.laws.number,
    }


def _law_slopes(layout: Layout, formulas: Formulas) -> LawSlopes:
    address, starts = formulas.law_table.number_kernels()
    slopes, places = formulas.law_table.number_slopes(), number_places(layout)
    entries = [
        (load, places[use.element, number.removeprefix(":")] if number else -1, constant, out)
        for load, use in enumerate(rule.use for rule in formulas.rules)
        if use is not None
        for one, number, constant, out in slopes[use.element]
        if one == use.place
    ]
    entry = np.array(entries, dtype=np.int64).reshape(-1, 4)
    return LawSlopes(address=address, out_start=starts, entry=entry, out=np.zeros(int(starts[-1])))


def number_changes(system: System, rows: int) -> Numbers:
    """Memory for changes of the numbers of a system."""
    tables = {name: np.zeros((rows, own.size)) for name, own in numbers_of(system).items()}
    return Numbers(**tables)


def number_places_of(layout: Layout) -> list[Ints]:
    """Places of the numbers of elements in ``System.number``, a table for each group."""
    starts = np.cumsum([0] + [len(g.names) * len(g.kind.numbers) for g in layout.groups])
    return [
        start + np.arange(len(g.names) * len(g.kind.numbers)).reshape(len(g.names), -1)
        for start, g in zip(starts, layout.groups, strict=False)
    ]


def body_places(layout: Layout) -> list[Ints]:
    """Places of the body forces of elements among the inputs of the motion level, a table for each group."""
    motion, axes = Outputs(layout, "motion"), layout.model.dimension
    return [motion.extra_table(g)[:, :axes] for g in range(len(layout.groups))]


def _pulls(layout: Layout) -> Pulls:
    outputs = Outputs(layout, "adjoint")
    inputs = _Inputs(layout, outputs)
    weights = {name: inputs.take(inputs.coordinates if name == "force" else inputs.strains) for name in VARIED}
    return Pulls(
        calls=outputs.calls(),
        state=inputs.state,
        **weights,
        by_x=pairs(outputs.of_coordinates("by_x")),
        by_v=pairs(outputs.of_coordinates("by_v")),
        by_number=_matched(outputs, "by_number", inputs.numbers),
        by_body=_matched(outputs, "by_body", inputs.bodies),
    )


class _Inputs:
    """Additional inputs of a level, taken one after another."""

    def __init__(self, layout: Layout, outputs: Outputs) -> None:
        self.outputs = outputs
        groups = layout.groups
        self.coordinates = [group.table for group in groups]
        self.strains = [group.firsts[:, None] + np.arange(len(group.kind.rows)) for group in groups]
        self.bodies, self.numbers = body_places(layout), number_places_of(layout)
        self.taken = [0] * len(groups)
        self.state = State(
            acceleration=self.take(self.coordinates), body=self.take(self.bodies), stress=self.take(self.strains)
        )

    def take(self, sources: Sequence[Ints]) -> Pairs:
        """(source, additional input) of the next inputs of all elements."""
        found = [np.zeros((2, 0), dtype=np.int64)]
        for g, source in enumerate(sources):
            first, width = self.taken[g], source.shape[1]
            self.taken[g] += width
            if self.outputs.levels[g].entries:
                targets = self.outputs.extra_table(g)[:, first : first + width]
                found.append(np.array([source.ravel(), targets.ravel()]))
        return pairs(np.concatenate(found, axis=1))


def _matched(outputs: Outputs, wanted: str, targets: Sequence[Ints]) -> Pairs:
    """(source, target) of a quantity whose rows are those of the targets of each element."""
    by_kind = {id(group): target for group, target in zip(outputs.layout.groups, targets, strict=True)}
    found = [np.zeros((2, 0), dtype=np.int64)]
    for group, source, i, _ in outputs.entries(wanted):
        found.append(np.array([source.ravel(), by_kind[id(group)][:, i].ravel()]))
    return pairs(np.concatenate(found, axis=1))
