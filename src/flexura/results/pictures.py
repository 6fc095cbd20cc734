"""Registry of figures: plotting registers itself here, so that results do not depend on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_drawers: dict[str, Callable[..., Any]] = {}


def register(name: str, draw: Callable[..., Any]) -> None:
    """Let results draw by this name."""
    _drawers[name] = draw


def drawer(name: str) -> Callable[..., Any]:
    """The function that draws."""
    return _drawers[name]


def finish(figure: Any, path: str | None) -> Any:
    """Write a figure where a path is given, and return it."""
    if path is not None:
        _drawers["write"](figure, path)
    return figure
