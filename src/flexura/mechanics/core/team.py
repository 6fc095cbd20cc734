"""Threads that share the work on one large system.

A team is one thread that runs the compiled integration, and helpers that wait for tasks. A task is a compiled function
of four pointers, the number of a part and the number of parts. Every part writes to places of its own, and sums have a
fixed order, so that results are bit-identical for any number of threads.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from flexura.derive.compiled import address_of, as_array, compiled
from flexura.derive.interpretation import INTERPRET, function_at
from flexura.derive.records import Floats, Ints, Record

# tasks by number
KERNELS, FORWARD, BACKWARD, FACTORS, INPUTS, STRAINS, STRESSES, GAPS, BALANCE = range(9)
CHANGES, CORRECTIONS, EXTRAPOLATION, PREDICTION, CORRECTION, FASTEST, LISTED_FORWARD, LISTED_BACKWARD = range(9, 17)
MATRIX, LISTED_FACTORS = 17, 18
_TASKS = 19

# places on the desk; places that are written often have cache lines of their own
_TICKET, _FINISHED, THREADS, _STOP, _YIELD, _TASK, _ARGUMENTS, _SHARE = 0, 16, 32, 33, 34, 35, 36, 40
_TABLE = 48
_DESK = _TABLE + _TASKS
MOST_THREADS = 64
_PATIENCE = 20_000
"""Number of polls of the desk before a thread yields."""


class Team(Record, scratch=("desk", "given", "partial")):
    """Threads that share the work on a system."""

    desk: Ints
    """the current task"""
    given: Floats
    """numbers given to a task"""
    partial: Floats
    """results of the parts of a task, eight numbers apart"""


def one_thread() -> Team:
    """Team of one."""
    desk = np.zeros(_DESK, dtype=np.int64)
    desk[THREADS] = 1
    return Team(desk=desk, given=np.zeros(4), partial=np.zeros(8 * MOST_THREADS))


NUMBERS: Any = cast(Any, types).CPointer(types.float64)
INTEGERS: Any = cast(Any, types).CPointer(types.int64)
"""Types of pointers to arrays in signatures of tasks."""

_task_functions: dict[int, tuple[Callable[..., None], Any]] = {}


def words_signature(*kinds: Any) -> Any:
    """Signature of a function of four pointers, a part and a number of parts; ``kinds`` type the pointers."""
    return types.void(*kinds, *(NUMBERS,) * (4 - len(kinds)), types.int64, types.int64)


def task(number: int, *kinds: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function of four pointers, a part and a number of parts as a task; ``kinds`` type the pointers."""

    def registered(function: Callable[..., None]) -> Callable[..., None]:
        _task_functions[number] = function, words_signature(*kinds)
        return function

    return registered


