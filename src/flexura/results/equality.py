"""Equality of plain data with arrays in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from flexura.model.model import Model


def same(a: Any, b: Any) -> bool:
    """Equality by content; NaN equals NaN."""
    if a is b:
        return True
    if isinstance(a, np.ndarray | float | complex) and isinstance(b, np.ndarray | float | complex):
        return _same_arrays(np.asarray(a), np.asarray(b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if dataclasses.is_dataclass(a) and not isinstance(a, Model):
        return same_fields(a, b)
    return bool(a == b)


def same_fields(a: Any, b: Any) -> bool:
    """Equality of two dataclasses, field by field."""
    return type(a) is type(b) and all(same(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(a))


def _same_arrays(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    numeric = np.issubdtype(a.dtype, np.inexact) and np.issubdtype(b.dtype, np.inexact)
    return a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=numeric))
