"""Expression graphs as programs for a small register machine.

What the user writes (functions of time, laws on strains) differs from model to model. As a program it is data: the
compiled integrators run it as it is, and nothing is compiled for a new formula.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.expression import Expr
from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record

# the operations: register d becomes a function of registers a and b
ADD, SUBTRACT, MULTIPLY, DIVIDE, SQUARE, NEGATE, RECIPROCAL, SQRT, POWER = range(9)
SIN, COS, TAN, EXP, LOG, TANH, ATAN2, MAXIMUM, STEP, SIGN, ABSOLUTE, TABLE = range(9, 21)

_FUNCTIONS = {
    "sin": SIN,
    "cos": COS,
    "tan": TAN,
    "exp": EXP,
    "log": LOG,
    "tanh": TANH,
    "atan2": ATAN2,
    "maximum": MAXIMUM,
    "step": STEP,
    "sign": SIGN,
    "absolute": ABSOLUTE,
}

_LONGEST_CHAIN = 64
"""Up to this exponent a power is made of multiplications, each of which costs half a unit of rounding."""


class Program(Record):
    """Rows (operation, d, a, b), the registers as they are before a run, and the tables one after another.

    Row i of a table is a cubic in x - break[i], coefficients ascending, valid from break[i] to break[i + 1]; the last
    row stands at the end of the table.
    """

    code: IntTable
    registers: Floats
    table_start: Ints
    table_break: Floats
    table_coefficient: FloatTable


class Span(NamedTuple):
    """The rows of some expressions, and the registers that hold their values after these rows have run."""

    start: int
    stop: int
    outputs: tuple[int, ...]


class ProgramBuilder:
    """Collects expressions in one program.

    The inputs are the first registers, constants have registers of their own, and no register is used twice, so that
    the outputs of all spans stay readable side by side.
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
        """The number of a table of cubics, a row of ascending coefficients an interval; equal ones are kept once."""
        breaks, coefficients = np.asarray(breaks, dtype=float), np.asarray(coefficients, dtype=float)
        if coefficients.shape != (len(breaks) - 1, 4):
            raise ValueError(f"{len(breaks)} breaks and coefficients {coefficients.shape} do not make a table")
        key = (breaks.tobytes(), coefficients.tobytes())
        if key not in self._tables:
            self._tables[key] = len(self._tables)
            self._start.append(self._start[-1] + len(breaks))
            self._break.append(breaks)
            last = _value(coefficients[-1], breaks[-1] - breaks[-2])
            self._coefficient.append(np.vstack([coefficients, [last, 0.0, 0.0, 0.0]]))
        return self._tables[key]

    def add(self, exprs: Sequence[Expr]) -> Span:
        """Append expressions of the inputs; what they share is computed once."""
        start = len(self._code)
        writer = _Writer(self)
        outputs = tuple(writer.operand(expr) for expr in exprs)
        return Span(start, len(self._code), outputs)

    def finish(self) -> Program:
        """The program as arrays."""
        return Program(
            code=np.array(self._code, dtype=np.int64).reshape(-1, 4),
            registers=np.array(self._registers, dtype=float),
            table_start=np.array(self._start, dtype=np.int64),
            table_break=np.concatenate([np.zeros(0), *self._break]),
            table_coefficient=np.concatenate([np.zeros((0, 4)), *self._coefficient]),
        )

    def input(self, name: str) -> int:
        """The register of an input."""
        if name not in self._inputs:
            raise KeyError(f"the symbol {name!r} is not an input of this program; inputs are {', '.join(self._inputs)}")
        return self._inputs[name]

    def constant(self, value: float) -> int:
        """The register that holds this number."""
        # the text tells 0.0 from -0.0
        if repr(value) not in self._constants:
            self._constants[repr(value)] = len(self._registers)
            self._registers.append(value)
        return self._constants[repr(value)]

    def emit(self, operation: int, a: int, b: int = 0) -> int:
        """Append a row; the register of its value."""
        self._registers.append(0.0)
        self._code.append((operation, len(self._registers) - 1, a, b))
        return len(self._registers) - 1


