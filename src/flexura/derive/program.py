"""Programs for a small register machine, and their execution in compiled code.

Functions of time and laws of strains differ from model to model. As a program they are data: the compiled integrators
interpret it, and nothing is compiled for a new formula.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.function_call import call_function
from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record

# the operations: register d becomes a function of registers a and b
ADD, SUBTRACT, MULTIPLY, DIVIDE, SQUARE, NEGATE, RECIPROCAL, SQRT, POWER, TABLE, FUNCTION = range(11)
"""From FUNCTION on, an operation is an elementary function by its number."""


class Program(Record):
    """Rows (operation, d, a, b), the registers before a run, and the tables, one after another.

    Row i of a table is a cubic in x - break[i], coefficients ascending, valid from break[i] to break[i + 1]; the last
    row marks the end of the table. ``functions`` has the address of the elementary functions.
    """

    code: IntTable
    registers: Floats
    table_start: Ints
    table_break: Floats
    table_coefficient: FloatTable
    functions: Ints


class Span(NamedTuple):
    """Rows of some expressions, and the registers of their values after these rows."""

    start: int
    stop: int
    outputs: tuple[int, ...]


@compiled
def look_up(program: Program, number: int, order: int, x: float) -> float:
    """Value of a table or one of its derivatives at x; outside of the table, that at the nearer end."""
    first, last = program.table_start[number], program.table_start[number + 1] - 1
    if x < program.table_break[first]:
        return program.table_coefficient[first, 0] if order == 0 else 0.0
    if x > program.table_break[last]:
        return program.table_coefficient[last, 0] if order == 0 else 0.0

    # bisection for the interval
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
def run(program: Program, registers: Floats, start: int, stop: int) -> None:
    """Execute rows start to stop on these registers (a copy of the program's, with the inputs filled in).

    Nothing is allocated and nothing raised: undefined values are NaN.
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
        elif operation == TABLE:
            y = look_up(program, b // 4, b % 4, x)
        else:
            y = call_function(program.functions[0], operation - FUNCTION, x, registers[b])
        registers[d] = y


def tabulate(program: Program, span: Span, inputs: Floats) -> Floats:
    """Outputs of a span, one row for each row of inputs."""
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
