"""Index lists as arrays of records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.system import Pairs, Triples


def ints(values: Iterable[Any]) -> Ints:
    """A one-dimensional array of indices."""
    return np.array(list(values), dtype=np.int64).reshape(-1)


def floats(values: Iterable[float]) -> Floats:
    """A one-dimensional array of numbers."""
    return np.array(list(values), dtype=np.float64).reshape(-1)


def table(rows: Sequence[tuple[int, ...]], width: int) -> Ints:
    """An array of indices with a fixed number of columns, possibly no rows."""
    return np.array(rows, dtype=np.int64).reshape(-1, width)


def pairs(columns: Ints) -> Pairs:
    """Pairs from an array with the rows source and target."""
    source, target = columns
    return Pairs(source=source, target=target)


def triples(columns: Ints) -> Triples:
    """Triples from an array with the rows source, target and other."""
    source, target, other = columns
    return Triples(source=source, target=target, other=other)
