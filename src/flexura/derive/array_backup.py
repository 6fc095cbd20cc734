"""Backup of many arrays, taken and restored in one compiled call: a run of a small model changes over a hundred."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from flexura.derive.compiled import compiled
from flexura.derive.interpretation import INTERPRET
from flexura.derive.records import IntTable


class Backup:
    """Arrays, and their values at one time; all numbers of records take eight bytes."""

    def __init__(self, arrays: Iterable[NDArray[Any]]) -> None:
        self.arrays = [array for array in arrays if array.size]
        self._sizes = np.array([array.size for array in self.arrays], dtype=np.int64)
        self._places = np.array([array.ctypes.data for array in self.arrays], dtype=np.int64)
        self._take()

    def again(self) -> Backup:
        """Another backup of the same arrays, of their present values."""
        other = copy(self)
        other._take()
        return other

    def _take(self) -> None:
        """Take the present values into an array of its own."""
        self._values = np.zeros(int(self._sizes.sum()), dtype=np.int64)
        kept = self._values.ctypes.data + 8 * (np.cumsum(self._sizes) - self._sizes)
        self._back = np.stack([self._places, kept, self._sizes], axis=1)
        self._forth = np.stack([kept, self._places, self._sizes], axis=1)
        self.renew()

    def restore(self) -> None:
        """Give the arrays the values that they had."""
        if INTERPRET:
            for array, values in zip(self.arrays, self._parts(), strict=True):
                array.ravel().view(np.int64)[:] = values
        else:
            _move_all(self._back)

    def renew(self) -> None:
        """Take the present values for those to be restored."""
        if INTERPRET:
            for array, values in zip(self.arrays, self._parts(), strict=True):
                values[:] = array.ravel().view(np.int64)
        else:
            _move_all(self._forth)

    def _parts(self) -> list[NDArray[np.int64]]:
        """Values of each array."""
        return np.split(self._values, np.cumsum([array.size for array in self.arrays])[:-1])


def _move(typing: Any, target: Any, source: Any, count: Any) -> Any:
    """Copy so many numbers from one address to another."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        ends = [builder.inttoptr(address, ir.IntType(8).as_pointer()) for address in args[:2]]
        cgutils.raw_memcpy(builder, ends[0], ends[1], args[2], 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


_copy_numbers: Any = intrinsic(_move)


@compiled
def _move_all(table: IntTable) -> None:
    """Copy arrays: rows of (address to, address from, numbers)."""
    for i in range(table.shape[0]):
        _copy_numbers(table[i, 0], table[i, 1], table[i, 2])
