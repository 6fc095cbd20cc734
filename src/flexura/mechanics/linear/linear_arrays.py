"""The arrays with which small motions about the states of a layout are computed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexura.derive.records import Ints
from flexura.errors import ModelError
from flexura.mechanics.core.factors import eliminate
from flexura.mechanics.core.index_arrays import floats, ints, pairs, triples
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import Pairs, System, Triples
from flexura.mechanics.linear.coordinate_map import Fed, Small, Solved, Targets
from flexura.mechanics.linear.linear_level import Entry, LinearLevel
from flexura.model.names import AXES, Address


class LinearArrays:
    """The rows of D_I, the coordinates that are not fixed, and what the kernels say of them."""

    def __init__(self, layout: Layout, system: System, independent: tuple[Address, ...]) -> None:
        self.layout, self.system, self.independent = layout, system, independent
        self.level = LinearLevel(layout)
        driven = [c for c, signal in layout.known.items() if signal is not None]
        self.columns = np.array([*layout.free, *driven], dtype=np.int64)
        """the coordinates that are not fixed"""
        rigid = [layout.strains[k] for k in layout.constraints if k not in layout.driven_strain]
        self.drives = tuple(layout.strains[k] for k in layout.driven_strain) + tuple(
            layout.coordinates[c] for c in driven
        )
        self.rows = [*rigid, *self.drives, *independent]
        self.held = len(rigid)
        if len(self.rows) != self.columns.size:
            what = f"{len(self.rows) - self.columns.size} of its constraints are redundant"
            raise ModelError("model", what, "let go of as many: flexura check names them")
        self.places = self.level.places
        self.entries = {name: np.array(found, dtype=np.int64).reshape(-1, 3).T for name, found in self.places.items()}
        """places as arrays: source, row, column"""

    # -- the arrays of compiled code ---------------------------------------------------------------------------

    def small(self) -> Small:
        """All of it for compiled code."""
        s, layout, count = self.system, self.layout, self.columns.size
        column_of = np.full(len(layout.coordinates), -1, dtype=np.int64)
        column_of[self.columns] = np.arange(count)
        self.column_of: Ints = column_of
        # what a row is: a strain, or a coordinate of its own
        strains = [layout.strain_index[a] if a.kind == "strain" else -1 for a in self.rows]
        coordinates = [layout.coordinate_index[a] if a.kind == "coordinate" else -1 for a in self.rows]
        slope = [entry for r, k in enumerate(strains) if k >= 0 for entry in self._slopes(k, r)]
        unit = [(r, int(column_of[c])) for r, c in enumerate(coordinates) if c >= 0]
        # rotations that are coordinates change with the nominal motion, not with themselves
        carried = {k for r, k in enumerate(strains) if r >= self.held and self.rows[r].internal}
        row_of = {k: r for r, k in enumerate(strains) if k >= 0}
        pattern = eliminate(
            2 * count,
            {(count + r, c) for _, r, c in slope} | {(count + r, c) for r, c in unit},
            {
                count + r: sorted({c for _, row, c in slope if row == r} | {c for row, c in unit if row == r})
                for r in range(count)
            },
        )
        sizes = [layout.size if layout.coordinates[c].component in AXES else 1.0 for c in self.columns]
        needed = {int(k): n for n, k in enumerate(s.laws.needed)}
        accelerations, weights, stresses = self.level.extra()
        width, laws = len(self.rows) - self.held, max(len(needed), 1)
        return Small(
            system=s,
            calls=self.level.calls(),
            column=self.columns,
            column_of=column_of,
            scale=floats(sizes),
            factors=pattern.factors,
            weight=floats(1.0 / size**2 for size in sizes),
            place=pattern.place,
            slope=triples(slope),
            slope_target=ints(pattern.entries[(count + r, c)] for _, r, c in slope),
            unit=pairs(unit),
            unit_target=ints(pattern.entries[(count + r, c)] for r, c in unit),
            change=self._of_rows("rate_x", "transport", row_of, carried),
            second=self._of_rows("second_x", "transport_rate", row_of, carried),
            mass=triples(list(self._masses())),
            force_v=self._of_coordinates("force_v"),
            force_x=self._of_coordinates("force_x"),
            law_slope=triples([entry for k, n in needed.items() for entry in self._slopes(k, n)]),
            law_rate=triples(
                [
                    (i, needed[k], int(column_of[c]))
                    for i, k, c in self.places["rate_x"]
                    if k in needed and column_of[c] >= 0
                ]
            ),
            law_pair=triples([(e, needed[k], needed[l]) for e, k, l in self.law_pairs()]),
            fed=self._fed(width),
            acceleration=pairs(accelerations),
            body=pairs(weights),
            stresses=pairs(stresses),
            targets=self._targets(strains, coordinates),
            stress=np.zeros(max(len(layout.strains), 1)),
            reaction=np.zeros(count),
            z=np.zeros(2 * count),
            residual=np.zeros(count),
            stiff=np.zeros(s.moduli.size),
            viscous=np.zeros(s.moduli.size),
            drives=ints([self.held, len(self.drives)]),
            solved=_room(count, width, width - len(self.drives), laws),
        )

    def _slopes(self, strain: int, row: int) -> Iterator[Entry]:
        """The slopes of a strain among the outputs of the motion level."""
        slopes = self.system.slopes
        for e in range(slopes.start[strain], slopes.start[strain + 1]):
            column = self.column_of[slopes.column[e]]
            if column >= 0:
                yield int(slopes.source[e]), row, int(column)

    def _of_rows(self, plain: str, carried: str, row_of: dict[int, int], own: set[int]) -> Triples:
        """The changes of the slopes of the rows."""
        entries = [(name, entry) for name in (plain, carried) for entry in self.places[name]]
        return triples(
            [
                (source, row_of[k], int(self.column_of[c]))
                for name, (source, k, c) in entries
                if k in row_of and self.column_of[c] >= 0 and (k in own) is (name == carried)
            ]
        )

    def _of_coordinates(self, name: str) -> Triples:
        found = ((source, self.column_of[i], self.column_of[j]) for source, i, j in self.places[name])
        return triples([(source, int(i), int(j)) for source, i, j in found if i >= 0 and j >= 0])

    def _masses(self) -> Iterator[Entry]:
        table = self.system.mass_all
        for source, i, j in zip(table.source, table.target, table.other, strict=True):
            row, column = int(self.column_of[i]), int(self.column_of[j])
            if row >= 0 and column >= 0:
                yield int(source), row, column
                if row != column:
                    yield int(source), column, row

    def _fed(self, width: int) -> Fed:
        """Loads and states that follow signals."""
        f, rates = self.system.feedback, self.places["rate_x"]
        signals, loads = f.signal.tolist(), f.load.tolist()
        measured: dict[int, list[int]] = {}
        for n, (strain, k, *_) in enumerate(signals):
            if strain:
                measured.setdefault(k, []).append(n)

        def entries(rows: list[list[int]]) -> Triples:
            return triples([entry for n, row in enumerate(rows) if row[0] for entry in self._slopes(row[1], n)])

        def units(rows: list[list[int]]) -> Pairs:
            found = [(n, int(self.column_of[row[1]])) for n, row in enumerate(rows) if not row[0]]
            return pairs([(n, column) for n, column in found if column >= 0])

        room = {name: np.zeros((len(signals), width)) for name in ("signal", "moved")}
        room |= {name: np.zeros((len(loads), width)) for name in ("by_place", "by_rate")}
        return Fed(
            value=np.zeros((len(loads), len(signals))),
            rated=ints(row[2] for row in signals),
            slope=entries(signals),
            rate=triples(
                [
                    (source, n, int(self.column_of[c]))
                    for source, k, c in rates
                    for n in measured.get(k, ())
                    if self.column_of[c] >= 0
                ]
            ),
            unit=units(signals),
            work=entries(loads),
            work_unit=units(loads),
            **room,
        )

    def law_pairs(self) -> Iterator[Entry]:
        """The number of a modulus, the strain whose stress it is of, and the strain that this depends on."""
        laws = self.system.laws
        for n, k in enumerate(laws.strain):
            for e in range(laws.start[n], laws.start[n + 1]):
                yield e, int(k), int(laws.other[e])
        for n, row in enumerate(laws.program):
            yield laws.other.size + n, int(laws.strain[row[0]]), int(laws.strain[row[0]])

    def _targets(self, strains: list[int], coordinates: list[int]) -> Targets:
        row_of = {int(k): r for r, k in enumerate(self.system.rows.strain)}
        driven = [row_of.get(k, -1) if k >= 0 else -1 for k in strains]
        for r in range(self.held, self.held + len(self.drives)):
            if coordinates[r] >= 0:
                driven[r] = -2
        return Targets(
            value=np.zeros(len(strains)),
            rate=np.zeros(len(strains)),
            second=np.zeros(len(strains)),
            strain=ints(strains),
            coordinate=ints(coordinates),
            driven=ints(driven),
        )


def _room(count: int, width: int, own: int, laws: int) -> Solved:
    """Empty tables of the right sizes."""
    heights = {
        **dict.fromkeys(("F", "P", "Q", "right", "on_mass", "on_rate", "on_place"), count),
        **dict.fromkeys(("strain", "rate", "stress"), laws),
        **dict.fromkeys(("mass", "damping", "stiffness"), own),
        "z": 2 * count,
    }
    tables = {name: np.zeros((height, width)) for name, height in heights.items()}
    return Solved(**tables, filled=np.zeros(2 * count, dtype=np.int64))
