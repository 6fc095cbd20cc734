"""Facts of a layout: functions of a layout alone, computed on demand.

Results are shared and must not be changed. Copies of the layout with another start share them: a fact must not
depend on the start of the model.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from flexura.mechanics.core.layout import Layout

T = TypeVar("T")


def fact(function: Callable[[Layout], T]) -> Callable[[Layout], T]:
    """Decorator: compute a function of a layout once. It must not depend on values of elements."""

    @wraps(function)
    def known(layout: Layout) -> T:
        if function not in layout.facts:
            layout.facts[function] = function(layout)
        found: T = layout.facts[function]
        return found

    return known


def number_fact(function: Callable[[Layout], T]) -> Callable[[Layout], T]:
    """Decorator: compute a function of a layout once for the same values of elements."""

    @wraps(function)
    def known(layout: Layout) -> T:
        if function not in layout.number_facts:
            layout.number_facts[function] = function(layout)
        found: T = layout.number_facts[function]
        return found

    return known
