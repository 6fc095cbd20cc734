"""Call of an elementary function by number, from compiled code."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from flexura.derive.interpretation import INTERPRET, function_at


def _call_function(typing: Any, address: Any, number: Any, x: Any, y: Any) -> Any:
    signature = types.float64(types.int64, types.int64, types.float64, types.float64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.DoubleType(), [argument.type for argument in args[1:]])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])

    return signature, generate


def _interpret_function(address: int, number: int, x: float, y: float) -> Any:
    return function_at(address)(number, x, y)


call_function: Any = _interpret_function if INTERPRET else intrinsic(_call_function)
