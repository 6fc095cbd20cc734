"""Calls of kernels through their addresses, from compiled code.

Every kernel has the signature of :mod:`flexura.derive.kernels`, so the assembly and the integrators are compiled once
and serve every kind of element, a user's own included.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from flexura.derive.interpretation import INTERPRET, function_at, record_at


def _call(context: Any, builder: Any, address: Any, arguments: Any) -> Any:
    """Call of the function at an address with arguments of any types, without a value."""
    kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
    builder.call(builder.inttoptr(address, kind.as_pointer()), arguments)
    return context.get_dummy_value()


def _pointers(context: Any, builder: Any, kinds: Any, arrays: Any) -> list[Any]:
    """Pointers to the data of arrays."""
    pairs = zip(kinds, arrays, strict=True)
    return [context.make_array(kind)(context, builder, array).data for kind, array in pairs]


def _call_kernel(
    typing: Any,
    address: Any,
    count: Any,
    index: Any,
    index_start: Any,
    number: Any,
    number_start: Any,
    x: Any,
    v: Any,
    extra: Any,
    extra_start: Any,
    out: Any,
    out_start: Any,
) -> Any:
    """kernel(count, index + …, number + …, x, v, extra + …, out + …) of the kernel at ``address``."""
    signature = types.void(
        types.int64, types.int64, index, types.int64, number, types.int64, x, v, extra, types.int64, out, types.int64
    )

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def pointer(position: int, start: Any = None) -> Any:
            kind = signature.args[position]
            data = context.make_array(kind)(context, builder, args[position]).data
            return data if start is None else builder.gep(data, [start])

        arguments = [
            args[1],
            pointer(2, args[3]),
            pointer(4, args[5]),
            pointer(6),
            pointer(7),
            pointer(8, args[9]),
            pointer(10, args[11]),
        ]
        return _call(context, builder, args[0], arguments)

    return signature, generate


def _interpret_kernel(
    address: int,
    count: int,
    index: Any,
    index_start: int,
    number: Any,
    number_start: int,
    x: Any,
    v: Any,
    extra: Any,
    extra_start: int,
    out: Any,
    out_start: int,
) -> None:
    kernel = function_at(address)
    kernel(count, index[index_start:], number[number_start:], x, v, extra[extra_start:], out[out_start:])


call_kernel: Any = _interpret_kernel if INTERPRET else intrinsic(_call_kernel)


def _interpret(address: int, *arguments: Any) -> None:
    function_at(address)(*arguments)


def entry_signature(record: Any) -> Any:
    """f(record, t, x, v, a, stress): compiled functions that are called through their addresses."""
    array = types.CPointer(types.float64)
    return types.void(record, types.float64, array, array, array, array)


def _call_entry(typing: Any, address: Any, record: Any, t: Any, x: Any, v: Any, a: Any, stress: Any) -> Any:
    signature = types.void(types.int64, record, types.float64, x, v, a, stress)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = _pointers(context, builder, signature.args[3:], args[3:])
        return _call(context, builder, args[0], [args[1], args[2], *data])

    return signature, generate


call_entry: Any = _interpret if INTERPRET else intrinsic(_call_entry)


def step_signature(system: Any, memory: Any) -> Any:
    """f(system, memory, h)."""
    return types.void(system, memory, types.float64)


def _call_step(typing: Any, address: Any, system: Any, memory: Any, h: Any) -> Any:
    signature = types.void(types.int64, system, memory, types.float64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _call(context, builder, args[0], args[1:])

    return signature, generate


call_step: Any = _interpret if INTERPRET else intrinsic(_call_step)


def method_signature(system: Any, memory: Any, own: Any) -> Any:
    """f(system, memory, own, h): a part of a step by a method with a memory of its own."""
    return types.void(system, memory, own, types.float64)


def _call_method(typing: Any, address: Any, system: Any, memory: Any, own: Any, h: Any) -> Any:
    """f(system, memory, own, h), ``own`` being the address of a record of any class."""
    signature = types.void(types.int64, system, memory, types.int64, types.float64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        record = builder.inttoptr(args[3], args[1].type)
        arguments = [args[1], args[2], record, args[4]]
        return _call(context, builder, args[0], arguments)

    return signature, generate


def _interpret_method(address: int, system: Any, memory: Any, own: int, h: float) -> None:
    function_at(address)(system, memory, record_at(own), h)


call_method: Any = _interpret_method if INTERPRET else intrinsic(_call_method)


def _call_arrays(typing: Any, address: Any, first: Any, second: Any, third: Any) -> Any:
    """f(first, second, third): a function of three arrays of numbers, given by their addresses."""
    signature = types.void(types.int64, first, second, third)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = _pointers(context, builder, signature.args[1:], args[1:])
        return _call(context, builder, args[0], data)

    return signature, generate


call_arrays: Any = _interpret if INTERPRET else intrinsic(_call_arrays)


def _call_columns(
    typing: Any, address: Any, record: Any, block: Any, x: Any, v: Any, a: Any, stress: Any, dx: Any, dv: Any, da: Any
) -> Any:
    """f(record, block, x, v, a, stress, dx, dv, da): the function of a block of columns, given by its address."""
    signature = types.void(types.int64, record, block, x, v, a, stress, dx, dv, da)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = _pointers(context, builder, signature.args[3:], args[3:])
        return _call(context, builder, args[0], [args[1], args[2], *data])

    return signature, generate


call_columns: Any = _interpret if INTERPRET else intrinsic(_call_columns)
