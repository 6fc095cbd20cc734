"""Cache of the functions that Numba compiles, in sealed files of the package's own.

Numba's own cache unpickles what it finds, stamps a function with its own file only, and falls back to a folder beside
the source.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import llvmlite
import numba
from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import compile_result

from flexura.derive.function_identity import identity_of
from flexura.derive.stored_code import load, store

_SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
_VERSIONS = (numba.__version__, llvmlite.__version__, sys.implementation.cache_tag)
_BUILD = (*_VERSIONS, *(str(getattr(config, name)) for name in _SETTINGS))
"""Versions and settings on which compiled code depends."""


class FunctionCache(NullCache):
    """Compiled forms of one function of the package, one for each tuple of argument types."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Function compiled by an earlier process, or None."""
        target_context.refresh()
        codegen = target_context.codegen()
        found = load(self.name(sig, codegen), codegen)
        if found is None:
            return None
        library, (fndesc, environment, signature, reload_init) = found
        for initialise in reload_init:
            initialise()
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
        """Store the compiled function."""
        fndesc = cres.fndesc
        fndesc.typemap = fndesc.calltypes = None  # needed by the compiler only
        about = (fndesc, cres.environment, cres.signature, cres.reload_init)
        if not cres.lifted:
            symbols = (fndesc.llvm_func_name, fndesc.llvm_cfunc_wrapper_name)
            store(self.name(sig, cres.codegen), cres.library, symbols, about)

    def name(self, sig: Any, codegen: Any) -> str:
        """Name of the file: a digest of all inputs of the code; empty for a function outside of the package."""
        identity = identity_of(self._function)
        form = repr((identity, str(sig), codegen.magic_tuple(), _BUILD)).encode()
        return sha256(form).hexdigest()[:40] + ".function" if identity else ""
