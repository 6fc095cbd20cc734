"""Interpretation of compiled functions and kernels in Python, for debugging.

With ``FLEXURA_INTERPRET=1`` in the environment nothing is compiled: ``compiled`` functions run in Python,
kernels as the code of :mod:`flexura.derive.python_kernel`, and a debugger steps through both. An address is
then the number of a Python function, and a pointer to a record is resolved to the record.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

INTERPRET = os.environ.get("FLEXURA_INTERPRET", "0") not in {"", "0"}
"""True if this process interprets kernels."""

if INTERPRET:
    # division by zero and overflow are silent in compiled code
    np.seterr(all="ignore")

_functions: dict[Callable[..., Any], int] = {}
_by_number: dict[int, Callable[..., Any]] = {}
_records: WeakValueDictionary[int, Any] = WeakValueDictionary()


def number_of(function: Callable[..., Any]) -> int:
    """Number that represents the address of a function."""
    number = _functions.setdefault(function, len(_functions) + 1)
    _by_number[number] = function
    return number


def function_at(number: int) -> Callable[..., Any]:
    """Function with this number."""
    return _by_number[int(number)]


def remember(pointer: int, record: Any) -> None:
    """Associate a pointer with its record."""
    if INTERPRET:
        _records[pointer] = record


def record_at(pointer: int) -> Any:
    """Record with this pointer."""
    return _records[int(pointer)]


def array_at(pointer: Any, count: int) -> Any:
    """Array of a given length, given by its first element; in Python also an array."""
    return pointer[:count]