class _Writer:
    """Writes each node of a graph once, operands first."""

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
        return self.builder.emit(_FUNCTIONS[expr.kind], *(self.operand(a) for a in expr.data))

    def sum(self, constant: float, terms: Sequence[tuple[Expr, float]]) -> int:
        emit = self.builder.emit
        # the positive terms come first, so that a sum rarely starts with a change of sign
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
        """A positive power: of multiplications and one root where the exponent allows."""
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


@compiled
def look_up(program: Program, number: int, order: int, x: float) -> float:
    """A table or one of its derivatives at x; outside, the value at the nearer end holds."""
    first, last = program.table_start[number], program.table_start[number + 1] - 1
    if x < program.table_break[first]:
        return program.table_coefficient[first, 0] if order == 0 else 0.0
    if x > program.table_break[last]:
        return program.table_coefficient[last, 0] if order == 0 else 0.0

    # the interval, by halving
    low, high = first, last
    while high - low > 1:
        middle = (low + high) // 2
        if x < program.table_break[middle]:
            high = middle
        else:
            low = middle

    c = program.table_coefficient[low]
    u = x - program.table_break[low]
    y: float
    if order == 0:
        y = c[0] + u * (c[1] + u * (c[2] + u * c[3]))
    elif order == 1:
        y = c[1] + u * (2.0 * c[2] + u * 3.0 * c[3])
    elif order == 2:
        y = 2.0 * c[2] + 6.0 * u * c[3]
    else:
        y = 6.0 * c[3]
    return y


@compiled
def run(program: Program, registers: Floats, start: int, stop: int) -> None:  # noqa: PLR0912 - one branch an operation
    """Execute rows start to stop on these registers (a copy of the program's, with the inputs filled in).

    Nothing is allocated and nothing raised: what has no value is NaN.
    """
    code = program.code
    for i in range(start, stop):
        operation, d, a, b = code[i, 0], code[i, 1], code[i, 2], code[i, 3]
        x = registers[a]
        if operation == ADD:
            y = x + registers[b]
        elif operation == SUBTRACT:
            y = x - registers[b]
        elif operation == MULTIPLY:
            y = x * registers[b]
        elif operation == DIVIDE:
            y = x / registers[b]
        elif operation == SQUARE:
            y = x * x
        elif operation == NEGATE:
            y = -x
        elif operation == RECIPROCAL:
            y = 1.0 / x
        elif operation == SQRT:
            y = math.sqrt(x)
        elif operation == POWER:
            y = x ** registers[b]
        elif operation == SIN:
            y = math.sin(x)
        elif operation == COS:
            y = math.cos(x)
        elif operation == TAN:
            y = math.tan(x)
        elif operation == EXP:
            y = math.exp(x)
        elif operation == LOG:
            y = math.log(x)
        elif operation == TANH:
            y = math.tanh(x)
        elif operation == ATAN2:
            y = math.atan2(x, registers[b])
        elif operation == MAXIMUM:
            y = x if x >= registers[b] or math.isnan(x) else registers[b]
        elif operation == STEP:
            y = 1.0 if x > 0.0 else 0.0
        elif operation == SIGN:
            y = 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)
        elif operation == ABSOLUTE:
            y = abs(x)
        else:
            y = look_up(program, b // 4, b % 4, x)
        registers[d] = y


def tabulate(program: Program, span: Span, inputs: Floats) -> Floats:
    """The outputs of a span, a row for each row of inputs."""
    return _tabulate(
        program, span.start, span.stop, np.array(span.outputs, dtype=np.int64), np.ascontiguousarray(inputs)
    )


@compiled
def _tabulate(program: Program, start: int, stop: int, outputs: Ints, inputs: Floats) -> Floats:
    registers = program.registers.copy()
    result = np.empty((inputs.shape[0], outputs.shape[0]))
    for i in range(inputs.shape[0]):
        for j in range(inputs.shape[1]):
            registers[j] = inputs[i, j]
        run(program, registers, start, stop)
        for j in range(outputs.shape[0]):
            result[i, j] = registers[outputs[j]]
    return result
