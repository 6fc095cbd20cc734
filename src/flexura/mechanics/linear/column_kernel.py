"""Changes of accelerations along the columns of a block as straight-line functions.

They perform the operations of :func:`~flexura.mechanics.linear.variations.change_accelerations` in the same order, so
that both give bit-identical results. Indices are written into the code; numbers and their changes are read from arrays.
Switchable constraint rows are inactive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flexura.derive.kernels import LANES
from flexura.derive.kinds import Kind
from flexura.derive.straight_line import NOTHING, StraightLine
from flexura.mechanics.core.straight_line_factors import Numbers, substitute
from flexura.mechanics.core.system import Pairs, System
from flexura.mechanics.linear.column_blocks import ColumnBlock, ColumnCalls
from flexura.mechanics.motion.system_code import add_to, load_from, take_from
from flexura.mechanics.motion.whole_model_kernel import ElementCode

PARAMETERS = "ptr %s, ptr %b, ptr %x, ptr %v, ptr %a, ptr %stress, ptr %dx, ptr %dv, ptr %da"
"""parameters of the functions: system, block, the state after its evaluation, its changes, changes of accelerations"""

LEVELS = ("tangent", "tangent_by_number")
"""Levels of the kernels by the state and by numbers."""


class ColumnKernel:
    """Writer of the functions of one block: that of its elements, that of the solution, or one of both.

    ``kinds`` are those of the kernels by the state and by numbers.
    """

    def __init__(self, system: System, block: ColumnBlock, kinds: tuple[Sequence[Kind], Sequence[Kind]]) -> None:
        self.s, self.block, self.kinds = system, block, kinds
        self.count = block.z.shape[1]
        self.code = StraightLine()
        self.strain, self.rate, self.stress, self.z = Numbers(), Numbers(), Numbers(), Numbers()
        """changes by their places in the tables of the block"""

    def source(self, part: str) -> str:
        """Assembly of a function: of the ``whole`` change for linear laws, of its ``elements`` or its ``solution``."""
        return {"whole": self._whole, "elements": self._before_laws, "solution": self._after_laws}[part]()

    def _whole(self) -> str:
        if self.block.timed.size:
            self._given("z", self.z)
            self._given("stress", self.stress)
        self._elements()
        self._laws()
        return self._solution()

    def _before_laws(self) -> str:
        """Assembly of the changes of strains and rates, and of the right-hand sides without laws."""
        self._given("z", self.z)
        self._elements()
        for name, numbers in (("strain", self.strain), ("rate", self.rate), ("z", self.z)):
            array = self.code.member("%b", ColumnBlock, name)
            for place, value in numbers.items():
                self.code.store(array, place, value)
        return self.code.function("kernel", PARAMETERS)

    def _after_laws(self) -> str:
        """Assembly of the solution, from right-hand sides and changes of the stresses of laws."""
        self._given("z", self.z)
        self._given("stress", self.stress)
        return self._solution()

    def _given(self, name: str, numbers: Numbers) -> None:
        """Load a table of the block: right-hand sides, or the stresses of laws."""
        rows = range(self.s.z.size) if name == "z" else map(int, self.s.laws.strain)
        for k in rows:
            for place in range(k * self.count, (k + 1) * self.count):
                numbers[place] = self._of_block(place, name)

    def _of_block(self, i: int, *path: str) -> str:
        return self.code.load(self.code.member("%b", ColumnBlock, *path), int(i))

    def _out(self, i: int) -> str:
        """Output of the motion level."""
        return load_from(self.code, i, "motion", "out")

    # -- elements ----------------------------------------------------------------------------------------------

    def _elements(self) -> None:
        of_numbers = tuple(self.code.member("%b", ColumnBlock, name) for name in ("number_of", "body_of"))
        levels = (
            (self.block.state, self.kinds[0], ("%dx", "%dv")),
            (self.block.number, self.kinds[1], of_numbers),
        )
        for level, (calls, kinds, changes) in zip(LEVELS, levels, strict=True):
            out = self._outputs(level, calls, kinds, changes)  # type: ignore[arg-type]
            for pairs, numbers in ((calls.strain, self.strain), (calls.rate, self.rate)):
                for source, target in _each(pairs):
                    add_to(self.code, numbers, target, out.get(source, NOTHING))
            for pairs in (calls.row, calls.force):
                for source, target in _each(pairs):
                    take_from(self.code, self.z, target, out.get(source, NOTHING))

    def _outputs(self, level: str, c: ColumnCalls, kinds: Sequence[Kind], changes: tuple[str, str]) -> Numbers:
        """Outputs of the kernels of a level, computed in the lanes of vectors."""
        found, calls, extra = Numbers(), c.calls, self._extra(c, changes)
        for k, kind in enumerate(kinds):
            for start in range(0, int(calls.count[k]), LANES):
                body = ElementCode(kind, level, min(LANES, int(calls.count[k]) - start))
                rows = range(start, start + body.lanes)
                given = [self._operands(c, k, e, body.inputs, extra) for e in rows]
                for e, values in zip(rows, body.paste(self.code, given), strict=True):
                    out = int(calls.out_start[k]) + e * body.width
                    found |= {out + place: value for place, value in values.items()}
        return found

    def _operands(
        self, c: ColumnCalls, k: int, e: int, widths: Mapping[str, int], extra: Callable[[int], str]
    ) -> dict[str, list[str]]:
        """Operands of row e of kernel k."""
        calls = c.calls
        first = {"index": calls.index_start[k], "number": calls.number_start[k], "extra": calls.extra_start[k]}
        at = int(first["index"]) + e * widths["x"]
        coordinates = c.index[at : at + widths["x"]].tolist()
        at = int(first["number"]) + e * widths["number"]
        numbers = c.numbers.source[at : at + widths["number"]].tolist()
        at = int(first["extra"]) + e * widths["extra"]
        return {
            "x": [self.code.load("%x", i) for i in coordinates],
            "v": [self.code.load("%v", i) for i in coordinates],
            "number": [load_from(self.code, i, "number") for i in numbers],
            "extra": [extra(place) for place in range(at, at + widths["extra"])],
        }

    def _extra(self, c: ColumnCalls, changes: tuple[str, str]) -> Callable[[int], str]:
        """Function that loads an additional input of the kernels of a level by its place."""
        body = self.code.member("%s", System, "motion", "extra")
        of = {"%a": c.state.acceleration, body: c.state.body, "%stress": c.state.stress}
        of |= {changes[0]: c.first, changes[1]: c.second}
        places = {target: (array, source) for array, pairs in of.items() for source, target in _each(pairs)}
        return lambda place: self.code.load(*places[place])

    # -- laws and solution -------------------------------------------------------------------------------------

    def _laws(self) -> None:
        """Changes of the stresses of linear laws, after those of loads."""
        laws, code, count = self.s.laws, self.code, self.count
        for n, k in enumerate(map(int, laws.strain)):
            for e in range(laws.start[n], laws.start[n + 1]):
                for name, of in (("stiffness", self.strain), ("damping", self.rate))[: 1 + int(laws.rated[0])]:
                    factor = load_from(code, e, "laws", name)
                    for j in range(count):
                        change = of.get(int(laws.other[e]) * count + j, NOTHING)
                        add_to(code, self.stress, k * count + j, code.multiply(factor, change))
        for i, (stress, j, k, rated) in enumerate(self.block.laws.entry.tolist()):
            value = self._of_block(i, "laws", "value")
            if k >= 0:
                value = code.multiply(value, load_from(code, k, "rate" if rated else "strain"))
            add_to(code, self.stress, stress * count + j, value)

    def _solution(self) -> str:
        s, slopes, code, count = self.s, self.s.slopes, self.code, self.count
        for k in map(int, s.laws.strain):
            for e in range(slopes.start[k], slopes.start[k + 1]):
                if slopes.target[e] >= 0:
                    out = self._out(slopes.source[e])
                    for j in range(count):
                        change = code.multiply(out, self.stress.get(k * count + j, NOTHING))
                        take_from(code, self.z, int(slopes.target[e]) * count + j, change)
        self.z |= {int(place) * count + j: NOTHING for place in s.switches.place for j in range(count)}
        self._augment()
        values = {k: load_from(code, k, "factors", "values") for k in range(s.z.size)}
        scaled = {a: load_from(code, a, "factors", "scaled") for a in range(s.z.size, s.factors.values.size)}
        for j in range(count):
            z = {k: self.z.get(k * count + j, NOTHING) for k in range(s.z.size)}
            substitute(code, s.factors, values, scaled, z)
            for c, place in zip(s.free, s.place, strict=True):
                code.store("%da", int(c) * count + j, z[int(place)])
        return code.function("kernel", PARAMETERS)

    def _augment(self) -> None:
        """Add the terms of the augmented matrix."""
        s, augmented, code, count = self.s, self.s.augmented, self.code, self.count
        for n, row in enumerate(augmented.row):
            weight, place = load_from(code, n, "augmented", "weight"), int(s.rows.place[row]) * count
            for i in range(augmented.start[n], augmented.start[n + 1]):
                factor = code.multiply(weight, self._out(augmented.source[i]))
                for j in range(count):
                    change = code.multiply(factor, self.z.get(place + j, NOTHING))
                    add_to(code, self.z, int(augmented.place[i]) * count + j, change)


def _each(pairs: Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs.source.tolist(), pairs.target.tolist(), strict=True))
