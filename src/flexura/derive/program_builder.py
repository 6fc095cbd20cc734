"""Expression graphs as programs for the register machine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce

import numpy as np

from flexura.derive.expression import Expr
from flexura.derive.numbered_functions import NUMBERS, function_address
from flexura.derive.program import (
    ADD,
    DIVIDE,
    FUNCTION,
    MULTIPLY,
    NEGATE,
    POWER,
    RECIPROCAL,
    SQRT,
    SQUARE,
    SUBTRACT,
    TABLE,
    Program,
    Span,
)
from flexura.derive.records import Floats

_LONGEST_CHAIN = 64
"""Largest exponent for which a power is made of multiplications, each with a rounding error of half a unit."""


class ProgramBuilder:
    """Builder of one program from several expressions.

    The inputs are the first registers, constants have registers of their own, and no register is used twice, so that
    the outputs of all spans remain available together.
    """

    def __init__(self, inputs: tuple[str, ...] = ("t", "e", "v")) -> None:
        self._inputs = {name: i for i, name in enumerate(inputs)}
        self._registers = [0.0] * len(inputs)
        self._constants: dict[str, int] = {}
        self._code: list[tuple[int, int, int, int]] = []
        self._tables: dict[tuple[bytes, bytes], int] = {}
        self._start = [0]
        self._break: list[Floats] = []
        self._coefficient: list[Floats] = []

    def table(self, breaks: Floats, coefficients: Floats) -> int:
        """Number of a table of cubics: one row of ascending coefficients for each interval; equal tables are shared."""
        breaks, coefficients = np.asarray(breaks, dtype=float), np.asarray(coefficients, dtype=float)
        if coefficients.shape != (len(breaks) - 1, 4):
            raise ValueError(f"{len(breaks)} breaks and coefficients {coefficients.shape} do not make a table")
        key = (breaks.tobytes(), coefficients.tobytes())
        if key not in self._tables:
            self._tables[key] = len(self._break)
            self._start.append(self._start[-1] + len(breaks))
            self._break.append(breaks)
            last = _value(coefficients[-1], breaks[-1] - breaks[-2])
            self._coefficient.append(np.vstack([coefficients, [last, 0.0, 0.0, 0.0]]))
        return self._tables[key]

    def add(self, exprs: Sequence[Expr]) -> Span:
        """Append expressions of the inputs; common subexpressions are computed once."""
        start = len(self._code)
        writer = _Writer(self)
        outputs = tuple(writer.operand(expr) for expr in exprs)
        return Span(start, len(self._code), outputs)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Separate expressions that share neither constants nor tables with others: their numbers can change alone."""
        shared = self._constants, self._tables
        self._constants, self._tables = {}, {}
        yield
        self._constants, self._tables = shared

    def take_beginning(self, other: ProgramBuilder) -> bool:
        """Replace the numbers of a separate program at the beginning of this one; false if it begins otherwise."""
        rows, tables = len(other._code), len(other._break)
        if self._code[:rows] != other._code or self._start[: tables + 1] != other._start:
            return False
        self._registers[: len(other._registers)] = other._registers
        self._break[:tables], self._coefficient[:tables] = other._break, other._coefficient
        return True

    def reserve(self, count: int) -> int:
        """Consecutive registers for numbers set from outside; returns the first."""
        first = len(self._registers)
        self._registers += [0.0] * count
        return first

    def finish(self) -> Program:
        """Program as arrays."""
        return Program(
            code=np.array(self._code, dtype=np.int64).reshape(-1, 4),
            registers=np.array(self._registers, dtype=float),
            table_start=np.array(self._start, dtype=np.int64),
            table_break=np.concatenate([np.zeros(0), *self._break]),
            table_coefficient=np.concatenate([np.zeros((0, 4)), *self._coefficient]),
            functions=np.array([function_address()], dtype=np.int64),
        )

    @property
    def inputs(self) -> int:
        """Number of inputs, which are the first registers."""
        return len(self._inputs)

    def input(self, name: str) -> int:
        """The register of an input."""
        if name not in self._inputs:
            raise KeyError(f"the symbol {name!r} is not an input of this program; inputs are {', '.join(self._inputs)}")
        return self._inputs[name]

    def constant(self, value: float) -> int:
        """The register that holds this number."""
        # the text distinguishes 0.0 from -0.0
        if repr(value) not in self._constants:
            self._constants[repr(value)] = len(self._registers)
            self._registers.append(value)
        return self._constants[repr(value)]

    def emit(self, operation: int, a: int, b: int = 0) -> int:
        """Append a row; returns the register of its value."""
        self._registers.append(0.0)
        self._code.append((operation, len(self._registers) - 1, a, b))
        return len(self._registers) - 1


