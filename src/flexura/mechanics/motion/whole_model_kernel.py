"""The equations of motion of a small model as one straight-line function.

It does what :func:`~flexura.mechanics.motion.equations_of_motion.accelerate` does, operation by operation and in the
same order, so that both give the same bits. Indices are written into the code; numbers are read from the arrays of the
system, so that masses, lengths, stiffnesses and loads change without compiling anew.
"""

from __future__ import annotations

from flexura.derive.emit import Writer
from flexura.derive.kernels import MANY, derive
from flexura.derive.kinds import Kind, Trace
from flexura.derive.levels import inputs, outputs, places
from flexura.derive.straight_line import NOTHING, StraightLine
from flexura.mechanics.core.element_groups import Group
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.straight_line_factors import Numbers, eliminate
from flexura.mechanics.core.system import System

PARAMETERS = "ptr %s, double %t, ptr %x, ptr %v, ptr %a, ptr %stress"
_KERNEL = "i64 {count}, ptr {index}, ptr {number}, ptr %x, ptr %v, ptr {extra}, ptr {out}"


class WholeModel:
    """Writer of the function of one system.

    Where laws are formulas, kernels and laws run before it: then it is not ``fused``. A function for the ``stage`` of
    a step leaves accelerations and stresses behind, and nothing else.
    """

    def __init__(self, layout: Layout, system: System, fused: bool, stage: bool) -> None:
        self.layout, self.s = layout, system
        self.fused, self.stage = fused, stage
        self.code = StraightLine()
        self.computed: Numbers = {}
        """outputs of elements whose arithmetic is written here"""
        self.stress: Numbers = {}

    def source(self, name: str) -> str:
        """Assembly of the function."""
        if self.fused:
            self._elements()
            self._laws()
        values, z = self._matrix(), self._right_side()
        self._augment(values, z)
        scaled = eliminate(self.code, self.s.factors, values, z)
        self._finish(z)
        if not self.stage:
            self._store(self.computed, "motion", "out")
            self._store({k: values[k] for k in range(self.s.z.size)}, "factors", "values")
            self._store(scaled, "factors", "scaled")
            self._store(z, "z")
        return self.code.function(name, PARAMETERS)

    def _load(self, i: int, *path: str) -> str:
        """A number of an array of the system."""
        return self.code.load(self.code.member("%s", System, *path), int(i))

    def _store(self, numbers: Numbers, *path: str) -> None:
        array = self.code.member("%s", System, *path)
        for i, value in numbers.items():
            self.code.store(array, i, value)

    def _output(self, i: int) -> str:
        """Output of a kernel."""
        return self.computed.get(int(i)) or self._load(i, "motion", "out")

    def _add(self, numbers: Numbers, place: int, value: str) -> None:
        numbers[int(place)] = self.code.add(numbers.get(int(place), NOTHING), value)

    def _take(self, numbers: Numbers, place: int, value: str) -> None:
        numbers[int(place)] = self.code.subtract(numbers.get(int(place), NOTHING), value)

    # -- elements ----------------------------------------------------------------------------------------------

    def _elements(self) -> None:
        """Outputs of the motion level. Kernels that compute several elements at once are called."""
        counted = ((group, len(group.names)) for group in self.layout.groups)
        moving = [group for group, count in counted if derive(group.kind, "motion", count).entries]
        for k, group in enumerate(moving):
            if len(group.names) >= MANY:
                self._call(k)
        for k, group in enumerate(moving):
            if len(group.names) < MANY:
                self._paste(k, group)

    def _call(self, k: int) -> None:
        calls, code = self.s.motion, self.code
        starts = {
            "index": code.place(code.member("%s", System, "index"), int(calls.index_start[k]), "i64"),
            "number": code.place(code.member("%s", System, "number"), int(calls.number_start[k])),
            "extra": code.place(code.member("%s", System, "motion", "extra"), int(calls.extra_start[k])),
            "out": code.place(code.member("%s", System, "motion", "out"), int(calls.out_start[k])),
        }
        kernel = code.assign(f"load ptr, ptr {code.place(code.member('%s', System, 'motion', 'address'), k, 'i64')}")
        code.lines.append(f"call void {kernel}({_KERNEL.format(count=calls.count[k], **starts)})")

    def _paste(self, k: int, group: Group) -> None:
        """Write the arithmetic of the elements of a group."""
        body, calls = _Body(group.kind), self.s.motion
        for e, coordinates in enumerate(group.table.tolist()):
            number, extra, out = (
                int(start[k]) + e * int(calls.step[k, column])
                for column, start in enumerate((calls.number_start, calls.extra_start, calls.out_start), 1)
            )
            given = {
                "x": [self.code.load("%x", c) for c in coordinates],
                "v": [self.code.load("%v", c) for c in coordinates],
                "number": [self._load(number + i, "number") for i in range(int(calls.step[k, 1]))],
                "extra": [self._load(extra + i, "motion", "extra") for i in range(int(calls.step[k, 2]))],
            }
            names = {
                f"%{s.data}": value
                for array, symbols in body.given.items()
                for s, value in zip(symbols, given[array], strict=True)
            }
            results = self.code.paste(body.writer, names, body.results)
            self.computed |= {out + place: result for place, result in zip(body.places, results, strict=True)}

    # -- laws --------------------------------------------------------------------------------------------------

    def _laws(self) -> None:
        """Stresses of linear laws and loads on strains."""
        s, laws, slopes = self.s, self.s.laws, self.s.slopes
        self.stress = {int(k): NOTHING for k in s.rows.strain}
        strain, rate = Numbers(), Numbers()
        for k in map(int, laws.needed):
            strain[k] = self._output(slopes.strain[k])
            for e in range(slopes.start[k], slopes.start[k + 1]) if laws.rated[0] else ():
                v = self.code.load("%v", int(slopes.column[e]))
                self._add(rate, k, self.code.multiply(self._output(slopes.source[e]), v))
        for n, k in enumerate(map(int, laws.strain)):
            self.stress[k] = self._load(n, "laws", "preload")
            for e in range(laws.start[n], laws.start[n + 1]):
                other = int(laws.other[e])
                elastic = self.code.multiply(self._load(e, "laws", "stiffness"), strain[other])
                # without a rate the damping is zero
                damped = self.code.multiply(self._load(e, "laws", "damping"), rate.get(other, NOTHING))
                self._add(self.stress, k, self.code.add(elastic, damped))
        for n, register in s.driven.load_law:
            self._take(self.stress, laws.strain[n], self._load(register, "program", "registers"))
        if not self.stage:
            self._store(strain, "strain")
            self._store(rate, "rate")

    # -- equations ---------------------------------------------------------------------------------------------

    def _matrix(self) -> Numbers:
        s, values = self.s, Numbers()
        for pairs in (s.mass, s.rows.entries):
            for source, target in zip(pairs.source, pairs.target, strict=True):
                self._add(values, target, self._output(source))
        return values

    def _right_side(self) -> Numbers:
        s, slopes, z, times = self.s, self.s.slopes, Numbers(), self.code.multiply
        for source, target in zip(s.force.source, s.force.target, strict=True):
            self._take(z, target, self._output(source))
        for k in map(int, s.laws.strain):
            stress = self.stress[k] if self.fused else self.code.load("%stress", k)
            for e in range(slopes.start[k], slopes.start[k + 1]):
                if slopes.target[e] >= 0:
                    self._take(z, slopes.target[e], times(self._output(slopes.source[e]), stress))
        for c, register in zip(s.driven.load_coordinate, s.driven.load_register, strict=True):
            if s.coordinate_place[c] >= 0:
                self._add(z, s.coordinate_place[c], self._load(register, "program", "registers"))
        for r, place in enumerate(map(int, s.rows.place)):
            given = self._load(r, "rows", "acceleration")
            z[place] = self.code.subtract(given, self._output(s.rows.convection[r]))
        for source, target, other in zip(s.coupling.source, s.coupling.target, s.coupling.other, strict=True):
            self._take(z, target, times(self._output(source), self.code.load("%a", int(other))))
        return z

    def _augment(self, values: Numbers, z: Numbers) -> None:
        """Add the squares of held strains."""
        s, augmented, times = self.s, self.s.augmented, self.code.multiply
        for n, row in enumerate(augmented.row):
            weight, target = self._load(n, "augmented", "weight"), iter(augmented.target[augmented.target_start[n] :])
            entries = range(augmented.start[n], augmented.start[n + 1])
            outs = {i: self._output(augmented.source[i]) for i in entries}
            demand = times(weight, z[int(s.rows.place[row])])
            for i in entries:
                scaled = times(weight, outs[i])
                for j in range(i, entries.stop):
                    self._add(values, next(target), times(scaled, outs[j]))
                self._add(z, augmented.place[i], times(outs[i], demand))

    def _finish(self, z: Numbers) -> None:
        """Accelerations, and the stresses of held strains."""
        s, rows = self.s, self.s.rows
        held = {int(k): z[int(place)] for k, place in zip(rows.strain, rows.place, strict=True)}
        for k, multiplier in held.items():
            applied = self.stress[k] if self.fused else self.code.load("%stress", k)
            held[k] = self.code.add(applied, multiplier)
        for k, value in (self.stress | held).items():
            self.code.store("%stress", k, value)
        for c, place in zip(s.free, s.place, strict=True):
            self.code.store("%a", int(c), z[int(place)])


class _Body:
    """Arithmetic of one element of a kind, to be pasted for each of them."""

    def __init__(self, kind: Kind) -> None:
        trace = Trace(kind)
        self.given = inputs(trace, "motion")
        self.writer = Writer({s: f"%{s.data}" for symbols in self.given.values() for s in symbols})
        computed, order = outputs(trace, "motion"), places(trace, "motion")
        self.results = self.writer.write(value for _, value in computed)
        self.places = [order.index(entry) for entry, _ in computed]
