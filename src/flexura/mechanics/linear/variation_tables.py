"""Index lists with which small changes of the accelerations of a system are computed, forwards and backwards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexura.derive.levels import VARIED
from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record
from flexura.mechanics.core.element_numbers import number_places
from flexura.mechanics.core.index_arrays import pairs
from flexura.mechanics.core.kernel_outputs import Outputs
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import Calls, Pairs, System
from flexura.mechanics.preparation.signal_programs import Formulas


class State(Record):
    """Further inputs of a level by the state: accelerations, body forces and stresses."""

    acceleration: Pairs
    body: Pairs
    stress: Pairs


class Changes(Record):
    """A tangent level: changes of strains, rates, second derivatives and forces along two inputs.

    The inputs are positions and rates of coordinates, or numbers of elements and body forces.
    """

    calls: Calls
    state: State
    first: Pairs
    second: Pairs
    strain: Pairs
    rate: Pairs
    row: Pairs
    """second derivatives of held strains into the right-hand side"""
    force: Pairs
    """forces on free coordinates, likewise"""


class Pulls(Record):
    """The adjoint level: slopes of a weighted sum of strains, rates, second derivatives and forces."""

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
    """(load, followed number or -1, constant of a law or -1, output) of each slope"""
    out: Floats


class Variations(Record):
    """A system with the levels that differentiate it, and room for one change."""

    system: System
    laws: LawSlopes
    state: Changes
    number: Changes
    pull: Pulls
    strain: Floats
    rate: Floats
    stress: Floats
    """changes of strains, their rates and the stresses of laws; on the way back, their weights"""
    second: Floats
    force: Floats
    """weights of the second derivatives of strains, and of forces on coordinates"""
    signal: Floats
    """changes of measured signals, or their weights"""


class Numbers(Record):
    """Changes of the numbers of a system that are not formulas, a row for each parameter; or derivatives by them."""

    number: FloatTable
    body: FloatTable
    stiffness: FloatTable
    damping: FloatTable
    preload: FloatTable
    law: FloatTable
    """constants of the laws of elements"""
    active: IntTable
    """1 for each call of the tangent level by numbers that a row is for; rows are marked by :func:`mark_active`"""


def variations_of(layout: Layout, system: System, formulas: Formulas) -> Variations:
    """Compile the levels of a layout that differentiate its system."""
    strains, coordinates = max(len(layout.strains), 1), len(layout.coordinates)
    return Variations(
        system=system,
        laws=_law_slopes(layout, formulas),
        state=_changes(layout, system, "tangent"),
        number=_changes(layout, system, "tangent_by_number"),
        pull=_pulls(layout),
        strain=np.zeros(strains),
        rate=np.zeros(strains),
        stress=np.zeros(strains),
        second=np.zeros(strains),
        force=np.zeros(coordinates),
        signal=np.zeros(len(system.feedback.signal)),
    )


def numbers_of(system: System) -> dict[str, Floats]:
    """The numbers of a system that are not formulas."""
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
    """Room for changes of the numbers of a system."""
    tables = {name: np.zeros((rows, own.size)) for name, own in numbers_of(system).items()}
    return Numbers(**tables, active=np.zeros((rows, 0), dtype=np.int64))


def mark_active(w: Variations, numbers: Numbers) -> Numbers:
    """Changes of numbers with a mark for each call of kernels that some of them are for."""
    calls, rows = w.number.calls, numbers.number.shape[0]
    active = np.zeros((rows, calls.address.size), dtype=np.int64)
    for pairs_of, values in ((w.number.first, numbers.number), (w.number.second, numbers.body)):
        call = np.searchsorted(calls.extra_start, pairs_of.target.astype(np.int64), side="right") - 1
        for j in range(rows):
            active[j, call[values[j, pairs_of.source.astype(np.int64)] != 0.0]] = 1
    return numbers.replaced(active=active)


def _changes(layout: Layout, system: System, level: str) -> Changes:
    outputs = Outputs(layout, level)
    inputs = _Inputs(layout, outputs)
    if level == "tangent":
        first, second = inputs.take(inputs.coordinates), inputs.take(inputs.coordinates)
    else:
        first, second = inputs.take(inputs.numbers), inputs.take(inputs.bodies)
    row_of = np.full(len(layout.strains), -1, dtype=np.int64)
    row_of[system.rows.strain] = system.rows.place.astype(np.int64)
    return Changes(
        calls=outputs.calls(),
        state=inputs.state,
        first=first,
        second=second,
        strain=pairs(_of_strains(outputs, "strain")),
        rate=pairs(_of_strains(outputs, "rate")),
        row=_placed(_of_strains(outputs, "second"), row_of),
        force=_placed(outputs.of_coordinates("force"), system.coordinate_place),
    )


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
    """Further inputs of a level, taken one after another."""

    def __init__(self, layout: Layout, outputs: Outputs) -> None:
        self.outputs = outputs
        motion, axes, groups = Outputs(layout, "motion"), layout.model.dimension, layout.groups
        starts = np.cumsum([0] + [len(g.names) * len(g.kind.numbers) for g in groups])
        self.coordinates = [group.table for group in groups]
        self.strains = [group.firsts[:, None] + np.arange(len(group.kind.rows)) for group in groups]
        self.bodies = [motion.extra_table(g)[:, :axes] for g in range(len(groups))]
        self.numbers = [
            start + np.arange(len(g.names) * len(g.kind.numbers)).reshape(len(g.names), -1)
            for start, g in zip(starts, groups, strict=False)
        ]
        self.taken = [0] * len(groups)
        self.state = State(
            acceleration=self.take(self.coordinates), body=self.take(self.bodies), stress=self.take(self.strains)
        )

    def take(self, sources: Sequence[Ints]) -> Pairs:
        """(source, further input) of the next inputs of all elements."""
        found = [np.zeros((2, 0), dtype=np.int64)]
        for g, source in enumerate(sources):
            first, width = self.taken[g], source.shape[1]
            self.taken[g] += width
            if self.outputs.levels[g].entries:
                targets = self.outputs.extra_table(g)[:, first : first + width]
                found.append(np.array([source.ravel(), targets.ravel()]))
        return pairs(np.concatenate(found, axis=1))


def _of_strains(outputs: Outputs, wanted: str) -> Ints:
    """Rows (source, strain) of a quantity."""
    found = [np.zeros((2, 0), dtype=np.int64)]
    for group, source, i, _ in outputs.entries(wanted):
        found.append(np.array([source.ravel(), (group.firsts[:, None] + i).ravel()]))
    return np.concatenate(found, axis=1)


def _placed(found: Ints, place: Ints) -> Pairs:
    """Outputs whose target has a place in the solution."""
    there = place[found[1]] >= 0
    return Pairs(source=found[0, there], target=place[found[1, there]])


def _matched(outputs: Outputs, wanted: str, targets: Sequence[Ints]) -> Pairs:
    """(source, target) of a quantity whose rows are those of the targets of each element."""
    by_kind = {id(group): target for group, target in zip(outputs.layout.groups, targets, strict=True)}
    found = [np.zeros((2, 0), dtype=np.int64)]
    for group, source, i, _ in outputs.entries(wanted):
        found.append(np.array([source.ravel(), by_kind[id(group)][:, i].ravel()]))
    return pairs(np.concatenate(found, axis=1))
