"""Blocks of columns: changes of a system along several directions at once, one direction for each column.

A kernel of a tangent level runs over pairs of an element and a column in the same way as over elements: its
rows of indices and numbers are those of the element, repeated. Tables have a row for each strain, coordinate or
unknown and an entry for each direction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from flexura.derive.kernels import Level, compile_kernel, derive
from flexura.derive.kinds import Kind
from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record
from flexura.mechanics.core.element_groups import Group
from flexura.mechanics.core.index_arrays import ints, pairs
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import Calls, Pairs, System
from flexura.mechanics.linear.variation_tables import Numbers, State, body_places, number_places_of


class ColumnCalls(Record):
    """Kernels of a tangent level over pairs of an element and a column."""

    calls: Calls
    index: Ints
    number: Floats
    numbers: Pairs
    """numbers of the system that the rows repeat"""
    tracked: Pairs
    """tracked numbers among them, which follow the motion"""
    state: State
    first: Pairs
    second: Pairs
    """changes: of positions and rates, or of numbers and body forces"""
    strain: Pairs
    rate: Pairs
    row: Pairs
    """second derivatives of held strains into the right-hand sides"""
    force: Pairs
    """forces on free coordinates, likewise"""


class LawChanges(Record):
    """Non-zero changes of the stresses of laws with their numbers."""

    entry: IntTable
    """(strain of the law, column, strain that the law depends on or -1, 1 for its rate) of each"""
    value: Floats


class ColumnBlock(Record):
    """Index lists and memory for the changes along a number of directions."""

    state: ColumnCalls
    number: ColumnCalls
    laws: LawChanges
    number_of: FloatTable
    body_of: FloatTable
    law_of: FloatTable
    """changes of the numbers of elements, of body forces and of the constants of laws of elements, one row each"""
    z: FloatTable
    strain: FloatTable
    rate: FloatTable
    stress: FloatTable
    signal: FloatTable
    z_entries: Floats
    strain_entries: Floats
    rate_entries: Floats
    """the first of these tables, row by row"""
    timed: Ints
    """columns that formulas of time depend on"""
    code: Ints
    """addresses of functions of its own, 0 without: of the whole change, or of its parts before and after laws"""


WHOLE, ELEMENTS, SOLUTION = range(3)
"""Places in ``ColumnBlock.code``."""


class _Rows(NamedTuple):
    """Pairs of an element and a column for the kernel of one group."""

    group: int
    element: Ints
    column: Ints


class KeepCalls(Protocol):
    """Memory of index lists, which follow from the structure of a model and a key."""

    def __call__(self, key: object, compute: Callable[[], ColumnCalls]) -> ColumnCalls:
        """Lists of a key, computed once."""


def column_block(layout: Layout, system: System, changes: Numbers, timed: Ints, keep: KeepCalls) -> ColumnBlock:
    """Block for changes of numbers, one column for each row of them; formulas of time depend on the ``timed`` ones."""
    count = changes.number.shape[0]
    z, strain, rate, stress = (np.zeros((rows, count)) for rows in (system.z.size, *[max(system.strain.size, 1)] * 3))
    every = [_all_pairs(g, len(group.names), count) for g, group in enumerate(layout.groups)]
    some = _changing(layout, system, changes)
    pattern = tuple(part.tobytes() for own in some for part in (own.element, own.column))
    state = keep(("tangent", id(system), count), lambda: _Columns(layout, system, "tangent", count).calls(every))
    number = keep(
        ("tangent_by_number", id(system), count, pattern),
        lambda: _Columns(layout, system, "tangent_by_number", count).calls(some),
    )
    return ColumnBlock(
        state=state,
        # changes of numbers stay in the inputs of the kernels: those of one block are not those of another
        number=number.replaced(calls=number.calls.replaced(extra=np.zeros_like(number.calls.extra))),
        laws=_law_changes(system, changes),
        number_of=np.ascontiguousarray(changes.number.T),
        body_of=np.ascontiguousarray(changes.body.T),
        law_of=np.ascontiguousarray(changes.law.T),
        z=z,
        strain=strain,
        rate=rate,
        stress=stress,
        z_entries=z.ravel(),
        strain_entries=strain.ravel(),
        rate_entries=rate.ravel(),
        signal=np.zeros((len(system.feedback.signal), count)),
        timed=timed,
        code=np.zeros(3, dtype=np.int64),
    )


def kinds_in(layout: Layout, system: System, changes: Numbers) -> tuple[list[Kind], list[Kind]]:
    """Kinds of elements whose kernels run, by the state and by numbers."""
    count = changes.number.shape[0]
    every = [_all_pairs(g, len(group.names), count) for g, group in enumerate(layout.groups)]
    levels = (("tangent", every), ("tangent_by_number", _changing(layout, system, changes)))
    state, number = (
        [kind for own in rows if _level(kind := layout.groups[own.group].kind, level, own) is not None]
        for level, rows in levels
    )
    return state, number


def _level(kind: Kind, level: str, own: _Rows) -> Level | None:
    """Kernel for some pairs; None if there is nothing to compute."""
    found = derive(kind, level, own.element.size)
    return found if found.entries and own.element.size else None


def renew_numbers(system: System, block: ColumnBlock) -> None:
    """Copy the numbers of a system, and the changes of numbers, to the rows of the kernels."""
    for own in (block.state, block.number):
        own.number[own.numbers.target] = system.number[own.numbers.source]
    extra = block.number.calls.extra
    extra[block.number.first.target] = block.number_of.ravel()[block.number.first.source]
    extra[block.number.second.target] = block.body_of.ravel()[block.number.second.source]


def _all_pairs(group: int, elements: int, columns: int) -> _Rows:
    return _Rows(group, np.repeat(np.arange(elements), columns), np.tile(np.arange(columns), elements))


def _changing(layout: Layout, system: System, changes: Numbers) -> list[_Rows]:
    """Pairs of elements and columns with changes of numbers; tracked numbers may change in all columns."""
    moving = changes.number != 0.0
    moving[:, system.track_target] = True
    bodies, found = body_places(layout), list[_Rows]()
    for g, numbers in enumerate(number_places_of(layout)):
        some = moving[:, numbers].any(axis=2) | (changes.body[:, bodies[g]] != 0.0).any(axis=2)
        column, element = np.nonzero(some)
        found.append(_Rows(g, element, column))
    return found


def _law_changes(system: System, changes: Numbers) -> LawChanges:
    laws = system.laws
    of = np.repeat(np.arange(laws.strain.size), np.diff(laws.start))
    entries, values = [np.zeros((0, 4), dtype=np.int64)], [np.zeros(0)]
    parts = [(changes.preload, laws.strain, None, 0), (changes.stiffness, laws.strain[of], laws.other, 0)]
    if laws.rated[0]:
        parts.append((changes.damping, laws.strain[of], laws.other, 1))
    for table, stress, strain, rate in parts:
        column, n = np.nonzero(table)
        of_strain = np.full(n.size, -1) if strain is None else strain[n].astype(np.int64)
        entries.append(np.stack([stress[n], column, of_strain, np.full(n.size, rate)], axis=1))
        values.append(table[column, n])
    return LawChanges(entry=np.ascontiguousarray(np.concatenate(entries)), value=np.concatenate(values))


class _Columns:
    """Index lists of one tangent level."""

    def __init__(self, layout: Layout, system: System, level: str, count: int) -> None:
        self.layout, self.system, self.level, self.count = layout, system, level, count
        groups = layout.groups
        self.numbers, bodies = number_places_of(layout), body_places(layout)
        coordinates = [group.table for group in groups]
        strains = [group.firsts[:, None] + np.arange(len(group.kind.rows)) for group in groups]
        self.state_inputs = {"acceleration": coordinates, "body": bodies, "stress": strains}
        if level == "tangent":
            self.inputs = {"first": coordinates, "second": coordinates}
        else:
            self.inputs = {"first": self.numbers, "second": bodies}
        self.row_of = np.full(len(layout.strains), -1, dtype=np.int64)
        self.row_of[system.rows.strain] = system.rows.place.astype(np.int64)

    def calls(self, rows: list[_Rows]) -> ColumnCalls:
        """Kernels over some pairs of elements and columns, group by group."""
        found: dict[str, list[Ints]] = {}
        kept, starts, index, number = list[tuple[_Rows, Level]](), [(0, 0, 0, 0)], list[Ints](), list[Ints]()
        for own in rows:
            group = self.layout.groups[own.group]
            level = _level(group.kind, self.level, own)
            if level is None:
                continue
            self._list(found, own, group, level, starts[-1])
            index.append(group.table[own.element].ravel())
            number.append(self.numbers[own.group][own.element].ravel())
            widths = (index[-1].size, number[-1].size, own.element.size * level.extra)
            ends = (*widths, own.element.size * len(level.entries))
            starts.append(tuple(a + b for a, b in zip(starts[-1], ends, strict=True)))  # type: ignore[arg-type]
            kept.append((own, level))
        return self._joined(found, kept, np.array(starts, dtype=np.int64), index, number)

    def _list(
        self, found: dict[str, list[Ints]], own: _Rows, group: Group, level: Level, start: tuple[int, int, int, int]
    ) -> None:
        """Inputs and outputs of one group."""
        first, pairs_of = start[2], own.element.size
        at = first + level.extra * np.arange(pairs_of)[:, None]
        for name, tables in {**self.state_inputs, **self.inputs}.items():
            source = tables[own.group][own.element]
            if name in self.inputs:
                source = source * self.count + own.column[:, None]
            found.setdefault(name, []).append(np.array([source.ravel(), (at + np.arange(source.shape[1])).ravel()]))
            at = at + source.shape[1]
        out = start[3] + len(level.entries) * np.arange(pairs_of)[:, None]
        for quantity in level.by_quantity:
            k, i, _ = level.by_quantity[quantity]
            coordinates = group.table[own.element][:, i] if quantity == "force" else None
            strains = group.firsts[own.element][:, None] + i
            for name, place in self._targets(quantity, strains, coordinates).items():
                target = np.where(place >= 0, place * self.count + own.column[:, None], -1)
                both = np.array([(out + k).ravel(), target.ravel()])
                found.setdefault(name, []).append(both[:, both[1] >= 0])

    def _targets(self, quantity: str, strains: Ints, coordinates: Ints | None) -> dict[str, Ints]:
        """Places of an output in tables."""
        if coordinates is not None:
            return {"force": self.system.coordinate_place[coordinates].astype(np.int64)}
        return {"row": self.row_of[strains]} if quantity == "second" else {quantity: strains}

    def _joined(
        self,
        found: dict[str, list[Ints]],
        kept: list[tuple[_Rows, Level]],
        starts: Ints,
        index: list[Ints],
        number: list[Ints],
    ) -> ColumnCalls:
        none, flat = np.zeros((2, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)

        def of(name: str) -> Pairs:
            return pairs(np.concatenate([none, *found.get(name, [])], axis=1))

        source = np.concatenate([flat, *number])
        every = np.array([source, np.arange(source.size)])
        return ColumnCalls(
            calls=Calls(
                address=ints(compile_kernel(level.source) for _, level in kept),
                count=ints(own.element.size for own, _ in kept),
                index_start=starts[:-1, 0].copy(),
                number_start=starts[:-1, 1].copy(),
                extra_start=starts[:-1, 2].copy(),
                out_start=starts[:-1, 3].copy(),
                step=np.zeros((len(kept), 4), dtype=np.int64),
                extra=np.zeros(max(int(starts[-1, 2]), 1)),
                out=np.zeros(max(int(starts[-1, 3]), 1)),
            ),
            index=np.concatenate([flat, *index]),
            number=np.zeros(source.size),
            numbers=pairs(every),
            tracked=pairs(every[:, np.isin(source, self.system.track_target)]),
            state=State(acceleration=of("acceleration"), body=of("body"), stress=of("stress")),
            first=of("first"),
            second=of("second"),
            strain=of("strain"),
            rate=of("rate"),
            row=of("row"),
            force=of("force"),
        )
