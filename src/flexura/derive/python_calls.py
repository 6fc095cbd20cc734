"""Calls of compiled functions from Python, through wrappers that are compiled on the first call.

Most functions are called only by compiled code. A wrapper takes as long to compile as a short function.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime.nrt import rtsys

from flexura.derive.collection_pause import collection_paused
from flexura.derive.stored_code import load, store

_wrappers: dict[Any, Any] = {}
"""wrappers by their functions: the tables of functions that Python calls hold no references to them"""


def wrap_on_call(dispatcher: Any) -> None:
    """Let a dispatcher without wrappers make one on the first call from Python."""
    dispatcher._insert = _leave_out
    dispatcher._compile_for_args = partial(_wrapped_for, dispatcher)


def _leave_out(*entry: Any) -> None:
    """Omit a function without a wrapper from the table of functions that Python calls."""


@global_compiler_lock
def _wrapped_for(dispatcher: Any, *args: Any) -> Any:
    """Function for these arguments that Python can call, with its place in the table.

    Several threads may call first. A second place in the table would make every later call a search for the right one.
    """
    with collection_paused():
        bare = type(dispatcher)._compile_for_args(dispatcher, *args)
    if bare not in _wrappers:
        found = next(each for each in dispatcher.overloads.values() if each.entry_point is bare)
        _wrappers[bare] = _wrapper(dispatcher._cache.name(found.signature.args, found.codegen), found)
        type(dispatcher)._insert(dispatcher, [kind._code for kind in found.signature.args], _wrappers[bare], False)
    return _wrappers[bare]


def _wrapper(name: str, found: Any) -> Any:
    """Wrapper of a compiled function, from the cache if possible."""
    context, fndesc, environment = found.target_context.subtarget(enable_nrt=True), found.fndesc, found.environment
    file = name and f"{name}.wrapper"
    stored = load(file, found.codegen)
    if stored:
        library, environment.consts[:] = stored
        return context.get_executable(library, fndesc, environment)
    library = found.codegen.create_library(fndesc.llvm_cpython_wrapper_name)
    library.enable_object_caching()
    library.add_linking_library(found.library)
    library.add_linking_library(rtsys.library)
    context.create_cpython_wrapper(library, fndesc, environment, None, release_gil=True)
    wrapper = context.get_executable(library, fndesc, environment)
    store(file, library, (fndesc.llvm_cpython_wrapper_name,), list(environment.consts))
    return wrapper
