"""Immutable mapping, equal and hashable by content regardless of the order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from flexura.errors import ModelError

V = TypeVar("V")


class Frozen(Mapping[str, V]):
    """Immutable mapping; it keeps the order in which names were given, but comparisons ignore it."""

    __slots__ = ("_hash", "_items")

    def __init__(self, items: Mapping[str, V] = {}) -> None:
        self._items = dict(items)
        self._hash: int | None = None

    def __getitem__(self, name: str) -> V:
        return self._items[name]

    def __setitem__(self, name: str, value: V) -> None:
        remedy = f"make another one, such as model.replace(elements={{**model.elements, '{name}': …}})"
        raise ModelError("model", f"it is a value, in which '{name}' cannot be set", remedy)

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Frozen):
            return self._items == other._items
        return isinstance(other, Mapping) and self._items == dict(other)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._items.items()))
        return self._hash

    def __reduce__(self) -> tuple[type[Frozen[V]], tuple[dict[str, V]]]:
        # texts have other hashes in another process
        return Frozen, (self._items,)

    def __repr__(self) -> str:
        return repr(self._items)
