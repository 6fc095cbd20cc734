"""Providers of what a result asks for and does not hold: analyses and plotting register themselves here.

A result is data and imports neither. It asks by name; the package, which registers everything when the first public
name is used, is loaded where a result comes before that, from a pickle for example.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_providers: dict[str, Callable[..., Any]] = {}


def provides(name: str) -> Callable[[F], F]:
    """Decorator: let results ask for a function by this name."""

    def register(function: F) -> F:
        _providers[name] = function
        return function

    return register


def provider(name: str) -> Callable[..., Any]:
    """Function of this name."""
    if name not in _providers:
        import_module("flexura.public")
    return _providers[name]
