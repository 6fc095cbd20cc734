"""Kernels of a kind: derived, cached, compiled, with one signature.

A kernel runs over all elements of its kind::

    kernel(n, index, number, x, v, extra, out)

``index`` has the places of the element's coordinates in x and v, ``number`` its numbers, ``extra`` additional inputs of
the level (body force or stresses), all row by row; ``out`` takes the entries that are not identically zero, in the
order of :attr:`Level.entries`.
"""

from __future__ import annotations

from functools import lru_cache

from flexura.derive.assembly_kernel import assembly_kernel
from flexura.derive.interpretation import INTERPRET, number_of
from flexura.derive.kernel_cache import Level, kernel_key, read_level, write_level
from flexura.derive.kinds import Kind, Trace
from flexura.derive.levels import inputs, places
from flexura.derive.machine_code import load
from flexura.derive.python_kernel import load_python, python_kernel

__all__ = ["LANES", "Level", "compile_kernel", "derive", "read_kernel"]

LANES = 4
"""Number of elements computed at once, for kinds with many elements."""

MANY = 3


def derive(kind: Kind, level: str, count: int = 1) -> Level:
    """Kernel of one level of a kind, for about this number of elements."""
    return _derived(kind, level, LANES if count >= MANY else 1)


@lru_cache(maxsize=256)
def _derived(kind: Kind, level: str, lanes: int) -> Level:
    if INTERPRET:
        trace = Trace(kind)
        return _described(trace, level, python_kernel(trace, level))
    key = kernel_key(kind, level, lanes)
    found = read_level(key)
    if found is None:
        trace = Trace(kind)
        found = _described(trace, level, assembly_kernel(trace, level, lanes))
        write_level(key, found)
    return found


def _described(trace: Trace, level: str, source: str) -> Level:
    return Level(source, tuple(places(trace, level)), len(inputs(trace, level)["extra"]))


def read_kernel(kind: Kind, level: str) -> str:
    """Readable kernel of one level of a kind, as Python."""
    return python_kernel(Trace(kind), level)


def compile_kernel(source: str) -> int:
    """Address of the compiled kernel."""
    return number_of(load_python(source)) if INTERPRET else load(source, "kernel")
