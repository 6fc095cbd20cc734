"""The decorator of everything that is compiled, and a cache that notices every change.

Numba stamps a cached function with its own file only; code inlined from another file could then be stale. Here the
stamp covers the file and every file that it imports, directly or not.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from numba import carray, cfunc, njit  # type: ignore[attr-defined]
from numba.core.caching import CacheImpl, _CacheLocator

from flexura.derive.interpretation import INTERPRET, array_at, number_of

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).resolve().parents[1]


def cache_folder() -> Path:
    """Folder of compiled code: $FLEXURA_CACHE, or the user's cache folder."""
    chosen = os.environ.get("FLEXURA_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(home) if home else Path.home() / ".cache") / "flexura"


_IMPORT = re.compile(r"^\s*(?:from|import) (flexura[\w.]*)", re.MULTILINE)
_TYPES_ONLY = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t].*\n|\n)+", re.MULTILINE)
"""imports of names that occur in annotations alone, and so in no compiled code"""


@cache
def _read(path: Path) -> tuple[bytes, tuple[Path, ...]]:
    """Digest of a source file, and the files of the package that it imports."""
    text = path.read_text(encoding="utf-8")
    imported: list[Path] = []
    for name in _IMPORT.findall(_TYPES_ONLY.sub("", text)):
        place = PACKAGE.joinpath(*name.split(".")[1:])
        # an import from a package may mean any of its modules
        imported += place.glob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    return hashlib.sha256(text.encode()).digest(), tuple(filter(Path.is_file, imported))


@cache
def source_stamp(path: Path) -> str:
    """Digest of a module and of all the modules that it depends on, however indirectly."""
    reached, waiting = {path}, [path]
    while waiting:
        found = set(_read(waiting.pop())[1]) - reached
        reached |= found
        waiting += found
    digest = hashlib.sha256()
    for each in sorted(reached):
        digest.update(_read(each)[0])
    return digest.hexdigest()[:20]


class PackageLocator(_CacheLocator):
    """Numba's cache of this package: a folder of its own, a sub-folder for each stamp."""

    def __init__(self, function: Any, file: str) -> None:
        self._line = function.__code__.co_firstlineno
        self._stamp = source_stamp(Path(file).resolve())

    def get_cache_path(self) -> str:
        return str(cache_folder() / "compiled" / self._stamp)

    def get_source_stamp(self) -> str:
        return self._stamp

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
    """Address of a function, which is compiled when its address is first asked for."""
    if INTERPRET:
        return number_of(function)
    if function not in _entries:
        _entries[function] = cfunc(signature, cache=True, error_model="numpy", fastmath={"contract"})(function)
    return int(_entries[function].address)


_njit: Any = njit(cache=True, error_model="numpy", fastmath={"contract"}, nogil=True)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function without the interpreter lock; products and sums may fuse, division by zero gives infinity."""
    return function if INTERPRET else cast(Callable[P, R], _njit(function))


as_array: Any = array_at if INTERPRET else carray
"""Array of so many numbers, given the pointer to its beginning, in functions that are called by address."""


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
