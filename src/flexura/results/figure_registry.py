"""Registry of figures by name: plotting registers its drawing functions, so that results need not import it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flexura.results.providers import provider, provides

F = TypeVar("F", bound=Callable[..., Any])


def draws(name: str) -> Callable[[F], F]:
    """Decorator: register a drawing function by name."""
    return provides(f"figure {name}")


def drawer(name: str) -> Callable[..., Any]:
    """Drawing function of this name."""
    return provider(f"figure {name}")


def finish(figure: Any, path: str | None) -> Any:
    """Write a figure to a path, if one is given, and return it."""
    if path is not None:
        drawer("write")(figure, path)
    return figure
