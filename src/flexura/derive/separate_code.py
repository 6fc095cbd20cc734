"""Code of large functions, compiled once and called by their names.

Numba links a copy of every function into every function that calls it, and optimises and translates the copies again.
That pays where a copy is inlined. A large function is not; its callers find an empty module in its place, and the
linker resolves its name. Code that is loaded from the cache therefore needs the code that it calls loaded before.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from llvmlite import binding as llvm

LARGE = 6000
"""bytes of an object file beyond which a function is called and not copied"""

_libraries: dict[str, Any] = {}
"""by file, the libraries of this process that can be called"""

_needed: WeakKeyDictionary[Any, tuple[str, ...]] = WeakKeyDictionary()
"""files that the callers of a library need, in the order of loading: those that it calls, and its own if it is large"""


def known(name: str) -> Any:
    """The library of a file, if this process has it."""
    return _libraries.get(name)


def take_up(name: str, codegen: Any, needed: tuple[str, ...], code: Any) -> Any:
    """Make the library of a file known, after those that it calls."""
    library = codegen.unserialize_library(code)
    _libraries[name], _needed[library] = library, needed
    return library


def separate(name: str, library: Any) -> tuple[str, ...]:
    """Separate a compiled function from its callers if it is large; returns the files that its callers need."""
    library._ensure_finalized()
    if len(library._get_compiled_object()) > LARGE:
        library._shared_module = llvm.parse_assembly("")
        _needed[library] = (*_reached(library), name)
    _libraries[name] = library
    return _reached(library)


def _reached(library: Any) -> tuple[str, ...]:
    """Files that the callers of a library need."""
    if library not in _needed:
        reached: dict[str, None] = {}
        for each in library._linking_libraries:
            reached.update(dict.fromkeys(_reached(each)))
        _needed[library] = tuple(reached)
    return _needed[library]
