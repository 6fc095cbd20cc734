"""Cache of the functions that Numba compiles, in sealed files of the package's own.

Numba's own cache unpickles what it finds, stamps a function with its own file only, and falls back to a folder beside
the source.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from flexura.derive.cache_files import read_sealed, write_sealed
from flexura.derive.source_stamps import PACKAGE, source_stamp

_SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
_VERSIONS = (numba.__version__, llvmlite.__version__, sys.implementation.cache_tag)
_BUILD = (*_VERSIONS, *(str(getattr(config, name)) for name in _SETTINGS))
"""Versions and settings on which compiled code depends."""


class FunctionCache(NullCache):
    """Compiled forms of one function of the package, each for its types of arguments."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _stamp(self) -> str:
        """Stamp of the sources that the function depends on; empty for one that is not of the package."""
        path = Path(inspect.getfile(self._function)).resolve()
        return source_stamp(path) if path.is_relative_to(PACKAGE) else ""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The function as compiled by an earlier process, or None."""
        target_context.refresh()
        content = read_sealed(self._name(sig, target_context.codegen())) if self._stamp else None
        return None if content is None else CompileResult._rebuild(target_context, *pickle.loads(content))

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Store the compiled function, unless it holds addresses of this process."""
        if self._stamp and not cres.library.has_dynamic_globals and not cres.lifted:
            try:
                content = dumps(cres._reduce())
            except RuntimeError:  # an interrupted compilation leaves functions that run but cannot be stored
                return
            write_sealed(self._name(sig, cres.codegen), content)

    def _name(self, sig: Any, codegen: Any) -> str:
        """Name of the file: a digest of all that the code depends on."""
        code, cells = self._function.__code__, self._function.__closure__ or ()
        captured = dumps(tuple(cell.cell_contents for cell in cells)) if cells else b""
        place = (self._function.__module__, self._function.__qualname__, code.co_firstlineno, code.co_code)
        form = repr((self._stamp, place, str(sig), codegen.magic_tuple(), _BUILD)).encode()
        return hashlib.sha256(form + captured).hexdigest()[:40] + ".function"
