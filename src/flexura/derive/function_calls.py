"""Elementary functions by number, for programs: one compiled function that branches on the number.

The function is written in assembly from the table of functions, and called through its address, so that a new entry
of the table compiles nothing else anew.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from flexura.derive.emit import Writer
from flexura.derive.interpretation import INTERPRET, function_at, number_of
from flexura.derive.machine_code import load
from flexura.functions import TABLE

_CALLED = [function for function in TABLE.values() if function.assembly]

NUMBERS = {function.name: i for i, function in enumerate(_CALLED)}
"""Number of each function that programs call."""

_ASSEMBLY = """; elementary functions by number; derived, do not edit.

{declarations}

define double @function(i64 %number, double %x, double %y) {{
  switch i64 %number, label %none [ {labels} ]
{branches}
none:
  ret double 0x7FF8000000000000
}}
"""


def function_address() -> int:
    """Address of function(number, x, y)."""
    return number_of(_function) if INTERPRET else load(_assembly(), "function")


def _function(number: int, x: float, y: float) -> Any:
    function = _CALLED[number]
    return function.array(*(x, y)[: function.arity])


def _assembly() -> str:
    writer, branches = Writer({}), list[str]()
    for number, function in enumerate(_CALLED):
        before = len(writer.lines)
        result = writer.function(function, *("%x", "%y")[: function.arity])
        lines = [*writer.lines[before:], f"ret double {result}"]
        branches += [f"f{number}:", *(f"  {line}" for line in lines)]
    labels = " ".join(f"i64 {number}, label %f{number}" for number in range(len(_CALLED)))
    return _ASSEMBLY.format(declarations=writer.declarations, labels=labels, branches="\n".join(branches))


def _call_function(typing: Any, address: Any, number: Any, x: Any, y: Any) -> Any:
    signature = types.float64(types.int64, types.int64, types.float64, types.float64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.DoubleType(), [argument.type for argument in args[1:]])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])

    return signature, generate


def _interpret_function(address: int, number: int, x: float, y: float) -> Any:
    return function_at(address)(number, x, y)


call_function: Any = _interpret_function if INTERPRET else intrinsic(_call_function)
