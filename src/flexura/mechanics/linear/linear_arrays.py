"""Arrays for the computation of small motions about the states of a layout."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Floats, Ints
from flexura.errors import ModelError
from flexura.mechanics.core.elimination_order import eliminate
from flexura.mechanics.core.index_arrays import floats, ints, pairs, triples
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.slope_table import SlopeTable, spread
from flexura.mechanics.core.system import Pairs, System, Triples
from flexura.mechanics.linear.coordinate_map import Fed, Small, Solved, Targets
from flexura.mechanics.linear.linear_level import LinearLevel
from flexura.model.names import Address


class LinearArrays:
    """Rows of D_I, the coordinates that are not fixed, and the kernel outputs for them."""

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
            raise ModelError("model", what, "release as many: flexura check names them")
        self.places = self.level.places
        """(source, row, column) of each quantity of the linear level"""
        self.table = SlopeTable(
            system.slopes.start, *(a.astype(np.int64) for a in (system.slopes.source, system.slopes.column))
        )
        self.column_of: Ints = np.full(len(layout.coordinates), -1, dtype=np.int64)
        self.column_of[self.columns] = np.arange(self.columns.size)

    # -- the arrays of compiled code ---------------------------------------------------------------------------

    def small(self) -> Small:
        """Arrays for compiled code."""
        s, layout, count = self.system, self.layout, self.columns.size
        # each row is a strain, or an independent coordinate
        strains = ints(layout.strain_index[a] if a.kind == "strain" else -1 for a in self.rows)
        coordinates = ints(layout.coordinate_index[a] if a.kind == "coordinate" else -1 for a in self.rows)
        slope = self._slopes(strains)
        own = np.flatnonzero(coordinates >= 0)
        unit = np.array([own, self.column_of[coordinates[own]]])
        # rotations as coordinates change with the nominal motion, not with themselves
        internal = [r for r in range(self.held, count) if strains[r] >= 0 and self.rows[r].internal]
        pattern = eliminate(
            2 * count, count + np.append(slope[1], unit[0]), np.append(slope[2], unit[1]), coordinates=count
        )
        needed = _numbers(s.laws.needed, len(layout.strains))
        accelerations, weights, stresses = self.level.extra()
        width, laws = len(self.rows) - self.held, max(s.laws.needed.size, 1)
        modulus, strain, other = self.law_pairs()
        return Small(
            system=s,
            calls=self.level.calls(),
            column=self.columns,
            column_of=self.column_of,
            **self.scales(),
            factors=pattern.factors,
            place=pattern.place,
            slope=triples(slope),
            slope_target=pattern.at(count + slope[1], slope[2]),
            unit=pairs(unit),
            unit_target=pattern.at(count + unit[0], unit[1]),
            change=self._of_rows("rate_x", "transport", strains, internal),
            second=self._of_rows("second_x", "transport_rate", strains, internal),
            mass=self._masses(),
            force_v=self._of_coordinates("force_v"),
            force_x=self._of_coordinates("force_x"),
            law_slope=triples(self._slopes(s.laws.needed)),
            law_rate=self._columns(self.places["rate_x"], needed),
            law_pair=triples(np.array([modulus, needed[strain], needed[other]])),
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

    def scales(self) -> dict[str, Floats]:
        """Sizes of the columns that count as one, and weights of their squares."""
        sizes = [self.layout.extent(self.layout.coordinates[c]) for c in self.columns]
        return {"scale": floats(sizes), "weight": floats(1.0 / size**2 for size in sizes)}

    def _slopes(self, strains: Ints) -> Ints:
        """(source, index in ``strains``, column) of the slopes of strains at the motion level; -1 for none."""
        members = np.flatnonzero(strains >= 0)
        which, source, coordinate = self.table.of(strains[members])
        column = self.column_of[coordinate]
        return np.array([source, members[which], column])[:, column >= 0]

    def _columns(self, found: Ints, row_of: Ints) -> Triples:
        """Entries (source, k, coordinate) with renumbered k and coordinate; -1 leaves an entry out."""
        source, row, column = found[0], row_of[found[1]], self.column_of[found[2]]
        return triples(np.array([source, row, column])[:, (row >= 0) & (column >= 0)])

    def _of_rows(self, plain: str, carried: str, strains: Ints, internal: list[int]) -> Triples:
        """Changes of the slopes of the rows; those of internal strains are as ``carried``."""
        row_of = _numbers(strains, len(self.layout.strains))
        own = np.zeros(row_of.size, dtype=bool)
        own[strains[internal]] = True
        found = [
            self.places[name][:, own[self.places[name][1]] == inside]
            for name, inside in ((plain, False), (carried, True))
        ]
        return self._columns(np.concatenate(found, axis=1), row_of)

    def _of_coordinates(self, name: str) -> Triples:
        return self._columns(self.places[name], self.column_of)

    def _masses(self) -> Triples:
        table = self.system.mass_all
        source, i, j = (part.astype(np.int64) for part in (table.source, table.target, table.other))
        off = i != j
        both = np.concatenate([[source, i, j], [source[off], j[off], i[off]]], axis=1)
        return self._columns(both, self.column_of)

    def _fed(self, width: int) -> Fed:
        """Loads and states that depend on signals."""
        signals, loads = self.system.feedback.signal, self.system.feedback.load

        def entries(rows: Ints) -> Triples:
            return triples(self._slopes(np.where(rows[:, 0] == 1, rows[:, 1], -1)))

        def units(rows: Ints) -> Pairs:
            own = np.flatnonzero(rows[:, 0] == 0)
            found = np.array([own, self.column_of[rows[own, 1]]])
            return pairs(found[:, found[1] >= 0])

        # several signals may depend on one strain
        members = np.flatnonzero(signals[:, 0] == 1)
        members = members[np.argsort(signals[members, 1], kind="stable")]
        start = np.searchsorted(signals[members, 1], np.arange(len(self.layout.strains) + 1))
        which, entry = spread(start, self.places["rate_x"][1])
        source, _, column = self.places["rate_x"][:, which]
        rates = np.array([source, members[entry], self.column_of[column]])
        room = {name: np.zeros((len(signals), width)) for name in ("signal", "moved")}
        room |= {name: np.zeros((len(loads), width)) for name in ("by_place", "by_rate")}
        return Fed(
            value=np.zeros((len(loads), len(signals))),
            rated=signals[:, 2],
            slope=entries(signals),
            rate=triples(rates[:, rates[2] >= 0]),
            unit=units(signals),
            work=entries(loads),
            work_unit=units(loads),
            **room,
        )

    def law_pairs(self) -> Ints:
        """Rows (modulus, strain of the stress, strain that it depends on)."""
        laws = self.system.laws
        strain, program = np.repeat(laws.strain, np.diff(laws.start)), laws.strain[laws.program[:, 0]]
        modulus = np.arange(laws.other.size + program.size)
        return np.array([modulus, np.append(strain, program), np.append(laws.other, program)])

    def _targets(self, strains: Ints, coordinates: Ints) -> Targets:
        row_of = _numbers(self.system.rows.strain, len(self.layout.strains))
        driven = np.where(strains >= 0, np.append(row_of, -1)[strains], -1)
        drives = np.arange(self.held, self.held + len(self.drives))
        driven[drives[coordinates[drives] >= 0]] = -2
        return Targets(
            value=np.zeros(len(strains)),
            rate=np.zeros(len(strains)),
            second=np.zeros(len(strains)),
            strain=strains,
            coordinate=coordinates,
            driven=driven,
        )


def _numbers(members: Ints, count: int) -> Ints:
    """Index of each of ``count`` items among the members, -1 if absent; members of -1 are skipped."""
    number = np.full(count, -1, dtype=np.int64)
    number[members[members >= 0]] = np.flatnonzero(members >= 0)
    return number


def _room(count: int, width: int, own: int, laws: int) -> Solved:
    """Empty tables of the required sizes."""
    heights = {
        **dict.fromkeys(("F", "P", "Q", "right", "on_mass", "on_rate", "on_place"), count),
        **dict.fromkeys(("strain", "rate", "stress"), laws),
        **dict.fromkeys(("mass", "damping", "stiffness"), own),
        "z": 2 * count,
    }
    tables = {name: np.zeros((height, width)) for name, height in heights.items()}
    return Solved(**tables, filled=np.zeros(2 * count, dtype=np.int64))
