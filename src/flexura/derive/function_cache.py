"""Cache of the functions that Numba compiles, in sealed files of the package's own.

Numba's own cache unpickles what it finds, stamps a function with its own file only, and falls back to a folder beside
the source.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import llvmlite
import numba
from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import compile_result
from numba.core.serialize import dumps

from flexura.derive.cache_files import read_sealed, write_sealed
from flexura.derive.function_identity import identity_of
from flexura.derive.separate_code import known, separate, take_up

_SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
_VERSIONS = (numba.__version__, llvmlite.__version__, sys.implementation.cache_tag)
_BUILD = (*_VERSIONS, *(str(getattr(config, name)) for name in _SETTINGS))
"""Versions and settings on which compiled code depends."""


class FunctionCache(NullCache):
    """Compiled forms of one function of the package, each for its types of arguments."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The function as compiled by an earlier process, or None."""
        target_context.refresh()
        codegen = target_context.codegen()
        name = self._name(sig, codegen)
        found = _load(name, codegen) if name else None
        if found is None:
            return None
        library, about = found
        fndesc, environment, signature, reload_init, symbols = pickle.loads(about)
        for initialise in reload_init:
            initialise()
        codegen._engine._defined_symbols.update(symbols)
        return compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=target_context.get_executable(library, fndesc, environment),
            signature=signature,
            objectmode=False,
            lifted=(),
            fndesc=fndesc,
            library=library,
            environment=environment,
            reload_init=reload_init,
        )

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Store the compiled function, unless it holds addresses of this process."""
        name = self._name(sig, cres.codegen)
        if not name or cres.library.has_dynamic_globals or cres.lifted:
            return
        fndesc = cres.fndesc
        fndesc.typemap = fndesc.calltypes = None  # what the compiler alone needs
        try:
            needed = separate(name, cres.library)
            code = cres.library.serialize_using_object_code()
        except RuntimeError:  # an interrupted compilation leaves functions that run but cannot be stored
            return
        names = (fndesc.llvm_func_name, fndesc.llvm_cpython_wrapper_name, fndesc.llvm_cfunc_wrapper_name)
        symbols = [symbol for symbol in names if cres.codegen._engine.is_symbol_defined(symbol)]
        about = dumps((fndesc, cres.environment, cres.signature, cres.reload_init, symbols))
        write_sealed(name, dumps((needed, code, about)))

    def _name(self, sig: Any, codegen: Any) -> str:
        """Name of the file: a digest of all that the code depends on; empty for a function not of the package."""
        identity = identity_of(self._function)
        form = repr((identity, str(sig), codegen.magic_tuple(), _BUILD)).encode()
        return sha256(form).hexdigest()[:40] + ".function" if identity else ""


def _load(name: str, codegen: Any) -> tuple[Any, bytes] | None:
    """Code of a file and of all files that it calls, and what else is stored with it; None where one is missing."""
    content = read_sealed(name)
    if content is None:
        return None
    needed, code, about = pickle.loads(content)
    for each in needed:
        if each != name and not known(each):
            found = read_sealed(each)
            if found is None:
                return None
            take_up(each, codegen, *pickle.loads(found)[:2])
    return known(name) or take_up(name, codegen, needed, code), about
