"""Layout and kernels → the arrays of a :class:`~flexura.mechanics.core.system.System`."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any

import numpy as np

from flexura.derive.records import Floats, Ints
from flexura.mechanics.contact.friction_rows import grips_of
from flexura.mechanics.contact.gap_rows import gaps_of
from flexura.mechanics.core.element_numbers import number_places, tracked_places
from flexura.mechanics.core.factors import Pattern, eliminate
from flexura.mechanics.core.index_arrays import floats, ints, pairs, triples
from flexura.mechanics.core.kernel_outputs import Outputs
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import (
    Augmented,
    Feedback,
    Laws,
    Material,
    Mixed,
    Pairs,
    Reactions,
    Rows,
    Slopes,
    Switches,
    System,
    Touch,
    Triples,
)
from flexura.mechanics.motion.equations_of_motion import entries
from flexura.mechanics.preparation.drives import Driving
from flexura.mechanics.preparation.signal_programs import Formulas
from flexura.mechanics.preparation.strain_laws import laws_of
from flexura.model.names import Address

TOUCH = 1e-12
"""The distance, against the size of the model, at which surfaces touch."""


def _numbers(layout: Layout) -> Floats:
    return floats(n for g in layout.groups for row in g.numbers for n in row)


class Assembler:
    """Builds a System step by step; what is not needed by compiled code (names) stays in the layout.

    A ``stiff`` system has room for stiffness in its matrix, as implicit methods and statics need it; without, the
    matrix holds masses and constraints alone, and its factors are leaner.
    """

    def __init__(
        self, layout: Layout, stiff: bool = False, switched: bool = False, formulas: Formulas | None = None
    ) -> None:
        self.layout = layout
        self.stiff = stiff
        self.squared: Iterable[int] = ()
        """the held strains whose squares are added to the matrix"""
        self.motion = Outputs(layout, "motion")
        self.balance = Outputs(layout, "balance") if stiff else Outputs(layout, "motion")
        self.shape = Outputs(layout, "strain")
        self.geometric = Outputs(layout, "geometric")
        self.momentum = Outputs(layout, "momentum")
        self.track = Outputs(layout, "track")
        self.free = layout.free
        self.switched = layout.switched if switched else []
        """the strains that are held at times"""
        self.row_of = {strain: r for r, strain in enumerate([*layout.constraints, *self.switched])}
        self.unknown = {c: u for u, c in enumerate(self.free)}
        self.multiplier = {strain: len(self.free) + r for strain, r in self.row_of.items()}
        self._collect()
        self.pattern = self._pattern()
        self.driving = Driving(layout, self.motion, self.momentum, self.row_of, formulas)

    @property
    def formulas(self) -> Formulas:
        """The programs, which other layouts of the model may share."""
        return self.driving.formulas

    @property
    def with_mass(self) -> tuple[bool, ...]:
        """Whether each group of elements has material that moves."""
        return tuple(bool(level.entries) for level in self.momentum.levels)

    def _collect(self) -> None:
        """Sort the outputs of the motion level by what they are."""
        self.strain_source: dict[int, int] = {}
        self.convection_source: dict[int, int] = {}
        self.slope_entries: list[list[tuple[int, int]]] = [[] for _ in self.layout.strains]
        self.mass_entries: list[tuple[int, int, int]] = []
        self.force_entries: list[tuple[int, int]] = []
        for group, e, quantity, i, j, source in self.motion.each():
            coordinates = group.coordinates[e]
            if quantity == "mass":
                self.mass_entries.append((source, coordinates[i], coordinates[j]))
            elif quantity == "force":
                self.force_entries.append((source, coordinates[i]))
            else:
                strain = group.strain_start[e] + i
                if quantity == "strain":
                    self.strain_source[strain] = source
                elif quantity == "convection":
                    self.convection_source[strain] = source
                else:
                    self.slope_entries[strain].append((source, coordinates[j]))

    def _pattern(self) -> Pattern:
        """Coordinates are coupled by masses; in a stiff system every pair of an element's coordinates is."""
        pairs: set[tuple[int, int]] = set()
        coupled = [(i, j) for _, i, j in self.mass_entries]
        if self.stiff:
            coupled = [(i, j) for indices in self.layout.element_coordinates.values() for i in indices for j in indices]
        for strain in self.squared:
            columns = [c for _, c in self.slope_entries[strain]]
            coupled += [(i, j) for i in columns for j in columns]
        pairs |= {(self.unknown[i], self.unknown[j]) for i, j in coupled if i in self.unknown and j in self.unknown}
        multipliers = {}
        for strain, row in self.multiplier.items():
            columns = sorted({self.unknown[c] for _, c in self.slope_entries[strain] if c in self.unknown})
            multipliers[row] = columns
            pairs |= {(row, c) for c in columns}
        return eliminate(len(self.free) + len(self.multiplier), pairs, multipliers)

    def _at(self, i: int, j: int) -> int:
        """Where the entry of two unknowns is in the matrix."""
        return self.pattern.entries[(i, j)]

    # -- the system --------------------------------------------------------------------------------------------

    def system(self) -> System:
        """All arrays together."""
        layout = self.layout
        laws = laws_of(self.layout, self.driving)
        motion = self.motion.calls()
        motion.extra[:] = self.driving.driven.body_base
        return System(
            entry=entries(),
            index=ints(c for g in layout.groups for row in g.coordinates for c in row),
            number=_numbers(layout),
            motion=motion,
            balance=self.balance.calls(self.stiff, into=motion.out),
            balance_body=self._balance_body(),
            balance_acceleration=self._balance_acceleration(),
            shape=self.shape.calls(),
            geometric=self.geometric.calls(self.stiff),
            momentum=self.momentum.calls(not layout.condensed or self.driving.driven.body.size > 0),
            track=self.track.calls(),
            track_target=self._track_target(),
            mass_all=triples(self.mass_entries),
            augmented=self._augmented({}),
            laws=laws,
            driven=self.driving.driven,
            feedback=self._feedback(),
            touch=self._touch(),
            reactions=self._reactions(),
            geometric_stress=ints(
                group.strain_start[e] + i
                for group, level in zip(layout.groups, self.geometric.levels, strict=True)
                for e in range(len(group.names))
                for i in range(level.extra)
            ),
            program=self.driving.program,
            strain=np.zeros(len(layout.strains)),
            rate=np.zeros(len(layout.strains)),
            moduli=np.zeros(laws.other.size + len(laws.program) + len(self.driving.feedback.pair)),
            held=np.zeros(len(self.row_of)),
            power=np.zeros(2),
            **self._ordered(laws),
        )

    def _ordered(self, laws: Laws) -> dict[str, Any]:
        """What depends on the order in which the unknowns are eliminated."""
        layout, pattern = self.layout, self.pattern
        place = np.full(len(layout.coordinates), -1, dtype=np.int64)
        for c, u in self.unknown.items():
            place[c] = pattern.place[u]
        self.place = place
        unknowns = len(self.free) + len(self.row_of)
        return {
            "slopes": self._slopes(self.motion),
            "shape_slopes": self._slopes(self.shape),
            "mass": self._mass(),
            "force": pairs([(s, int(place[c])) for s, c in self.force_entries if place[c] >= 0]),
            "coupling": self._coupling(),
            "rows": self._rows(),
            "switches": self._switches(),
            "gaps": gaps_of(layout if self.switched else None, unknowns),
            "grips": grips_of(layout if self.switched else None, self._multiplier_places(), unknowns),
            "geometric_entries": self._geometric_entries(),
            "material": self._material(laws),
            "mixed": self._mixed(laws),
            "factors": pattern.factors,
            "z": np.zeros(unknowns),
            "free": ints(self.free),
            "place": ints(place[c] for c in self.free),
            "coordinate_place": place,
            "pivot": np.ones(unknowns),
        }

    def augmented(self, system: System, weights: dict[int, float]) -> System:
        """The system with the squares of these held strains added to its matrix, in place of the one without."""
        other, ordered = self, dict[str, Any]()
        # a stiff one has room for them
        if not self.stiff:
            other = copy(self)
            other.squared = weights
            other.pattern = other._pattern()
            ordered = other._ordered(system.laws)
        replaced: System = system.replaced(**ordered, augmented=other._augmented(weights))
        return replaced

    def changed(self, layout: Layout, system: System) -> System:
        """The system of a layout that is alike but for its numbers, sharing all that does not depend on them."""
        self.layout = layout
        self.driving = Driving(layout, self.motion, self.momentum, self.row_of)
        replaced: System = system.replaced(
            number=_numbers(layout),
            motion=system.motion.replaced(extra=self.driving.driven.body_base.copy()),
            laws=laws_of(self.layout, self.driving),
            driven=self.driving.driven,
            feedback=self._feedback(),
            program=self.driving.program,
        )
        return replaced

    def _feedback(self) -> Feedback:
        """What follows signals; the masses of states are the last."""
        states = set(self.layout.integral_index)
        feedback = self.driving.feedback
        feedback.working[1] = sum(i not in states for _, i, _ in self.mass_entries)
        return feedback

    def _touch(self) -> Touch:
        """The gaps of elements that have a law."""
        acting = dict.fromkeys(a.owner for a in self.formulas.by_element)
        gaps = [Address("strain", name, gap) for name in acting for gap in self.layout.names.elements[name].gaps]
        return Touch(
            strain=ints(self.layout.strain_index[gap] for gap in gaps), near=floats([TOUCH * self.layout.size])
        )

    def _balance_body(self) -> Pairs:
        """Where the body forces of the motion level stand in the balance level."""
        axes = self.layout.model.dimension
        motion, balance = dict(self.motion.extra_places()), dict(self.balance.extra_places())
        return pairs([(motion[name] + i, place + i) for name, place in balance.items() for i in range(axes)])

    def _balance_acceleration(self) -> Pairs:
        """Where the accelerations of the coordinates stand in the balance level."""
        axes, found = self.layout.model.dimension, list[tuple[int, int]]()
        for name, place in self.balance.extra_places() if self.stiff else ():
            found += [(c, place + axes + i) for i, c in enumerate(self.layout.element_coordinates[name])]
        return pairs(found)

    def _track_target(self) -> Ints:
        where = number_places(self.layout)
        return ints(where[place] for place in tracked_places(self.layout))

    def _slopes(self, outputs: Outputs) -> Slopes:
        strain = np.zeros(len(self.layout.strains), dtype=np.int64)
        convection = np.zeros(len(self.layout.strains), dtype=np.int64)
        entries: list[list[tuple[int, int]]] = [[] for _ in self.layout.strains]
        for group, e, quantity, i, j, source in outputs.each():
            if quantity == "strain":
                strain[group.strain_start[e] + i] = source
            elif quantity == "convection":
                convection[group.strain_start[e] + i] = source
            elif quantity == "slope":
                entries[group.strain_start[e] + i].append((source, group.coordinates[e][j]))
        flat = [pair for row in entries for pair in row]
        return Slopes(
            strain=strain,
            convection=convection,
            start=ints(np.cumsum([0] + [len(row) for row in entries])),
            source=ints(s for s, _ in flat),
            column=ints(c for _, c in flat),
            target=ints(self.place[c] for _, c in flat),
        )

    def _mass(self) -> Pairs:
        return pairs(
            [
                (s, self._at(self.unknown[i], self.unknown[j]))
                for s, i, j in self.mass_entries
                if i in self.unknown and j in self.unknown
            ]
        )

    def _coupling(self) -> Triples:
        """What the accelerations of driven coordinates put on the right-hand side."""
        driven = set(self.driving.coordinates)
        found = []
        for s, i, j in self.mass_entries:
            if i in driven and j in self.unknown:
                found.append((s, int(self.place[j]), i))
            if j in driven and i in self.unknown:
                found.append((s, int(self.place[i]), j))
        for strain, row in self.multiplier.items():
            where = int(self.pattern.place[row])
            found += [(s, where, c) for s, c in self.slope_entries[strain] if c in driven]
        return triples(found)

    def _rows(self) -> Rows:
        entries = [
            (s, self._at(row, self.unknown[c]))
            for strain, row in self.multiplier.items()
            for s, c in self.slope_entries[strain]
            if c in self.unknown
        ]
        count = len(self.row_of)
        scale = [
            self.layout.size if self.layout.unit(self.layout.strains[strain]) == "m" else 1.0 for strain in self.row_of
        ]
        return Rows(
            strain=ints(self.row_of),
            place=ints(self.pattern.place[row] for row in self.multiplier.values()),
            convection=ints(self.convection_source[strain] for strain in self.row_of),
            entries=pairs(entries),
            position=np.zeros(count),
            velocity=np.zeros(count),
            acceleration=np.zeros(count),
            scale=floats(scale),
        )

    def _multiplier_places(self) -> dict[int, int]:
        return {strain: int(self.pattern.place[row]) for strain, row in self.multiplier.items()}

    def _switches(self) -> Switches:
        places = self._multiplier_places()
        targets = [
            [
                self._at(self.multiplier[strain], self.unknown[c])
                for _, c in self.slope_entries[strain]
                if c in self.unknown
            ]
            for strain in self.switched
        ]
        return Switches(
            strain=ints(self.switched),
            place=ints(places[strain] for strain in self.switched),
            start=ints(np.cumsum([0] + [len(row) for row in targets])),
            target=ints(place for row in targets for place in row),
            on=np.zeros(len(self.switched), dtype=np.int64),
        )

    def _augmented(self, weights: dict[int, float]) -> Augmented:
        starts, sources, places, target_starts, targets = [0], [], [], [0], []
        for strain in weights:
            entries = [(s, self.unknown[c]) for s, c in self.slope_entries[strain] if c in self.unknown]
            sources += [s for s, _ in entries]
            places += [int(self.pattern.place[u]) for _, u in entries]
            starts.append(len(sources))
            targets += [self._at(i, j) for a, (_, i) in enumerate(entries) for _, j in entries[a:]]
            target_starts.append(len(targets))
        return Augmented(
            row=ints(self.row_of[strain] for strain in weights),
            weight=floats(weights.values()),
            start=ints(starts),
            source=ints(sources),
            place=ints(places),
            target_start=ints(target_starts),
            target=ints(targets),
        )

    def _material(self, laws: Laws) -> Material:
        """The products that make Σ ∂ε_k/∂x_i S_kl ∂ε_l/∂x_j, each pair of unknowns once."""
        terms = [
            (int(laws.strain[n]), int(laws.other[e]), e)
            for n in range(laws.strain.size)
            for e in range(laws.start[n], laws.start[n + 1])
        ]
        terms += [
            (int(laws.strain[row[0]]),) * 2 + (laws.other.size + n,) for n, row in enumerate(laws.program.tolist())
        ]
        for n, (k, l) in enumerate(self.driving.feedback.pair.tolist(), start=laws.other.size + len(laws.program)):
            terms += [(k, l, n)] + [(l, k, n)] * (k != l)
        left, right, modulus, target = [], [], [], []
        for k, l, e in terms if self.stiff else ():
            for a, ca in self.slope_entries[k]:
                for b, cb in self.slope_entries[l]:
                    i, j = self.unknown.get(ca, -1), self.unknown.get(cb, -1)
                    if i >= j >= 0:
                        left.append(a)
                        right.append(b)
                        modulus.append(e)
                        target.append(self._at(i, j))
        return Material(left=ints(left), right=ints(right), modulus=ints(modulus), target=ints(target))

    def _mixed(self, laws: Laws) -> Mixed:
        """What meets in the free coordinates."""

        def slopes(strains: Iterable[int]) -> Triples:
            entries = [(s, c, k) for k in strains for s, c in self.slope_entries[k] if c in self.unknown]
            return triples([(s, int(self.place[c]), k) for s, c, k in entries])

        law, count = slopes(laws.needed.tolist()), len(self.layout.strains)
        return Mixed(
            held=slopes(self.row_of),
            law=law,
            slope=np.zeros(law.source.size),
            demand=np.zeros(count),
            gap=np.zeros(count),
            change=np.zeros(count),
        )

    def _reactions(self) -> Reactions:
        """All that meets in the known coordinates, the driven ones first."""
        driven = set(self.driving.coordinates)

        def ordered(rows: list[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], int]:
            first = [row for row in rows if row[1] in driven]
            return first + [row for row in rows if row[1] not in driven], len(first)

        mass: list[tuple[int, ...]] = []
        for s, i, j in self.mass_entries:
            mass.append((s, i, j))
            if i != j:
                mass.append((s, j, i))
        slope = [(s, c, k) for k, row in enumerate(self.slope_entries) for s, c in row]
        mass, n_mass = ordered(mass)
        force, n_force = ordered(list(self.force_entries))
        slopes, n_slope = ordered(list(slope))
        return Reactions(
            mass=triples(mass), force=pairs(force), slope=triples(slopes), driven=ints([n_mass, n_force, n_slope])
        )

    def _geometric_entries(self) -> Pairs:
        found = []
        for group, e, _, i, j, source in self.geometric.each() if self.stiff else ():
            a, b = group.coordinates[e][i], group.coordinates[e][j]
            if a in self.unknown and b in self.unknown:
                found.append((source, self._at(self.unknown[a], self.unknown[b])))
        return pairs(found)
