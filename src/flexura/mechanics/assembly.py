"""Layout and kernels → the arrays of a :class:`~flexura.mechanics.system.System`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derive.differentiate import Derivative
from flexura.derive.expression import ONE, Expr, symbol
from flexura.derive.kernels import Level, compile_kernel, derive
from flexura.derive.program import ProgramBuilder
from flexura.laws.signals import as_signal
from flexura.laws.springs import law_expression
from flexura.mechanics.evaluate import entries
from flexura.mechanics.factor import Pattern, eliminate
from flexura.mechanics.layout import ELASTIC, Group, Layout
from flexura.mechanics.system import (
    Augmented,
    Calls,
    Driven,
    Laws,
    Material,
    Pairs,
    Reactions,
    Rows,
    Slopes,
    System,
    Triples,
)
from flexura.model.names import Address

Ints = NDArray[np.int64]


def ints(values: Iterable[Any]) -> Ints:
    """A one-dimensional array of indices."""
    return np.array(list(values), dtype=np.int64).reshape(-1)


def floats(values: Iterable[float]) -> NDArray[np.float64]:
    """A one-dimensional array of numbers."""
    return np.array(list(values), dtype=np.float64).reshape(-1)


def table(rows: Sequence[tuple[int, ...]], width: int) -> Ints:
    """An array of indices with a fixed number of columns, possibly no rows."""
    return np.array(rows, dtype=np.int64).reshape(-1, width)


def pairs(rows: Sequence[tuple[int, ...]]) -> Pairs:
    """(source, target) row by row."""
    return Pairs(source=ints(row[0] for row in rows), target=ints(row[1] for row in rows))


def triples(rows: Sequence[tuple[int, ...]]) -> Triples:
    """(source, target, other) row by row."""
    return Triples(**{name: ints(row[k] for row in rows) for k, name in enumerate(("source", "target", "other"))})


class _Outputs:
    """Where each output of one level lies, element by element."""

    def __init__(self, layout: Layout, level: str) -> None:
        self.layout = layout
        self.levels: list[Level] = [derive(group.kind, level) for group in layout.groups]
        self.starts: list[int] = []
        self.extras: list[int] = []
        out = extra = 0
        for group, found in zip(layout.groups, self.levels, strict=True):
            self.starts.append(out)
            self.extras.append(extra)
            out += len(group.names) * len(found.entries)
            extra += len(group.names) * found.extra
        self.size, self.extra_size = out, extra

    def calls(self, used: bool = True) -> Calls:
        """The compiled kernels; what is not used is not compiled."""
        groups = self.layout.groups
        kept = [g for g, level in enumerate(self.levels) if level.entries and used]
        index = np.cumsum([0] + [len(g.names) * g.kind.width for g in groups])
        number = np.cumsum([0] + [len(g.names) * len(g.kind.numbers) for g in groups])
        return Calls(
            address=ints(compile_kernel(self.levels[g].source) for g in kept),
            count=ints(len(groups[g].names) for g in kept),
            index_start=ints(index[g] for g in kept),
            number_start=ints(number[g] for g in kept),
            extra_start=ints(self.extras[g] for g in kept),
            out_start=ints(self.starts[g] for g in kept),
            extra=np.zeros(max(self.extra_size, 1)),
            out=np.zeros(max(self.size, 1)),
        )

    def each(self) -> Iterable[tuple[Group, int, str, int, int, int]]:
        """(group, element, quantity, row, column, source) of every output."""
        for group, level, start in zip(self.layout.groups, self.levels, self.starts, strict=True):
            for e in range(len(group.names)):
                for k, (quantity, i, j) in enumerate(level.entries):
                    yield group, e, quantity, i, j, start + e * len(level.entries) + k


class Assembler:
    """Builds a System step by step; what is not needed by compiled code (names) stays in the layout.

    A ``stiff`` system has room for stiffness in its matrix, as implicit methods and statics need it; without, the
    matrix holds masses and constraints alone, and its factors are leaner.
    """

    def __init__(self, layout: Layout, stiff: bool = False) -> None:
        self.layout = layout
        self.stiff = stiff
        self.motion = _Outputs(layout, "motion")
        self.shape = _Outputs(layout, "strain")
        self.geometric = _Outputs(layout, "geometric")
        self.momentum = _Outputs(layout, "momentum")
        self.track = _Outputs(layout, "track")
        self.free = layout.free
        self.row_of = {strain: r for r, strain in enumerate(layout.constraints)}
        self.unknown = {c: u for u, c in enumerate(self.free)}
        self.multiplier = {strain: len(self.free) + r for strain, r in self.row_of.items()}
        self._collect()
        self.pattern = self._pattern()
        self._program()

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

    # -- signals and laws --------------------------------------------------------------------------------------

    def _program(self) -> None:
        layout, builder = self.layout, ProgramBuilder(inputs=("t", "e", "v"))
        t, e, v = symbol("t"), symbol("e"), symbol("v")

        def of_time(signal: Any) -> list[Expr]:
            value = as_signal(signal).expression(t, builder)
            rate = Derivative({t: ONE})(value)
            return [value, rate, Derivative({t: ONE})(rate)]

        driven = [(c, signal) for c, signal in layout.known.items() if signal is not None]
        model = layout.model
        loads: list[tuple[Address, Any]] = []
        bodies: list[tuple[str, Any]] = []
        for name, load in model.loads.items():
            if isinstance(load, tuple):
                bodies.append((name, load))
            else:
                loads.append((layout.names.resolve(name), load))
        exprs = [expr for _, signal in driven for expr in of_time(signal)]
        exprs += [expr for signal in layout.driven_strain.values() for expr in of_time(signal)]
        exprs += [as_signal(load).expression(t, builder) for _, load in loads]
        exprs += [as_signal(part).expression(t, builder) for _, pair in bodies for part in pair]
        span = builder.add(exprs)
        registers = list(span.outputs)

        def take(count: int) -> list[int]:
            taken = registers[:count]
            del registers[:count]
            return taken

        self.driven_coordinates = [c for c, _ in driven]
        coordinate_register = [tuple(take(3)) for _ in driven]
        row_register = [tuple(take(3)) for _ in layout.driven_strain]
        load_register = [take(1)[0] for _ in loads]
        self.law_strains = [k for k, c in enumerate(layout.strain_class) if c == ELASTIC]
        for address, _ in loads:
            if address.kind == "strain" and layout.strain_index[address] not in self.law_strains:
                self.law_strains.append(layout.strain_index[address])
        self.law_of = {strain: n for n, strain in enumerate(self.law_strains)}
        body = []
        for name, _ in bodies:
            pair = take(2)
            body += [(part, register, axis) for part in layout.names.parts[name] for axis, register in enumerate(pair)]
        with_register = [(a, r) for (a, _), r in zip(loads, load_register, strict=True)]
        extra, base, lengths = self._bodies(body)
        self.driven = Driven(
            stop=ints([span.stop, bool(exprs)]),
            coordinate=ints(self.driven_coordinates),
            coordinate_register=table(coordinate_register, 3),
            row=ints(self.row_of[k] for k in layout.driven_strain),
            row_register=table(row_register, 3),
            load_coordinate=ints(layout.coordinate_index[a] for a, _ in with_register if a.kind == "coordinate"),
            load_register=ints(r for a, r in with_register if a.kind == "coordinate"),
            load_law=table(
                [(self.law_of[layout.strain_index[a]], r) for a, r in with_register if a.kind == "strain"], 2
            ),
            body=extra,
            body_base=base,
            body_length=lengths,
        )
        programs = []
        for strain, law in layout.law.items():
            stress = law_expression(law, e, v, t, builder)
            slopes = [Derivative({s: ONE})(stress) for s in (e, v)]
            found = builder.add([stress, *slopes])
            programs.append((self.law_of[strain], found.start, found.stop, *found.outputs))
        self.law_programs = table(programs, 6)
        self.program = builder.finish()

    def _bodies(self, loaded: list[tuple[str, int, int]]) -> tuple[Ints, Any, Any]:
        """Weight and distributed loads, as forces spread over the elements; extra inputs of the motion level."""
        layout = self.layout
        base, lengths, order = np.zeros(max(self.motion.extra_size, 1)), [], {}
        gravity = layout.model.gravity or (0.0, 0.0)
        for group, level, start in zip(layout.groups, self.motion.levels, self.motion.extras, strict=True):
            for e, name in enumerate(group.names):
                order[name] = start + e * level.extra
                mass = layout.element_numbers[name].get("mass", 0.0)
                if level.extra:
                    base[order[name] : order[name] + 2] = mass * np.array(gravity)
        rows = []
        for name, register, axis in loaded:
            rows.append((order[name] + axis, register))
            lengths.append(layout.element_numbers[name]["length"])
        return table(rows, 2), base, floats(lengths)

    # -- the system --------------------------------------------------------------------------------------------

    def system(self) -> System:
        """All arrays together."""
        layout, pattern = self.layout, self.pattern
        place = np.full(len(layout.coordinates), -1, dtype=np.int64)
        for c, u in self.unknown.items():
            place[c] = pattern.place[u]
        self.place = place
        unknowns = len(self.free) + len(self.row_of)
        laws = self._laws()
        motion = self.motion.calls()
        motion.extra[:] = self.driven.body_base
        return System(
            entry=entries(),
            index=ints(c for g in layout.groups for row in g.coordinates for c in row),
            number=floats(n for g in layout.groups for row in g.numbers for n in row),
            motion=motion,
            shape=self.shape.calls(),
            geometric=self.geometric.calls(self.stiff),
            momentum=self.momentum.calls(not layout.condensed),
            track=self.track.calls(),
            track_target=self._track_target(),
            slopes=self._slopes(self.motion),
            shape_slopes=self._slopes(self.shape),
            mass=self._mass(),
            mass_all=triples(self.mass_entries),
            force=pairs([(s, int(place[c])) for s, c in self.force_entries if place[c] >= 0]),
            coupling=self._coupling(),
            rows=self._rows(),
            augmented=self._augmented({}),
            laws=laws,
            driven=self.driven,
            reactions=self._reactions(),
            geometric_entries=self._geometric_entries(),
            geometric_stress=ints(
                group.strain_start[e] + i
                for group, level in zip(layout.groups, self.geometric.levels, strict=True)
                for e in range(len(group.names))
                for i in range(level.extra)
            ),
            material=self._material(laws),
            program=self.program,
            factors=pattern.factors,
            z=np.zeros(unknowns),
            free=ints(self.free),
            place=ints(place[c] for c in self.free),
            coordinate_place=place,
            pivot=np.ones(unknowns),
            strain=np.zeros(len(layout.strains)),
            rate=np.zeros(len(layout.strains)),
            moduli=np.zeros(laws.other.size + len(laws.program)),
            held=np.zeros(len(self.row_of)),
            power=np.zeros(2),
        )

    def _track_target(self) -> Ints:
        starts = np.cumsum([0] + [len(g.names) * len(g.kind.numbers) for g in self.layout.groups])
        targets = []
        for g, group in enumerate(self.layout.groups):
            for e in range(len(group.names)):
                for name in group.kind.element.tracked:
                    row = starts[g] + e * len(group.kind.numbers)
                    targets.append(row + group.kind.numbers.index(name))
        return ints(targets)

    def _slopes(self, outputs: _Outputs) -> Slopes:
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
        driven = set(self.driven_coordinates)
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
            1.0 if self.layout.unit(self.layout.strains[strain]) == "rad" else self.layout.size
            for strain in self.row_of
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

    def augment(self, system: System, weights: dict[int, float]) -> System:
        """The system with the squares of these held strains added to its matrix."""
        replaced: System = system.replaced(augmented=self._augmented(weights))
        return replaced

    def _laws(self) -> Laws:
        layout = self.layout
        starts, others, stiffness, damping = [0], [], [], []
        blocks = {first + i: (first, i) for first, s in layout.stiffness.items() for i in range(len(s))}
        for strain in self.law_strains:
            first, i = blocks[strain]
            s, d = layout.stiffness[first], layout.damping[first]
            for j in range(len(s)):
                if s[i, j] or d[i, j]:
                    others.append(first + j)
                    stiffness.append(s[i, j])
                    damping.append(d[i, j])
            starts.append(len(others))
        return Laws(
            strain=ints(self.law_strains),
            needed=ints(sorted({*self.law_strains, *others})),
            start=ints(starts),
            other=ints(others),
            stiffness=floats(stiffness),
            damping=floats(damping),
            preload=floats(layout.preload[k] for k in self.law_strains),
            program=self.law_programs,
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

    def _reactions(self) -> Reactions:
        """All that meets in the known coordinates, the driven ones first."""
        driven = set(self.driven_coordinates)

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
