"""Registry of functions by name: lower layers find the functions that upper layers register, without importing them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Generic, TypeVar

T = TypeVar("T", bound=Callable[..., Any])
F = TypeVar("F", bound=Callable[..., Any])


class Registry(Generic[T]):
    """Functions by their names; a name that is not known yet loads the whole package, which registers all of them."""

    def __init__(self) -> None:
        self._functions: dict[str, Any] = {}

    def register(self, *names: str) -> Callable[[F], F]:
        """Decorator: register a function by these names."""

        def add(function: F) -> F:
            self._functions.update(dict.fromkeys(names, function))
            return function

        return add

    def find(self, name: str) -> T | None:
        """Function of this name; None if there is none."""
        if name not in self._functions:
            import_module("flexura.public")
        return self._functions.get(name)

    def __getitem__(self, name: str) -> T:
        function = self.find(name)
        if function is None:
            raise KeyError(name)
        return function

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)
