"""Layout and kernels → the arrays of a :class:`~flexura.mechanics.core.system.System`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from flexura.derive.records import Floats, Ints
from flexura.elements.contacts import ends_by_force, takes_time
from flexura.mechanics.contact.friction_rows import friction_numbers, grips_of
from flexura.mechanics.contact.gap_rows import gaps_of, impact_numbers
from flexura.mechanics.contact.mode_rows import modes_of
from flexura.mechanics.contact.share_rows import shares_of
from flexura.mechanics.core.changed_elements import Changes
from flexura.mechanics.core.element_numbers import first_numbers, number_places, tracked_places
from flexura.mechanics.core.elimination_order import Pattern, eliminate
from flexura.mechanics.core.index_arrays import ints, pairs, triples
from flexura.mechanics.core.joint_tree import no_tree
from flexura.mechanics.core.kernel_outputs import Outputs
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.slope_table import SlopeTable, slope_table
from flexura.mechanics.core.system import Augmented, Feedback, Laws, Pairs, Slopes, System, Touch, Triples
from flexura.mechanics.motion.equations_of_motion import entries
from flexura.mechanics.preparation.changed_numbers import ElementNumbers, Numbers
from flexura.mechanics.preparation.drives import Driving
from flexura.mechanics.preparation.held_rows import augmented_of, rows_of, scales_of, switches_of
from flexura.mechanics.preparation.idle_lists import idle_of
from flexura.mechanics.preparation.meeting_lists import meeting_of
from flexura.mechanics.preparation.numbering import Numbering
from flexura.mechanics.preparation.reaction_lists import reactions_of
from flexura.mechanics.preparation.signal_programs import Formulas
from flexura.mechanics.preparation.stiffness_lists import material_of, mixed_of
from flexura.mechanics.preparation.strain_laws import laws_of
from flexura.model.feedback import kept
from flexura.model.names import Address


def _numbers(layout: Layout) -> Floats:
    """Numbers of all elements, kind by kind."""
    return np.concatenate([np.zeros(0), *(np.array(g.numbers, dtype=float).ravel() for g in layout.groups)])


class Assembler:
    """Builder of a System; names, which compiled code does not need, stay in the layout.

    A ``stiff`` system has room for stiffness in its matrix, for implicit methods and statics; otherwise the
    matrix contains masses and constraints only, and its factors have fewer entries.
    """

    def __init__(
        self, layout: Layout, stiff: bool = False, switched: bool = False, formulas: Formulas | None = None
    ) -> None:
        self.layout = layout
        self.stiff = stiff
        self.motion = Outputs(layout, "motion")
        self.balance = Outputs(layout, "balance") if stiff else self.motion
        self.shape = Outputs(layout, "strain")
        self.geometric = Outputs(layout, "geometric")
        self.momentum = Outputs(layout, "momentum")
        self.track = Outputs(layout, "track")
        self.switched = layout.switched if switched else []
        """the strains with switchable rows"""
        self.table, self.shape_table = slope_table(self.motion), slope_table(self.shape)
        self.mass = self.motion.of_pairs("mass")
        self.force = self.motion.of_coordinates("force")
        self.numbering = Numbering(layout, [*layout.constraints, *self.switched])
        self.pattern = self._pattern()
        self.driving = Driving(layout, self.motion, self.momentum, self.numbering.row_of, formulas)

    @property
    def formulas(self) -> Formulas:
        """Programs, which other layouts of the model may share."""
        return self.driving.formulas

    def _pattern(self, squared: Iterable[int] = ()) -> Pattern:
        """Coupled pairs of coordinates: those with a common mass; in a stiff system all pairs of an element.

        Coordinates of held strains that are ``squared`` are coupled too.
        """
        unknown, multiplier = self.numbering.unknown, self.numbering.multiplier
        coupled = [(unknown[self.mass[1]], unknown[self.mass[2]])]
        for group in self.layout.groups if self.stiff else ():
            i, j = np.triu_indices(group.table.shape[1], 1)
            coupled.append((unknown[group.table[:, i]].ravel(), unknown[group.table[:, j]].ravel()))
        strains = ints(squared)
        for _, a, b in self.table.products(strains, strains):
            coupled.append((unknown[self.table.column[a]], unknown[self.table.column[b]]))
        held, _, column = self.table.of(self.numbering.held)
        coupled.append((multiplier[self.numbering.held[held]], unknown[column]))
        i, j = (np.concatenate([part[k] for part in coupled]) for k in range(2))
        there = (i >= 0) & (j >= 0)
        return eliminate(self.numbering.count, i[there], j[there], self.numbering.free.size)

    # -- the system --------------------------------------------------------------------------------------------

    def system(self) -> System:
        """All arrays together."""
        layout = self.layout
        laws = laws_of(self.layout, self.driving)
        motion = self.motion.calls()
        motion.extra[:] = self.driving.driven.body_base
        return System(
            entry=entries(bool(self.switched and layout.grips)),
            index=np.concatenate([np.zeros(0, dtype=np.int64), *(group.table.ravel() for group in layout.groups)]),
            number=_numbers(layout),
            motion=motion,
            balance=self.balance.calls(self.stiff, into=motion.out),
            balance_body=self._balance_body(),
            balance_acceleration=self._balance_acceleration(),
            shape=self.shape.calls(),
            geometric=self.geometric.calls(self.stiff),
            momentum=self.momentum.calls(),
            track=self.track.calls(),
            track_target=self._track_target(),
            mass_all=triples(self.mass),
            augmented=self._augmented(self.pattern, {}),
            laws=laws,
            driven=self.driving.driven,
            feedback=self._feedback(),
            touch=self._touch(),
            idle=idle_of(layout, self.motion, self.driving, used=not self.stiff),
            reactions=reactions_of(self.mass, self.force, self.table, ints(self.driving.coordinates)),
            geometric_stress=self._geometric_stress(),
            tree=no_tree(),
            program=self.driving.program,
            strain=np.zeros(len(layout.strains)),
            rate=np.zeros(len(layout.strains)),
            moduli=np.zeros(laws.other.size + len(laws.program) + len(self.driving.feedback.pair)),
            held=np.zeros(self.numbering.held.size),
            power=np.zeros(3),
            **self._ordered(laws, self.pattern),
        )

    def _ordered(self, laws: Laws, pattern: Pattern) -> dict[str, Any]:
        """Arrays that depend on the order in which the unknowns are eliminated."""
        layout, numbering, switched = self.layout, self.numbering, self.layout if self.switched else None
        free, place = numbering.free, numbering.places(pattern)
        force = self.force[:, place[self.force[1]] >= 0]
        forces = Pairs(source=force[0], target=place[force[1]])
        multipliers = numbering.multiplier_places(pattern) if self.switched else {}
        mass = self._matrix(self.mass, pattern)
        rows = rows_of(layout, self.table, numbering, pattern, self.motion.by_strain("convection"))
        stiffness = self.geometric.of_pairs("geometric") if self.stiff else self.mass[:, :0]
        geometric = self._matrix(stiffness, pattern)
        material = material_of(self.table, numbering, pattern, self._moduli(laws))
        mixed = mixed_of(self.table, numbering.held, laws, place)
        return {
            "slopes": self._slopes(self.motion, self.table, place),
            "shape_slopes": self._slopes(self.shape, self.shape_table, place),
            "mass": mass,
            "force": forces,
            "coupling": self._coupling(pattern, place),
            "rows": rows,
            "switches": switches_of(self.switched, self.table, numbering, pattern),
            "gaps": gaps_of(switched, numbering.count),
            "grips": grips_of(switched, multipliers, numbering.count),
            "modes": modes_of(switched, numbering.count),
            "shares": shares_of(switched),
            "geometric_entries": geometric,
            "material": material,
            "mixed": mixed,
            "meeting": meeting_of(pattern.factors, mixed, forces, mass, rows.entries, material, geometric),
            "factors": pattern.factors,
            "z": np.zeros(numbering.count),
            "free": free,
            "place": place[free],
            "coordinate_place": place,
            "pivot": np.ones(numbering.count),
        }

    def augmented(self, system: System, weights: dict[int, float]) -> System:
        """System with the squares of these held strains added to its matrix, which replaces the given system."""
        pattern, ordered = self.pattern, dict[str, Any]()
        # a stiff system has room for them
        if not self.stiff:
            pattern = self._pattern(weights)
            ordered = self._ordered(system.laws, pattern) | {"entry": system.entry.copy()}
        replaced: System = system.replaced(**ordered, augmented=self._augmented(pattern, weights))
        return replaced

    # -- other numbers -----------------------------------------------------------------------------------------

    def renumbered(self, layout: Layout, formulas: Formulas | None = None) -> Numbers:
        """Numbers of a layout with the same structure, which replaces the current layout."""
        self.layout = layout
        self.driving = Driving(layout, self.motion, self.momentum, self.numbering.row_of, formulas)
        switched = layout if self.switched else None
        return Numbers(
            number=_numbers(layout),
            laws=laws_of(layout, self.driving),
            driven=self.driving.driven,
            feedback=self._feedback(),
            program=self.driving.program,
            touch=self._touch(),
            scale=scales_of(layout, self.numbering),
            impact=impact_numbers(switched),
            friction=friction_numbers(switched),
        )

    def with_values(self, layout: Layout, changes: Changes) -> ElementNumbers | None:
        """Numbers of a layout with other values of elements and signals, which replaces the current layout.

        None if the structure turns out to differ.
        """
        self.layout = layout
        if not self.driving.take(layout, changes.laws, changes.signals):
            return None
        switched = layout if self.switched else None
        first = first_numbers(layout)
        return ElementNumbers(
            numbers={first[name]: list(layout.element_numbers[name].values()) for name in changes.parts},
            laws=laws_of(layout, self.driving) if changes.stressed else None,
            constants=self.formulas.law_table.numbers() if changes.laws else None,
            weight=self.driving.weight() if any(layout.gravity) else None,
            impact=impact_numbers(switched) if changes.stressed else None,
            friction=friction_numbers(switched) if changes.gripping else {},
            program=self.driving.program if changes.signals else None,
        )

    def changed(self, layout: Layout, system: System) -> System:
        """System of a layout with the same structure; arrays that do not depend on numbers are shared."""
        new = self.renumbered(layout)
        replaced: System = system.replaced(
            number=new.number,
            motion=system.motion.replaced(extra=new.driven.body_base.copy()),
            laws=new.laws,
            driven=new.driven,
            feedback=new.feedback,
            program=new.program,
            rows=system.rows.replaced(scale=new.scale),
        )
        return replaced

    def _augmented(self, pattern: Pattern, weights: dict[int, float]) -> Augmented:
        return augmented_of(weights, self.table, self.numbering, pattern)

    def _feedback(self) -> Feedback:
        """Loads and states that depend on signals; the masses of states are the last."""
        feedback = self.driving.feedback
        feedback.working[1] = np.count_nonzero(~np.isin(self.mass[1], self.layout.integral_index))
        return feedback

    def _touch(self) -> Touch:
        """Gaps of contact laws."""
        acting = {address.owner for address in self.formulas.by_element}
        found = [
            (name, element, contact)
            for name, element in self.layout.names.elements.items()
            for contact in element.contacts
            if name in acting and takes_time(element, contact)
        ]
        holds, builder = [kept(name, contact.hold) for name, _, contact in found], self.formulas.builder
        return Touch(
            strain=ints(self.layout.strain_index[Address("strain", name, contact.name)] for name, _, contact in found),
            register=ints(builder.input(hold) if hold in self.formulas.holds else -1 for hold in holds),
            by_force=ints(ends_by_force(element, contact) for _, element, contact in found),
            suspended=np.zeros(len(found)),
        )

    def _balance_body(self) -> Pairs:
        """Indices of the body forces of the motion level in the balance level."""
        axes = self.layout.model.dimension
        parts = [
            (self.motion.extra_table(g)[:, :axes].ravel(), self.balance.extra_table(g)[:, :axes].ravel())
            for g, level in enumerate(self.balance.levels)
            if level.extra
        ]
        return _paired(parts)

    def _balance_acceleration(self) -> Pairs:
        """Indices of the accelerations of the coordinates in the balance level."""
        axes = self.layout.model.dimension
        parts = []
        for g, group in enumerate(self.layout.groups if self.stiff else ()):
            if self.balance.levels[g].extra:
                width = group.table.shape[1]
                parts.append((group.table.ravel(), self.balance.extra_table(g)[:, axes : axes + width].ravel()))
        return _paired(parts)

    def _geometric_stress(self) -> Ints:
        """The strain whose stress is each extra input of the geometric level."""
        parts = [
            (group.firsts[:, None] + np.arange(level.extra)).ravel()
            for group, level in zip(self.layout.groups, self.geometric.levels, strict=True)
        ]
        return np.concatenate([np.zeros(0, dtype=np.int64), *parts])

    def _track_target(self) -> Ints:
        tracked = tracked_places(self.layout)
        where = number_places(self.layout) if tracked else {}
        return ints(where[place] for place in tracked)

    def _slopes(self, outputs: Outputs, table: SlopeTable, place: Ints) -> Slopes:
        return Slopes(
            strain=outputs.by_strain("strain"),
            convection=outputs.by_strain("convection"),
            start=table.start,
            source=table.source,
            column=table.column,
            target=place[table.column],
        )

    def _matrix(self, found: Ints, pattern: Pattern) -> Pairs:
        """Values of pairs of coordinates, into the matrix if both are free."""
        source, i, j = found[0], self.numbering.unknown[found[1]], self.numbering.unknown[found[2]]
        there = (i >= 0) & (j >= 0)
        return Pairs(source=source[there], target=pattern.at(i[there], j[there]))

    def _coupling(self, pattern: Pattern, place: Ints) -> Triples:
        """Contributions of the accelerations of driven coordinates to the right-hand side."""
        driven = np.zeros(place.size, dtype=bool)
        driven[self.driving.coordinates] = True
        source, i, j = self.mass
        strain, slope, column = self.table.of(self.numbering.held)
        row = self.numbering.row_place(pattern)[strain]
        first, second, third = driven[i] & (place[j] >= 0), driven[j] & (place[i] >= 0), driven[column]
        return Triples(
            source=np.concatenate([source[first], source[second], slope[third]]),
            target=np.concatenate([place[j[first]], place[i[second]], row[third]]),
            other=np.concatenate([i[first], j[second], column[third]]),
        )

    def _moduli(self, laws: Laws) -> Ints:
        """Rows (strain, strain, modulus) of the material stiffness; empty without room for it."""
        if not self.stiff:
            return np.zeros((3, 0), dtype=np.int64)
        strain, program = np.repeat(laws.strain, np.diff(laws.start)), laws.strain[laws.program[:, 0]]
        terms = [(strain, laws.other, np.arange(laws.other.size))]
        terms.append((program, program, laws.other.size + np.arange(program.size)))
        k, l = self.driving.feedback.pair.T
        n = laws.other.size + program.size + np.arange(k.size)
        terms += [(k, l, n), (l[k != l], k[k != l], n[k != l])]
        return np.array([np.concatenate([term[part] for term in terms]) for part in range(3)])


def _paired(parts: list[tuple[Ints, Ints]]) -> Pairs:
    """(source, target) of several pairs of arrays, one after the other."""
    none = np.zeros(0, dtype=np.int64)
    return pairs(np.array([np.concatenate([none, *(part[k] for part in parts)]) for k in range(2)]))