def _load_word(typing: Any, desk: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.load_atomic(builder.gep(data, [args[1]]), ordering="acquire", align=8)

    return types.int64(desk, types.int64), generate


def _store_word(typing: Any, desk: Any, place: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        builder.store_atomic(args[2], builder.gep(data, [args[1]]), ordering="release", align=8)
        return context.get_dummy_value()

    return types.void(desk, types.int64, types.int64), generate


def _add_word(typing: Any, desk: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        builder.atomic_rmw("add", builder.gep(data, [args[1]]), ir.Constant(ir.IntType(64), 1), "acq_rel")
        return context.get_dummy_value()

    return types.void(desk, types.int64), generate


def _call_words(typing: Any, address: Any, a: Any, b: Any, c: Any, d: Any, part: Any, parts: Any) -> Any:
    """f(a, b, c, d, part, parts) of the function at ``address``; pointers are words, too."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [word.type for word in args[1:]])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
        return context.get_dummy_value()

    return types.void(*(types.int64,) * 7), generate


def _call_yield(typing: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), [])
        return context.get_dummy_value()

    return types.void(types.int64), generate


def _address(typing: Any, pointed: Any) -> Any:
    """Address of the first number of an array, or of a record."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, value = signature.args[0], args[0]
        pointer = context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
        return builder.ptrtoint(pointer, ir.IntType(64))

    return types.int64(pointed), generate


def _interpret_words(address: int, *words: Any) -> None:
    function_at(address)(*words)


def _itself(pointed: Any) -> Any:
    return pointed


_load: Any = intrinsic(_load_word)
_store: Any = intrinsic(_store_word)
_add: Any = intrinsic(_add_word)
call_words: Any = _interpret_words if INTERPRET else intrinsic(_call_words)
_let_others_run: Any = intrinsic(_call_yield)
address: Any = _itself if INTERPRET else intrinsic(_address)


@compiled
def share(desk: Ints, number: int, a: int, b: int, c: int, d: int) -> None:
    """Perform a task in as many parts as there are threads; the pointers are given as addresses.

    Called through its address, so that its callers compile faster.
    """
    call_words(desk[_SHARE], address(desk), number, a, b, c, d)


def _share(words: Any, number: int, a: int, b: int, c: int, d: int) -> None:
    desk = as_array(words, _DESK)
    threads, work = desk[THREADS], desk[_TABLE + number]
    desk[_TASK] = work
    desk[_ARGUMENTS], desk[_ARGUMENTS + 1], desk[_ARGUMENTS + 2], desk[_ARGUMENTS + 3] = a, b, c, d
    _store(desk, _FINISHED, 0)
    _store(desk, _TICKET, desk[_TICKET] + 1)
    call_words(work, a, b, c, d, 0, threads)
    looks = 0
    while _load(desk, _FINISHED) != threads - 1:
        looks += 1
        if looks > _PATIENCE:
            looks = 0
            _let_others_run(desk[_YIELD])


@compiled
def serve(desk: Ints, part: int) -> None:
    """Perform one part of every task until the team is dissolved."""
    seen, looks, place = 0, 0, _ARGUMENTS
    while True:
        if _load(desk, _TICKET) == seen:
            if _load(desk, _STOP) != 0:
                return
            looks += 1
            if looks > _PATIENCE:
                looks = 0
                _let_others_run(desk[_YIELD])
            continue
        seen, looks = seen + 1, 0
        call_words(desk[_TASK], desk[place], desk[place + 1], desk[place + 2], desk[place + 3], part, desk[THREADS])
        _add(desk, _FINISHED)


@compiled
def first_of(part: int, parts: int, count: int) -> int:
    """First member of a part, of ``count`` members in all; the first of the next part is its end."""
    return (count * part) // parts


@compiled
def largest_of_parts(team: Team) -> float:
    """Largest of the results of the parts of a task."""
    largest = team.partial[0]
    for part in range(1, team.desk[THREADS]):
        largest = max(largest, team.partial[8 * part])
    return largest


@contextmanager
def working(desk: Ints, threads: int) -> Iterator[None]:
    """Let this number of threads share the work of the system with this desk."""
    if threads <= 1 or INTERPRET or desk[THREADS] > 1:
        yield
        return
    for number, (function, signature) in _task_functions.items():
        desk[_TABLE + number] = address_of(function, signature)
    desk[_YIELD] = _yield_address()
    desk[_SHARE] = address_of(_share, types.void(INTEGERS, *(types.int64,) * 5))
    desk[_TICKET], desk[_STOP] = 0, 1
    serve(desk, 0)  # compiles
    desk[THREADS], desk[_STOP] = threads, 0
    helpers = [threading.Thread(target=serve, args=(desk, part), daemon=True) for part in range(1, threads)]
    try:
        for helper in helpers:
            helper.start()
        yield
    finally:
        desk[_STOP] = 1
        for helper in helpers:
            helper.join()
        desk[THREADS] = 1


def _yield_address() -> int:
    """Address of the function of the operating system that lets another thread run."""
    library: Any = ctypes.WinDLL("kernel32") if sys.platform == "win32" else ctypes.CDLL(None)  # type: ignore[attr-defined,unused-ignore]
    function = library.SwitchToThread if sys.platform == "win32" else library.sched_yield
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)
