"""Methods of a model that upper layers carry out: drawing and checking register themselves here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flexura.registry import Registry

F = TypeVar("F", bound=Callable[..., Any])

_METHODS: Registry[Callable[..., Any]] = Registry()


def offers(name: str) -> Callable[[F], F]:
    """Decorator: carry out the method of a model with this name."""
    return _METHODS.register(name)


def offered(name: str) -> Callable[..., Any]:
    """Function that carries out a method."""
    return _METHODS[name]
