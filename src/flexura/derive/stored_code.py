"""Machine code of Numba's libraries in the cache; large functions are separate, called by their names.

Numba links a copy of every function into every function that calls it, and optimises and translates the copies again.
That pays if a copy is inlined. A large function is not: its callers get an empty module in its place, and the
linker resolves its name. Code from the cache is loaded after the code that it calls.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

from llvmlite import binding as llvm
from numba.core.serialize import dumps

from flexura.derive.cache_files import read_sealed, write_sealed

LARGE = 7000
"""bytes of an object file above which a function is called instead of copied"""

_libraries: dict[str, Any] = {}
"""libraries of this process, by file"""

_needed: WeakKeyDictionary[Any, tuple[str, ...]] = WeakKeyDictionary()
"""files that the callers of a library need, in the order of loading: those that it calls, and its own if it is large"""


def load(name: str, codegen: Any) -> tuple[Any, Any] | None:
    """Library of a file and the data stored with it; None if it, or code that it calls, is not in the cache."""
    content = read_sealed(name) if name else None
    if content is None:
        return None
    own = pickle.loads(content)
    missing: dict[str, Any] = {each: read_sealed(each) for each in own[0] if each not in _libraries and each != name}
    for each, found in missing.items():
        if found is None:
            return None
        missing[each] = pickle.loads(found)
    for each, (needed, symbols, code, _) in ({name: own} | missing).items():
        if each not in _libraries:
            _take_up(each, codegen, needed, symbols, code)
    codegen._engine.finalize_object()
    return _libraries[name], own[3]


def _take_up(name: str, codegen: Any, needed: tuple[str, ...], symbols: tuple[str, ...], code: Any) -> None:
    """Add the code of a file to the process; names are resolved when all code is present."""
    title, _, (translated, shared) = code
    library = codegen.create_library(title)
    library._shared_module, library._finalized = llvm.parse_bitcode(shared), True
    codegen._engine._ee.add_object_file(llvm.ObjectFileRef.from_data(translated))
    codegen._engine._defined_symbols.update(symbols)
    _libraries[name], _needed[library] = library, needed


def store(name: str, library: Any, symbols: Iterable[str], about: Any = None) -> None:
    """Store a compiled library, separately if it is large, unless it contains addresses of this process.

    ``symbols`` are the names that it may export.
    """
    library._ensure_finalized()
    if not name or library.has_dynamic_globals:
        return
    try:
        size = len(library._get_compiled_object())
    except RuntimeError:  # an interrupted compilation leaves functions that run but cannot be stored
        return
    if size > LARGE:
        library._shared_module = llvm.parse_assembly("")
        _needed[library] = (*_reached(library), name)
    _libraries[name] = library
    defined = tuple(symbol for symbol in symbols if library.codegen._engine.is_symbol_defined(symbol))
    write_sealed(name, dumps((_reached(library), defined, library.serialize_using_object_code(), about)))


def _reached(library: Any) -> tuple[str, ...]:
    """Files needed by the callers of a library."""
    if library not in _needed:
        reached = dict.fromkeys(name for each in library._linking_libraries for name in _reached(each))
        _needed[library] = tuple(reached)
    return _needed[library]