class _Writer:
    """Writer of each node of a graph, operands first."""

    def __init__(self, builder: ProgramBuilder) -> None:
        self.builder = builder
        self.done: dict[Expr, int] = {}
        self.powers: dict[tuple[int, float], int] = {}

    def operand(self, expr: Expr) -> int:
        """The register of an expression."""
        if expr.kind == "atom":
            return self.operand(expr.data[0])
        if expr not in self.done:
            self.done[expr] = self.write(expr)
        return self.done[expr]

    def write(self, expr: Expr) -> int:
        match expr.kind:
            case "const":
                return self.builder.constant(expr.data)
            case "symbol":
                return self.builder.input(expr.data)
            case "sum":
                return self.sum(*expr.data)
            case "product":
                return self.product(expr.data)
            case "table":
                return self.table(*expr.data)
        if expr.kind not in NUMBERS:
            raise KeyError(f"programs have no function {expr.kind!r}; use those of flexura.algebra")
        return self.builder.emit(FUNCTION + NUMBERS[expr.kind], *(self.operand(a) for a in expr.data))

    def sum(self, constant: float, terms: Sequence[tuple[Expr, float]]) -> int:
        emit = self.builder.emit
        # positive terms first, so that a sum rarely starts with a change of sign
        (first, scale), *rest = sorted(terms, key=lambda tc: tc[1] < 0.0)
        total = self.scaled(first, abs(scale))
        if scale < 0.0:
            total = emit(SUBTRACT, self.builder.constant(constant), total) if constant else emit(NEGATE, total)
        elif constant:
            total = emit(ADD, self.builder.constant(constant), total)
        for term, coefficient in rest:
            total = emit(SUBTRACT if coefficient < 0.0 else ADD, total, self.scaled(term, abs(coefficient)))
        return total

    def scaled(self, expr: Expr, factor: float) -> int:
        operand = self.operand(expr)
        return operand if factor == 1.0 else self.builder.emit(MULTIPLY, self.builder.constant(factor), operand)

    def product(self, factors: Sequence[tuple[Expr, float]]) -> int:
        emit = self.builder.emit
        above = [self.power(self.operand(f), p) for f, p in factors if p > 0.0]
        below = [self.power(self.operand(f), -p) for f, p in factors if p < 0.0]
        if not above:
            return emit(RECIPROCAL, self.chain(below))
        return emit(DIVIDE, self.chain(above), self.chain(below)) if below else self.chain(above)

    def chain(self, factors: Sequence[int]) -> int:
        return reduce(lambda a, b: self.builder.emit(MULTIPLY, a, b), factors)

    def power(self, base: int, exponent: float) -> int:
        """Positive power: by multiplications and one root if the exponent permits."""
        if exponent == 1.0:
            return base
        key = (base, exponent)
        if key not in self.powers:
            emit, whole = self.builder.emit, math.floor(exponent)
            if exponent == 0.5:
                made = emit(SQRT, base)
            elif exponent > _LONGEST_CHAIN or not (2.0 * exponent).is_integer():
                made = emit(POWER, base, self.builder.constant(exponent))
            elif whole != exponent:
                made = emit(MULTIPLY, self.power(base, float(whole)), self.power(base, 0.5))
            elif whole % 2:
                made = emit(MULTIPLY, self.power(base, exponent - 1.0), base)
            else:
                made = emit(SQUARE, self.power(base, exponent / 2.0))
            self.powers[key] = made
        return self.powers[key]

    def table(self, argument: Expr, number: Expr, order: Expr) -> int:
        # the fourth derivative of a cubic
        if order.data > 3.0:
            return self.builder.constant(0.0)
        return self.builder.emit(TABLE, self.operand(argument), 4 * int(number.data) + int(order.data))


def _value(coefficients: Floats, x: float) -> float:
    c0, c1, c2, c3 = coefficients
    return float(c0 + x * (c1 + x * (c2 + x * c3)))
