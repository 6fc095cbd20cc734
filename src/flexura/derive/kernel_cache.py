"""Cache of derived kernels, kept on disk between processes.

Tracing the functions of an element takes milliseconds, differentiating and writing them seconds. A derived kernel is
therefore stored under a digest of the traced expressions, the whole contribution of its element, wherever the class is
defined and whatever its functions refer to. For an element of the package a digest of its source suffices.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from flexura.derive.cache_files import read_sealed, write_sealed
from flexura.derive.expression import fingerprint
from flexura.derive.kinds import Kind, Trace
from flexura.derive.levels import Entry
from flexura.derive.records import Ints
from flexura.derive.source_stamps import PACKAGE, source_stamp


@dataclass(frozen=True)
class Level:
    """Assembly of a kernel and the meaning of its outputs."""

    source: str
    entries: tuple[Entry, ...]
    extra: int
    """number of additional inputs of an element"""

    @cached_property
    def by_quantity(self) -> dict[str, Ints]:
        """Rows (place, row, column) of the outputs of each quantity."""
        found: dict[str, list[tuple[int, int, int]]] = {}
        for k, (quantity, i, j) in enumerate(self.entries):
            found.setdefault(quantity, []).append((k, i, j))
        return {quantity: np.array(places, dtype=np.int64).T for quantity, places in found.items()}


def kernel_key(kind: Kind, level: str, lanes: int) -> str:
    """Name of a derived kernel: a digest of the traced kind and of the source of the derivation."""
    stamp = source_stamp(Path(__file__).resolve().with_name("kernels.py"))
    return hashlib.sha256("\n".join([_traced(kind), level, str(lanes), stamp]).encode()).hexdigest()[:24]


@lru_cache(maxsize=256)
def _traced(kind: Kind) -> str:
    """Name of a kind: its form, and a digest of the functions of its element."""
    form = (kind.element.__qualname__, kind.element.space, kind.rows, kind.slots, kind.places, kind.numbers)
    path = PACKAGE.parent.joinpath(*kind.element.__module__.split(".")).with_suffix(".py")
    if path.is_relative_to(PACKAGE) and path.is_file():
        return f"{form} {kind.switches} {source_stamp(path)}"
    return f"{form} {fingerprint(Trace(kind).given)}"


def read_level(key: str) -> Level | None:
    """Kernel of this name; None if it is not in the cache, or is damaged."""
    content = read_sealed(_name(key))
    if content is None:
        return None
    head, source = content.decode().split("\n", 1)
    form = json.loads(head)
    return Level(source, tuple((name, i, j) for name, i, j in form["entries"]), form["extra"])


def write_level(key: str, level: Level) -> None:
    """Store a kernel under this name."""
    head = json.dumps({"entries": level.entries, "extra": level.extra})
    write_sealed(_name(key), f"{head}\n{level.source}".encode())


def _name(key: str) -> str:
    return f"{key}.kernel"
