"""Backup of many arrays, saved and restored in one compiled call: a run of a small model changes over a hundred."""

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
from flexura.derive.records import IntTable, address_of_data


class Backup:
    """Arrays, and a copy of their values; all numbers of records have eight bytes."""

    def __init__(self, arrays: Iterable[NDArray[Any]]) -> None:
        self.arrays = [array for array in arrays if array.size]
        sizes = np.array([array.size for array in self.arrays], dtype=np.int64)
        places = np.array([address_of_data(array) for array in self.arrays], dtype=np.int64)
        self._plan = np.stack([places, 8 * (np.cumsum(sizes) - sizes), sizes], axis=1)
        """address, place in the backup and size of each array"""
        self._count = int(sizes.sum())
        self._take()

    def again(self) -> Backup:
        """Another backup of the same arrays, with their current values."""
        other = copy(self)
        other._take()
        return other

    def _take(self) -> None:
        """Copy the current values into a separate array."""
        self._values = np.empty(self._count, dtype=np.int64)
        self._back = self._plan.copy()
        self._back[:, 1] += address_of_data(self._values)
        self._forth = self._back.copy()
        self._forth[:, 0], self._forth[:, 1] = self._back[:, 1], self._back[:, 0]
        self.renew()

    def restore(self) -> None:
        """Restore the saved values."""
        if INTERPRET:
            for array, values in zip(self.arrays, self._parts(), strict=True):
                array.ravel().view(np.int64)[:] = values
        else:
            _move_all(self._back)

    def renew(self) -> None:
        """Save the current values instead."""
        if INTERPRET:
            for array, values in zip(self.arrays, self._parts(), strict=True):
                values[:] = array.ravel().view(np.int64)
        else:
            _move_all(self._forth)

    def _parts(self) -> list[NDArray[np.int64]]:
        """Values of each array."""
        return np.split(self._values, np.cumsum([array.size for array in self.arrays])[:-1])


def _move(typing: Any, target: Any, source: Any, count: Any) -> Any:
    """Copy a given number of values from one address to another."""

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
