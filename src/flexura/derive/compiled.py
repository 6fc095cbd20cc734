"""Decorator of compiled functions.

Arithmetic follows the IEEE standard: products and sums are not fused, sums are not reordered. Numba compiles a
function again into every function that calls it, and a process may run either form, depending on its
cache. Only rules that leave the compiler no choice of rounding give bit-identical results in every process.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ParamSpec, TypeVar, cast

from numba import carray, njit  # type: ignore[attr-defined]
from numba.core.ccallback import CFunc
from numba.core.sigutils import normalize_signature

from flexura.derive.collection_pause import collection_paused
from flexura.derive.compiler_passes import Pipeline
from flexura.derive.function_cache import FunctionCache
from flexura.derive.interpretation import INTERPRET, array_at, number_of
from flexura.derive.python_calls import wrap_on_call

P = ParamSpec("P")
R = TypeVar("R")

_entries: dict[Any, Any] = {}
_options: Any = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": True}
_njit: Any = njit(pipeline_class=Pipeline, **_options)


def address_of(function: Callable[..., Any], signature: Any) -> int:
    """Address of a function, which is compiled on demand."""
    if INTERPRET:
        return number_of(function)
    if function not in _entries:
        pipeline: Any = Pipeline
        options = {"error_model": "numpy"}
        entry: Any = CFunc(function, normalize_signature(signature), {}, options, pipeline_class=pipeline)
        entry._cache = FunctionCache(function)
        with collection_paused():
            entry.compile()
        _entries[function] = entry
    return int(_entries[function].address)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function without the interpreter lock; division by zero gives infinity."""
    if INTERPRET:
        return function
    dispatcher = _njit(function)
    dispatcher._cache = FunctionCache(function)
    wrap_on_call(dispatcher)
    dispatcher.typeof_pyval = partial(_type_of, dispatcher.typeof_pyval)
    return cast(Callable[P, R], dispatcher)


def _type_of(usual: Callable[[Any], Any], value: Any) -> Any:
    """Type of an argument; that of a record is found without a search."""
    kind = getattr(type(value), "numba_type", None)
    return usual(value) if kind is None else kind


as_array: Any = array_at if INTERPRET else carray
"""Array of a given length at a pointer, in functions that are called by address."""


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
