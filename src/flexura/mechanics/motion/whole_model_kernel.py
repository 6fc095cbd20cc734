"""Equations of motion of a small model as one straight-line function.

It performs the operations of :func:`~flexura.mechanics.motion.equations_of_motion.accelerate` in the same order, so
that both give bit-identical results. Indices are written into the code; numbers are read from the arrays of the system,
so that masses, lengths, stiffnesses and loads may change without another compilation. Switchable constraint rows are
inactive in it: it is the function of a mechanism whose contacts are all open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flexura.derive.expression_assembly import Writer, literal
from flexura.derive.kernels import LANES, derive
from flexura.derive.kinds import Kind, Trace
from flexura.derive.levels import inputs, outputs, places
from flexura.derive.straight_line import NOTHING, StraightLine
from flexura.mechanics.core.element_groups import Group
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.straight_line_factors import Numbers, eliminate
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.system_code import PARAMETERS, add_to, linear_stresses, load_from, store_into, take_from

_KERNEL = "i64 {count}, ptr {index}, ptr {number}, ptr %x, ptr %v, ptr {extra}, ptr {out}"


class WholeModel:
    """Writer of the function of one system.

    If laws are formulas, kernels and laws run before it: it is then not ``fused``. A function for the ``stage`` of
    a step writes accelerations and stresses only. The arithmetic of up to ``most`` elements of a kind is written out
    side by side, in the lanes of vectors; kernels of more elements are called.
    """

    def __init__(self, layout: Layout, system: System, fused: bool, stage: bool, most: int = LANES) -> None:
        self.layout, self.s = layout, system
        self.fused, self.stage, self.most = fused, stage, most
        self.code = StraightLine()
        self.computed: Numbers = {}
        """outputs of elements whose arithmetic is written here"""
        self.stress: Numbers = {}

    def source(self) -> str:
        """Assembly of the function."""
        if self.fused:
            self._elements()
            found = linear_stresses(self.code, self.s, self._output)
            self.stress = found.stress
            if not self.stage:
                store_into(self.code, found.strain, "strain")
                store_into(self.code, found.rate, "rate")
        values, z = self._matrix(), self._right_side()
        self._augment(values, z)
        scaled = eliminate(self.code, self.s.factors, values, z)
        self._finish(z)
        if not self.stage:
            store_into(self.code, self.computed, "motion", "out")
            store_into(self.code, {k: values[k] for k in range(self.s.z.size)}, "factors", "values")
            store_into(self.code, scaled, "factors", "scaled")
            store_into(self.code, z, "z")
        return self.code.function("kernel", PARAMETERS)

    def _output(self, i: int) -> str:
        """Output of a kernel."""
        return self.computed.get(int(i)) or load_from(self.code, i, "motion", "out")

    # -- elements ----------------------------------------------------------------------------------------------

    def _elements(self) -> None:
        """Outputs of the motion level."""
        counted = ((group, len(group.names)) for group in self.layout.groups)
        moving = [group for group, count in counted if derive(group.kind, "motion", count).entries]
        for k, group in enumerate(moving):
            if len(group.names) > self.most:
                self._call(k)
        for k, group in enumerate(moving):
            if len(group.names) <= self.most:
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
        """Write the arithmetic of the elements of a group, a lane for each."""
        lanes, calls = len(group.names), self.s.motion
        body = ElementCode(group.kind, "motion", lanes)
        given = [self._inputs(k, e, coordinates) for e, coordinates in enumerate(group.table.tolist())]
        for e, values in enumerate(body.paste(self.code, given)):
            out = int(calls.out_start[k]) + e * int(calls.step[k, 3])
            self.computed |= {out + place: value for place, value in values.items()}

    def _inputs(self, k: int, e: int, coordinates: list[int]) -> dict[str, list[str]]:
        """Operands of an element of a group, array by array."""
        calls = self.s.motion
        number, extra = (
            range(int(start[k]) + e * int(step), int(start[k]) + (e + 1) * int(step))
            for start, step in zip((calls.number_start, calls.extra_start), calls.step[k, 1:3], strict=True)
        )
        return {
            "x": [self.code.load("%x", c) for c in coordinates],
            "v": [self.code.load("%v", c) for c in coordinates],
            "number": [load_from(self.code, i, "number") for i in number],
            "extra": [load_from(self.code, i, "motion", "extra") for i in extra],
        }

    # -- equations ---------------------------------------------------------------------------------------------

    def _matrix(self) -> Numbers:
        s, values = self.s, Numbers()
        for pairs in (s.mass, s.rows.entries):
            for source, target in zip(pairs.source, pairs.target, strict=True):
                add_to(self.code, values, target, self._output(source))
        # switchable rows are left out
        values |= {int(target): NOTHING for target in s.switches.target}
        return values | {int(place): literal(-1.0) for place in s.switches.place}

    def _right_side(self) -> Numbers:
        s, slopes, z, times = self.s, self.s.slopes, Numbers(), self.code.multiply
        for source, target in zip(s.force.source, s.force.target, strict=True):
            take_from(self.code, z, target, self._output(source))
        for k in map(int, s.laws.strain):
            stress = self.stress[k] if self.fused else self.code.load("%stress", k)
            for e in range(slopes.start[k], slopes.start[k + 1]):
                if slopes.target[e] >= 0:
                    take_from(self.code, z, slopes.target[e], times(self._output(slopes.source[e]), stress))
        for c, register in zip(s.driven.load_coordinate, s.driven.load_register, strict=True):
            if s.coordinate_place[c] >= 0:
                add_to(self.code, z, s.coordinate_place[c], load_from(self.code, register, "program", "registers"))
        for r, place in enumerate(map(int, s.rows.place)):
            given = load_from(self.code, r, "rows", "acceleration")
            z[place] = self.code.subtract(given, self._output(s.rows.convection[r]))
        for source, target, other in zip(s.coupling.source, s.coupling.target, s.coupling.other, strict=True):
            take_from(self.code, z, target, times(self._output(source), self.code.load("%a", int(other))))
        return z | {int(place): NOTHING for place in s.switches.place}

    def _augment(self, values: Numbers, z: Numbers) -> None:
        """Add the squares of held strains."""
        s, augmented, times = self.s, self.s.augmented, self.code.multiply
        for n, row in enumerate(augmented.row):
            weight, target = (
                load_from(self.code, n, "augmented", "weight"),
                iter(augmented.target[augmented.target_start[n] :]),
            )
            entries = range(augmented.start[n], augmented.start[n + 1])
            outs = {i: self._output(augmented.source[i]) for i in entries}
            demand = times(weight, z[int(s.rows.place[row])])
            for i in entries:
                scaled = times(weight, outs[i])
                for j in range(i, entries.stop):
                    add_to(self.code, values, next(target), times(scaled, outs[j]))
                add_to(self.code, z, augmented.place[i], times(outs[i], demand))

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


class ElementCode:
    """Arithmetic of one level of elements of a kind, a lane for each."""

    def __init__(self, kind: Kind, level: str, lanes: int) -> None:
        trace = Trace(kind)
        self.lanes = lanes
        self._symbols = inputs(trace, level)
        self._writer = Writer({s: f"%{s.data}" for symbols in self._symbols.values() for s in symbols}, lanes)
        computed, order = outputs(trace, level), places(trace, level)
        self._results = self._writer.write(value for _, value in computed)
        constant = {value.data for _, value in computed if value.kind == "const"}
        self._constants = {self._writer.constant(number): literal(number) for number in constant}
        """results that are the same number in all lanes"""
        self._places = [order.index(entry) for entry, _ in computed]
        self.width = len(order)
        """number of outputs of an element"""
        self.inputs = {array: len(symbols) for array, symbols in self._symbols.items()}
        """number of inputs of an element from each array"""

    def paste(self, code: StraightLine, given: Sequence[Mapping[str, Sequence[str]]]) -> list[Numbers]:
        """Outputs by their places, for each of the elements with these operands."""
        names = {
            f"%{s.data}": code.together(values)
            for array, symbols in self._symbols.items()
            for s, *values in zip(symbols, *(one[array] for one in given), strict=True)
        }
        results = code.paste(self._writer, names, self._results)
        pairs = list(zip(self._places, results, strict=True))
        return [
            {place: self._constants.get(found) or code.apart(found, lane, self.lanes) for place, found in pairs}
            for lane in range(self.lanes)
        ]
