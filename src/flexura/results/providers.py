"""Providers of data that a result needs but does not contain: analyses and plotting register themselves here.

A result is data and imports neither. It requests providers by name; the package is loaded if a result exists earlier,
for example from a pickle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flexura.registry import Registry

F = TypeVar("F", bound=Callable[..., Any])

_PROVIDERS: Registry[Callable[..., Any]] = Registry()


def provides(name: str) -> Callable[[F], F]:
    """Decorator: register a function for results by this name."""
    return _PROVIDERS.register(name)


def provider(name: str) -> Callable[..., Any]:
    """Function of this name."""
    return _PROVIDERS[name]
