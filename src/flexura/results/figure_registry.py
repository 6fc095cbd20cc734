"""Figures by name: plotting registers what it draws, so that results need not know it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flexura.results.providers import provider, provides

F = TypeVar("F", bound=Callable[..., Any])


def draws(name: str) -> Callable[[F], F]:
    """Decorator: let results draw by this name."""
    return provides(f"figure {name}")


def drawer(name: str) -> Callable[..., Any]:
    """Function that draws."""
    return provider(f"figure {name}")


def finish(figure: Any, path: str | None) -> Any:
    """Write a figure to a path, if one is given, and return it."""
    if path is not None:
        drawer("write")(figure, path)
    return figure
