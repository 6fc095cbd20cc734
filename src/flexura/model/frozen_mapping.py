"""A mapping that does not change: equal and hashable by content, whatever its order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

V = TypeVar("V")


class Frozen(Mapping[str, V]):
    """Names and values in the order they were given; the order does not count in a comparison."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, V] = {}) -> None:
        self._items = dict(items)

    def __getitem__(self, name: str) -> V:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)
