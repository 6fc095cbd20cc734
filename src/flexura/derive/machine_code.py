"""Machine code from assembly, cached between processes by content."""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from threading import Lock
from typing import Any

import llvmlite
from llvmlite import binding as llvm
from numba import types

from flexura.derive.cache_files import read_sealed, write_sealed
from flexura.derive.compiled import address_of
from flexura.elementary import Function
from flexura.functions import TABLE

LARGE = 30_000
"""Lines of assembly above which nothing is optimised: that would take half a minute, for a factor of three in a kernel
that only linearisation calls."""

_engines: dict[str, Any] = {}
FULL, REGISTERS, QUICK = 2, 1, 0
"""Optimisation: full; registers and instruction order only, for straight-line code that has nothing else to
gain, in half the time; none, in a fifteenth. The results are bit-identical."""
_addresses: dict[tuple[str, str, int], int] = {}
"""addresses by assembly, function and optimisation, once the code is loaded"""
_loading = Lock()
"""Lock: a second engine for the same code would replace the first, together with its functions."""


@cache
def _prepare() -> None:
    """Initialise the compiler for this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _target(opt: int = 2) -> Any:
    """Target machine for this processor, which the execution engine takes over."""
    _prepare()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=opt, jit=True
    )


@cache
def _features() -> str:
    """Features of this processor; processors of the same name may differ in them and share a cache."""
    return str(llvm.get_host_cpu_features().flatten())


@cache
def _provide(function: Function) -> None:
    """Compile an elementary function that neither LLVM nor the C library has, and register it by its name."""
    assert isinstance(function.assembly, str)
    assert function.external is not None
    signature = types.float64(*[types.float64] * function.arity)
    llvm.add_symbol(function.assembly.removeprefix("@"), address_of(function.external, signature))


def _provide_externals(assembly: str) -> None:
    for function in TABLE.values():
        if function.external and str(function.assembly) in assembly:
            _provide(function)


def load(assembly: str, function: str, optimisation: int = FULL) -> int:
    """Address of a function; compiled once for each machine, loaded once for each process."""
    found = _addresses.get((assembly, function, optimisation))
    if found is not None:
        return found
    digest = _digest(assembly, optimisation)
    with _loading:
        if digest not in _engines:
            _provide_externals(assembly)
            engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target())
            engine.add_object_file(llvm.ObjectFileRef.from_data(_object(assembly, digest, optimisation)))
            engine.finalize_object()
            _engines[digest] = engine
    address = int(_engines[digest].get_function_address(function))
    _addresses[(assembly, function, optimisation)] = address
    return address


def assembly_of(address: int) -> str:
    """Assembly of the function at an address that :func:`load` has returned."""
    return next(assembly for (assembly, *_), found in _addresses.items() if found == address)


@lru_cache(maxsize=1024)
def _digest(assembly: str, optimisation: int) -> str:
    """Name of the code of an assembly on this machine."""
    build = (assembly, llvmlite.__version__, llvm.get_default_triple(), llvm.get_host_cpu_name(), _features())
    name = hashlib.sha256("\n".join(build).encode()).hexdigest()[:24]
    return name if optimisation == FULL else f"{name}-{optimisation}"


def _object(assembly: str, digest: str, optimisation: int) -> bytes:
    """Object file, from the cache if possible."""
    name = f"{digest}.object"
    code = read_sealed(name)
    if code is None:
        code = _compile(assembly, optimisation)
        write_sealed(name, code)
    return code


def _compile(assembly: str, optimisation: int) -> bytes:
    module = llvm.parse_assembly(assembly)
    module.verify()
    if optimisation == FULL and assembly.count("\n") > LARGE:
        optimisation = QUICK
    target = _target(optimisation)
    if optimisation < FULL:
        return bytes(target.emit_object(module))
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)
    return bytes(target.emit_object(module))
