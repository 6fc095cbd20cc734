"""The decorator of everything that is compiled, and a cache that notices every change.

Numba stamps a cached function with its own file only; code inlined from another file could then be stale. Here the
stamp is the content of the whole package.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import cfunc, njit
from numba.core.caching import CacheImpl, _CacheLocator

PACKAGE = Path(__file__).resolve().parents[1]


def cache_folder() -> Path:
    """Where compiled code is kept between runs: $FLEXURA_CACHE, or the user's cache folder."""
    chosen = os.environ.get("FLEXURA_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(home) if home else Path.home() / ".cache") / "flexura"


@cache
def _stamp() -> str:
    """The content of all the layers that hold compiled code."""
    digest = hashlib.sha256()
    for layer in ("derive", "mechanics", "integrators", "analyses"):
        for path in sorted((PACKAGE / layer).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


class PackageLocator(_CacheLocator):
    """Keeps the compiled functions of this package in its own folder, by the content of the package."""

    def __init__(self, function: Any, file: str) -> None:
        self._line = function.__code__.co_firstlineno
        self._path = cache_folder() / "compiled" / _stamp()

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return _stamp()

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Any, file: str) -> PackageLocator | None:
        if not Path(file).resolve().is_relative_to(PACKAGE):
            return None
        locator = cls(function, file)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


CacheImpl._locator_classes.insert(0, PackageLocator)

_entries: dict[Any, Any] = {}


def address_of(function: Callable[..., None], signature: Any) -> int:
    """The address of a function, compiled when it is first asked for: what is not used is not compiled."""
    if function not in _entries:
        _entries[function] = cfunc(signature, cache=True, error_model="numpy", fastmath={"contract"})(function)
    return int(_entries[function].address)


compiled: Any = njit(cache=True, error_model="numpy", fastmath={"contract"}, nogil=True)
"""Compile without the interpreter lock; products and sums may fuse, division by zero gives infinity."""


@compiled
def clear(target: Any) -> None:
    """Set all to zero; a plain loop compiles far quicker than an assignment to a slice."""
    for i in range(target.size):
        target[i] = 0.0


@compiled
def copy(target: Any, source: Any) -> None:
    """target = source, element by element."""
    for i in range(source.size):
        target[i] = source[i]
