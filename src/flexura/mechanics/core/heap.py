"""Heap of keys with the least first, and growing arrays, for compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Ints


@compiled
def larger(array: Any, size: int) -> Any:
    """Array with room for ``size`` numbers, copied only if it must grow."""
    if size <= array.size:
        return array
    copied = np.empty(2 * size, dtype=array.dtype)
    for k in range(array.size):
        copied[k] = array[k]
    return copied


@compiled
def push(heap: Ints, count: int, key: int) -> Ints:
    """Add a key to a heap of ``count`` keys."""
    heap = larger(heap, count + 1)
    k = count
    while k > 0 and heap[(k - 1) // 2] > key:
        heap[k] = heap[(k - 1) // 2]
        k = (k - 1) // 2
    heap[k] = key
    return heap


@compiled
def pop(heap: Ints, count: int) -> int:
    """Remove the least key from a heap of ``count`` keys."""
    least, last, k = heap[0], heap[count - 1], 0
    while 2 * k + 1 < count - 1:
        child = 2 * k + 1
        if child + 1 < count - 1 and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= last:
            break
        heap[k] = heap[child]
        k = child
    heap[k] = last
    return least
