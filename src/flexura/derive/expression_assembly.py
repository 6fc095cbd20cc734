"""Expression graphs as straight-line LLVM assembly.

The code consists of loads, arithmetic and stores. Written directly, it compiles ten to forty times faster than the same
lines of Python by Numba, which would analyse types and scopes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from math import floor

from flexura.derive.expression import Expr
from flexura.elementary import Function
from flexura.functions import TABLE


def literal(value: float) -> str:
    """Literal of a number with all its bits."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


class Writer:
    """Writer of each shared node as one assignment, in an executable order.

    With several ``lanes`` each value is a vector, so that several elements are computed at once.
    """

    def __init__(self, inputs: dict[Expr, str], lanes: int = 1) -> None:
        self.names = dict(inputs)
        self.lanes = lanes
        self.lines: list[str] = []
        self.powers: dict[tuple[Expr, float], str] = {}
        self._declared: dict[str, str] = {}

    @property
    def type(self) -> str:
        """Type of all values."""
        return "double" if self.lanes == 1 else f"<{self.lanes} x double>"

    def constant(self, value: float) -> str:
        """Number, equal in all lanes."""
        one = literal(value)
        return one if self.lanes == 1 else f"<{', '.join([f'double {one}'] * self.lanes)}>"

    @property
    def declarations(self) -> str:
        """Declarations of the functions that the lines call."""
        return "\n".join(self._declared[name] for name in sorted(self._declared))

    def _declare(self, name: str, count: int, type: str = "double") -> None:
        self._declared[name] = f"declare {type} {name}({', '.join([type] * count)})"

    def write(self, roots: Iterable[Expr]) -> list[str]:
        """Names (or literals) of the roots; the required code is appended to ``lines``."""
        return [self._operand(root) for root in roots]

    def _assign(self, text: str) -> str:
        name = f"%t{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def _do(self, operation: str, a: str, b: str) -> str:
        # never fused: several elements at once give results bit-identical to single ones, on every processor
        return self._assign(f"{operation} {self.type} {a}, {b}")

    def _root(self, a: str) -> str:
        name = f"@llvm.sqrt.{'f64' if self.lanes == 1 else f'v{self.lanes}f64'}"
        self._declare(name, 1, self.type)
        return self._assign(f"call {self.type} {name}({self.type} {a})")

    def _call(self, name: str, *arguments: str) -> str:
        """Call a function of numbers, lane by lane."""
        self._declare(name, len(arguments))
        if self.lanes == 1:
            return self._assign(f"call double {name}({', '.join(f'double {a}' for a in arguments)})")
        result = "poison"
        for lane in range(self.lanes):
            parts = [self._assign(f"extractelement {self.type} {a}, i64 {lane}") for a in arguments]
            value = self._assign(f"call double {name}({', '.join(f'double {part}' for part in parts)})")
            result = self._assign(f"insertelement {self.type} {result}, double {value}, i64 {lane}")
        return result

    def function(self, function: Function, *arguments: str) -> str:
        """An elementary function of operands."""
        if isinstance(function.assembly, str):
            return self._call(function.assembly, *arguments)
        results, truth = list(arguments), "i1" if self.lanes == 1 else f"<{self.lanes} x i1>"
        for line in function.assembly:
            results.append(self._assign(line.format(*results, type=self.type, truth=truth, zero=self.constant(0.0))))
        return results[-1]

    def _operand(self, expr: Expr) -> str:
        if expr.kind == "const":
            return self.constant(expr.data)
        if expr.kind == "atom":
            return self._operand(expr.data[0])
        name = self.names.get(expr)
        if name is None:
            if expr.kind == "symbol":
                raise KeyError(f"the symbol {expr.data!r} is not an input of this kernel")
            name = self.names[expr] = self._written(expr)
        return name

    def _written(self, expr: Expr) -> str:
        if expr.kind == "sum":
            return self._sum(expr)
        if expr.kind == "product":
            return self._product(expr)
        if expr.kind not in TABLE:
            raise KeyError(f"kernels have no function {expr.kind!r}; use those of flexura.algebra")
        return self.function(TABLE[expr.kind], *map(self._operand, expr.data))

    def _sum(self, expr: Expr) -> str:
        constant, terms = expr.data
        total = self.constant(constant) if constant else ""
        for term, coefficient in sorted(terms, key=lambda tc: tc[1] < 0.0):
            operand, size = self._operand(term), abs(coefficient)
            piece = operand if size == 1.0 else self._do("fmul", self.constant(size), operand)
            if total:
                total = self._do("fadd" if coefficient > 0.0 else "fsub", total, piece)
            else:
                total = piece if coefficient > 0.0 else self._assign(f"fneg {self.type} {piece}")
        return total

    def _product(self, expr: Expr) -> str:
        above = [self._power(f, p) for f, p in expr.data if p > 0.0]
        below = [self._power(f, p) for f, p in expr.data if p < 0.0]
        total, *rest = above + below
        for factor in rest:
            total = self._do("fmul", total, factor)
        return total

    def _power(self, base: Expr, exponent: float) -> str:
        """Power as a named value built from multiplications, and at most one root and one reciprocal for each base."""
        operand = self._operand(base)
        if exponent == 1.0:
            return operand
        key = (base, exponent)
        if key not in self.powers:
            if exponent == 0.5:
                name = self._root(operand)
            elif exponent == -1.0:
                name = self._do("fdiv", self.constant(1.0), operand)
            elif exponent == -0.5:
                name = self._do("fdiv", self.constant(1.0), self._power(base, 0.5))
            elif not float(2.0 * exponent).is_integer():
                name = self._call("@pow", operand, self.constant(exponent))
            elif exponent < 0.0:
                name = self._do("fmul", self._power(base, exponent + 1.0), self._power(base, -1.0))
            else:
                rest = exponent - floor(exponent / 2.0) if exponent >= 2.0 else 0.5
                name = self._do("fmul", self._power(base, exponent - rest), self._power(base, rest))
            self.powers[key] = name
        return self.powers[key]
