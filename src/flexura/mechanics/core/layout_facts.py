"""Facts of a layout: functions of a layout alone, computed when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from flexura.mechanics.core.layout import Layout

T = TypeVar("T")


def fact(function: Callable[[Layout], T]) -> Callable[[Layout], T]:
    """Decorator: compute a function of a layout once. Its result is shared and must not be changed.

    Copies of the layout with another start share the result: a fact must not depend on the start of the model.
    """

    @wraps(function)
    def known(layout: Layout) -> T:
        if function not in layout.facts:
            layout.facts[function] = function(layout)
        found: T = layout.facts[function]
        return found

    return known
