"""Cache of prepared models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from flexura.mechanics.preparation.assembled_model import Made
from flexura.model.annotations import fields
from flexura.model.model import Model

KEPT = 4
"""Models of which it is kept."""

T = TypeVar("T")


class Shelf(Generic[T]):
    """Things by the model they were built of. What is taken is not there, so that none uses it besides.

    It is put back by whoever has used it to the end, and not after an error.
    """

    def __init__(self) -> None:
        self._things: dict[tuple[object, ...], T] = {}

    def take(self, key: tuple[object, ...]) -> T | None:
        """The thing, or nothing where there is none, or where it is in use."""
        return self._things.pop(key, None)

    def put(self, key: tuple[object, ...], thing: T) -> None:
        """Keep it; of too many the one that was there longest goes."""
        self._things[key] = thing
        while len(self._things) > KEPT:
            self._things.pop(next(iter(self._things)), None)


MADE: Shelf[Made] = Shelf()
"""Models numbered and assembled, for motions."""


def but_for_start(model: Model) -> tuple[object, ...]:
    """All that a model is but for the values at its start.

    The order of names, which does not count in a comparison, counts here; and in space what the start names is there.
    """
    parts = [getattr(model, name) for name in fields(Model) if name != "start"]
    return (*parts, *(tuple(part) for part in parts if isinstance(part, Mapping)), tuple(model.start))
