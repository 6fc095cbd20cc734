"""Providers of data that a result needs but does not contain: analyses and plotting register themselves here.

A result is data and imports neither. It requests providers by name; the package, which registers everything when the
first public name is used, is loaded if a result exists earlier, for example from a pickle.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_providers: dict[str, Callable[..., Any]] = {}


def provides(name: str) -> Callable[[F], F]:
    """Decorator: register a function for results by this name."""

    def register(function: F) -> F:
        _providers[name] = function
        return function

    return register


def provider(name: str) -> Callable[..., Any]:
    """Function of this name."""
    if name not in _providers:
        import_module("flexura.public")
    return _providers[name]
