"""Elementary functions by number, for programs: one compiled function that branches on the number.

The function is written in assembly from the table of functions, and called through its address, so that a new entry
of the table requires no other compilation.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from flexura.derive.expression_assembly import Writer
from flexura.derive.interpretation import INTERPRET, number_of
from flexura.derive.machine_code import load
from flexura.functions import TABLE

_CALLED = [function for function in TABLE.values() if function.assembly]

NUMBERS = {function.name: i for i, function in enumerate(_CALLED)}
"""Number of each function that programs can call."""

_ASSEMBLY = """; elementary functions by number; derived, do not edit.

{declarations}

define double @function(i64 %number, double %x, double %y) {{
  switch i64 %number, label %none [ {labels} ]
{branches}
none:
  ret double 0x7FF8000000000000
}}
"""


@cache
def function_address() -> int:
    """Address of function(number, x, y)."""
    return number_of(_function) if INTERPRET else load(functions_assembly(), "function")


def _function(number: int, x: float, y: float) -> Any:
    function = _CALLED[number]
    return function.array(*(x, y)[: function.arity])


def functions_assembly() -> str:
    """Assembly of function(number, x, y)."""
    writer, branches = Writer({}), list[str]()
    for number, function in enumerate(_CALLED):
        before = len(writer.lines)
        result = writer.function(function, *("%x", "%y")[: function.arity])
        lines = [*writer.lines[before:], f"ret double {result}"]
        branches += [f"f{number}:", *(f"  {line}" for line in lines)]
    labels = " ".join(f"i64 {number}, label %f{number}" for number in range(len(_CALLED)))
    return _ASSEMBLY.format(declarations=writer.declarations, labels=labels, branches="\n".join(branches))
