"""Interpretation of compiled functions and kernels in Python, for debugging.

With ``FLEXURA_INTERPRET=1`` in the environment nothing is compiled: ``compiled`` functions run as they are written,
kernels as the Python that :mod:`flexura.derive.python_kernel` writes, and a debugger steps through both. An address is
then the number of a Python function, and a pointer to a record leads back to the record.
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
    """Number that stands for the address of a function."""
    number = _functions.setdefault(function, len(_functions) + 1)
    _by_number[number] = function
    return number


def function_at(number: int) -> Callable[..., Any]:
    """Function with this number."""
    return _by_number[int(number)]


def remember(pointer: int, record: Any) -> None:
    """Let a pointer lead back to its record."""
    if INTERPRET:
        _records[pointer] = record


def record_at(pointer: int) -> Any:
    """Record with this pointer."""
    return _records[int(pointer)]


def array_at(pointer: Any, count: int) -> Any:
    """Array of so many numbers, given by its beginning: in Python an array as well."""
    return pointer[:count]
