"""The compiled kernels of an element, called as the equations of motion call them."""

from __future__ import annotations

import ctypes

import numpy as np

from flexura.battery.specimen import Array, Specimen
from flexura.derive.interpretation import INTERPRET, function_at
from flexura.derive.kernels import compile_kernel, derive

_POINTER = ctypes.POINTER(ctypes.c_double)
_INDEX = ctypes.POINTER(ctypes.c_int64)
_KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_int64, _INDEX, *[_POINTER] * 5)

_SINGLE = {"strain", "convection", "force", "place", "drift", "spin", "track", "by_x", "by_v", "by_number", "by_body"}
"""The outputs that are vectors."""


def outputs(specimen: Specimen, level: str, x: Array, v: Array, extra: Array) -> dict[str, Array]:
    """The outputs of a kernel by quantity, as full matrices."""
    derived = derive(specimen.kind, level)
    address = compile_kernel(derived.source)
    out = np.full(max(len(derived.entries), 1), np.nan)
    index = np.arange(specimen.kind.width, dtype=np.int64)
    arrays = [np.ascontiguousarray(a, dtype=float) for a in (list(specimen.numbers.values()), x, v, extra)]
    if INTERPRET:
        function_at(address)(1, index, *arrays, out)
    else:
        _KERNEL(address)(1, index.ctypes.data_as(_INDEX), *(a.ctypes.data_as(_POINTER) for a in (*arrays, out)))
    found: dict[str, Array] = {}
    for (name, i, j), value in zip(derived.entries, out, strict=False):
        columns = 1 if name in _SINGLE else specimen.kind.width
        matrix = found.setdefault(name, np.zeros((_rows(specimen, name), columns)))
        matrix[i, j] = value
        if name in {"mass", "geometric"}:  # the lower triangle is given
            matrix[j, i] = value
    return found


def _rows(specimen: Specimen, name: str) -> int:
    """Number of rows of an output."""
    if name in {"place", "drift", "by_body"}:
        return specimen.dimension
    if name == "spin":
        return 1 if specimen.dimension == 2 else 3
    if name == "track":
        return len(specimen.element.following())
    if name in {"transport", "transport_rate"}:
        return len(specimen.element.slips)
    if name == "by_number":
        return len(specimen.numbers)
    by_coordinate = name in {"mass", "geometric", "force_x", "force_v", "force", "by_x", "by_v"}
    return specimen.kind.width if by_coordinate else len(specimen.element.rows())
