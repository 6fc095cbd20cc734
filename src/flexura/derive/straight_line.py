"""Straight-line functions over arrays of numbers, as LLVM assembly, without repeated operations."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flexura.derive.expression_assembly import Writer, literal
from flexura.derive.records import CELLS, Record, RecordType

NOTHING = literal(0.0)
"""Zero: sums and products with it are omitted."""
ONE = literal(1.0)

_ASSIGNMENT = re.compile(r"(%[\w.]+) = (.*)")
_NAME = re.compile(r"%[\w.]+")
_FUNCTION = """{declarations}
define void @{name}({parameters}) {{
{lines}
  ret void
}}
!0 = !{{}}
"""


class StraightLine:
    """Writer of a function without branches, operation by operation; operands are names and literals."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: dict[str, str] = {}
        self._declarations: set[str] = set()

    def assign(self, text: str) -> str:
        """Name of the result of an operation."""
        name = self._known.get(text)
        if name is None:
            name = self._known[text] = f"%u{len(self._known)}"
            self.lines.append(f"{name} = {text}")
        return name

    # -- arrays ------------------------------------------------------------------------------------------------

    def member(self, record: str, kind: type[Record], *path: str) -> str:
        """Pointer to an array of a record, or of a nested record."""
        found: RecordType = kind.numba_type
        for name in path:
            cell = self.assign(f"getelementptr i64, ptr {record}, i64 {CELLS * found.places[name]}")
            record, found = self.assign(f"load ptr, ptr {cell}, !invariant.load !0"), found.members[name]
        return record

    def place(self, array: str, i: int, kind: str = "double") -> str:
        """Pointer to one number of an array."""
        return self.assign(f"getelementptr {kind}, ptr {array}, i64 {i}")

    def load(self, array: str, i: int) -> str:
        """Load a number from an array that was not stored to before."""
        return self.assign(f"load double, ptr {self.place(array, i)}")

    def store(self, array: str, i: int, value: str) -> None:
        """Store a number into an array that is not loaded from afterwards."""
        self.lines.append(f"store double {value}, ptr {self.place(array, i)}")

    # -- arithmetic --------------------------------------------------------------------------------------------

    def add(self, a: str, b: str) -> str:
        """a + b"""
        if NOTHING in (a, b):
            return b if a == NOTHING else a
        return self.assign(f"fadd double {a}, {b}")

    def subtract(self, a: str, b: str) -> str:
        """a - b"""
        if b == NOTHING:
            return a
        return self.assign(f"fneg double {b}" if a == NOTHING else f"fsub double {a}, {b}")

    def multiply(self, a: str, b: str) -> str:
        """a b"""
        return NOTHING if NOTHING in (a, b) else self.assign(f"fmul double {a}, {b}")

    def inverse(self, a: str) -> str:
        """1 / a"""
        return self.assign(f"fdiv double {ONE}, {a}")

    def paste(self, writer: Writer, inputs: dict[str, str], results: list[str]) -> list[str]:
        """Results of the lines of another writer for these inputs."""
        names = dict(inputs)
        for line in writer.lines:
            name, text = _ASSIGNMENT.fullmatch(line).groups()  # type: ignore[union-attr]
            names[name] = self.assign(_NAME.sub(lambda found: names[found[0]], text))
        self._declarations.update(writer.declarations.splitlines())
        return [names.get(result, result) for result in results]

    # -- several elements at once ------------------------------------------------------------------------------

    def together(self, values: Sequence[str]) -> str:
        """Vector of several numbers; one number as it is."""
        if len(values) == 1:
            return values[0]
        vector = "poison"
        for lane, value in enumerate(values):
            vector = self.assign(f"insertelement <{len(values)} x double> {vector}, double {value}, i64 {lane}")
        return vector

    def apart(self, vector: str, lane: int, lanes: int) -> str:
        """A number of a vector."""
        return vector if lanes == 1 else self.assign(f"extractelement <{lanes} x double> {vector}, i64 {lane}")

    def function(self, name: str, parameters: str) -> str:
        """Assembly of the function."""
        lines = "\n".join(f"  {line}" for line in self.lines)
        declarations = "\n".join(sorted(self._declarations))
        return _FUNCTION.format(declarations=declarations, name=name, parameters=parameters, lines=lines)
