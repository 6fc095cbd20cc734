"""The factors of small systems as straight-line machine code.

With its order known, an elimination is a list of multiplications; written out, without the lists of where each number
is, it takes a third of the time. What is written is compiled in a fraction of a second and kept between runs.
"""

from __future__ import annotations

from flexura.derive.emit import literal
from flexura.derive.interpretation import INTERPRET
from flexura.derive.machine_code import load
from flexura.mechanics.core.factors import Factors

_MOST = 2000
"""Multiplications up to which it is written out: beyond, compiling takes longer than a second."""


_written: dict[tuple[bytes, bytes], tuple[int, int]] = {}


def write_out(f: Factors) -> None:
    """Give factors code of their own where they are small enough, and solutions with larger ones."""
    if INTERPRET or (f.target.size > _MOST and 2 * f.row.size > _MOST):
        return
    # what is eliminated, and in which order: all else follows from it
    key = (f.start.tobytes(), f.row.tobytes())
    if key not in _written:
        both = solution = 0
        if 0 < f.target.size <= _MOST:
            both = load(_Elimination(f).factorise_and_solve(), "factorise_and_solve")
        if 0 < 2 * f.row.size <= _MOST:
            solution = load(_Elimination(f).solve(), "solve")
        _written[key] = both, solution
    f.entry[:] = _written[key]


class _Elimination:
    """Writes what :func:`~flexura.mechanics.core.factors.factorise_and_solve` and ``solve`` do."""

    def __init__(self, f: Factors) -> None:
        self.f = f
        self.count, self.size = f.start.size - 1, f.values.size
        self.lines: list[str] = []

    def _do(self, operation: str, a: str, b: str) -> str:
        name = f"%t{len(self.lines)}"
        self.lines.append(f"{name} = {operation} double {a}, {b}")
        return name

    def _less(self, a: str, b: str, c: str) -> str:
        """a - b c"""
        return self._do("fsub", a, self._do("fmul", b, c))

    def _load(self, array: str, places: range) -> dict[int, str]:
        for i in places:
            self.lines += [
                f"%{array}_p{i} = getelementptr double, ptr %{array}, i64 {i}",
                f"%{array}{i} = load double, ptr %{array}_p{i}",
            ]
        return {i: f"%{array}{i}" for i in places}

    def _store(self, array: str, values: dict[int, str]) -> None:
        for i, value in values.items():
            self.lines.append(f"store double {value}, ptr %{array}_p{i}")

    def _finish(self, name: str) -> str:
        arguments = "ptr noalias %values, ptr noalias %scaled, ptr noalias %z"
        body = "\n".join(f"  {line}" for line in self.lines)
        return f"define void @{name}({arguments}) {{\n{body}\n  ret void\n}}\n"

    def factorise_and_solve(self) -> str:
        """Both at once."""
        f, count = self.f, self.count
        values = self._load("values", range(self.size))
        self._load("scaled", range(count, self.size))
        z = self._load("z", range(count))
        scaled: dict[int, str] = {}
        for k in range(count):
            values[k] = self._do("fdiv", literal(1.0), values[k])
            column = range(f.start[k], f.start[k + 1])
            scaled |= {a: self._do("fmul", values[a], values[k]) for a in column}
            for c in range(f.product_start[k], f.product_start[k + 1]):
                target = int(f.target[c])
                values[target] = self._less(values[target], scaled[int(f.left[c])], values[int(f.right[c])])
            for a in column:
                row = int(f.row[a - count])
                z[row] = self._less(z[row], scaled[a], z[k])
        self._back(values, scaled, z)
        self._store("values", {k: values[k] for k in range(count)})
        self._store("scaled", scaled)
        self._store("z", z)
        return self._finish("factorise_and_solve")

    def solve(self) -> str:
        """With factors that are there."""
        f, count = self.f, self.count
        values = self._load("values", range(count))
        scaled = self._load("scaled", range(count, self.size))
        z = self._load("z", range(count))
        for a in range(f.row.size):
            row = int(f.row[a])
            z[row] = self._less(z[row], scaled[count + a], z[int(f.column[a])])
        self._back(values, scaled, z)
        self._store("z", z)
        return self._finish("solve")

    def _back(self, values: dict[int, str], scaled: dict[int, str], z: dict[int, str]) -> None:
        for k in range(self.count):
            z[k] = self._do("fmul", z[k], values[k])
        for a in reversed(range(self.f.row.size)):
            column = int(self.f.column[a])
            z[column] = self._less(z[column], scaled[self.count + a], z[int(self.f.row[a])])
