"""Methods of a model that upper layers carry out: drawing and checking register themselves here."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_offered: dict[str, Callable[..., Any]] = {}


def offers(name: str) -> Callable[[F], F]:
    """Decorator: carry out the method of a model with this name."""

    def register(function: F) -> F:
        _offered[name] = function
        return function

    return register


def offered(name: str) -> Callable[..., Any]:
    """Function that carries out a method; the package, which registers all, is loaded where it is not there yet."""
    if name not in _offered:
        import_module("flexura.public")
    return _offered[name]
