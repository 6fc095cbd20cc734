"""Whole-model kernels: the systems that have them, and their cache across processes.

A kernel gives bit-identical results to the general code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from flexura.derive.cache_files import read_sealed, write_sealed
from flexura.derive.interpretation import INTERPRET
from flexura.derive.kernel_cache import kernel_key
from flexura.derive.kernels import MANY
from flexura.derive.machine_code import FULL, REGISTERS, load
from flexura.derive.records import Ints, Record
from flexura.derive.source_stamps import source_stamp
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.straight_line_factors import optimise
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import (
    ACCELERATE,
    IMBALANCE,
    SOLUTION,
    STAGE,
    STRESS_CORRECTION,
    STRESSES_OF_LAWS,
    WHOLE,
)
from flexura.mechanics.motion.iteration_kernels import IterationKernels
from flexura.mechanics.motion.whole_model_kernel import WholeModel

_MOST_PRODUCTS = 1000
"""Maximum number of products of a factorisation for which a kernel is written."""
_LONGEST = 4000
"""Maximum number of lines that are compiled: that takes 0.25 s; beyond, the time grows faster than the lines."""
_MOST_TERMS, _LONGEST_ITERATION = 750, 7500
"""Maximum numbers of slopes of strains with laws and of lines for which an iteration is compiled: that takes 0.5 s."""

_MOST_RUNS = 3
"""Runs of a new structure by the general code: compilation pays for models that are run many times."""

_LONG = 100_000
"""Evaluations in one process from which on larger kernels pay, too: writing and compiling them takes as long."""
_MOST_PRODUCTS_OF_LONG, _LONGEST_OF_LONG = 10_000, 36_000
"""Maximum numbers of products and lines of a kernel for such models: compilation takes up to three seconds."""
_TOOK_LONG = b"long"
"""Mark of a structure whose runs took at least that many evaluations."""

_addresses: dict[str, int] = {}
"""by name of the kernel in the cache"""


class OwnCode:
    """Code of a system: general code for the first runs of a new structure, then kernels of its own.

    A known structure, of this process or an earlier one, has kernels from the first run on. A structure whose runs took
    many evaluations has larger kernels.
    """

    def __init__(self, layout: Layout, system: System, stiff: bool) -> None:
        self._general, self._runs, self._evaluations = system.entry.copy(), 0, 0
        self._found: Ints | None = None
        self._factors, self._find = system.factors, partial(whole_entries, layout, system)
        if stiff:
            self._find = partial(iteration_entries, system)
        self._mark = f"{structure_key(system, system.factors, system.mixed.law)}.met"
        before = read_sealed(self._mark) if suitable(system) else b""
        self._at_once, self._long = suitable(system) and before is not None, before == _TOOK_LONG
        if before is None:
            write_sealed(self._mark, b"")

    def for_run(self) -> Ints:
        """Addresses for ``System.entry`` for another run."""
        self._runs += 1
        if self._long:
            optimise(self._factors)
        if self._found is None and (self._at_once or self._runs > _MOST_RUNS):
            self._found = self._find(self._long)
        return self._general if self._found is None else self._found

    def spend(self, evaluations: int) -> None:
        """Count the evaluations of a run; a large total makes larger kernels pay in the next run."""
        self._evaluations += evaluations
        if self._evaluations >= _LONG and not self._long:
            self._at_once = self._long = True
            self._found = None
            write_sealed(self._mark, _TOOK_LONG)


def whole_entries(layout: Layout, system: System, long: bool = False) -> Ints:
    """Addresses for ``System.entry``, with whole-model kernels if the model is small or is run for ``long``."""
    found, products = system.entry.copy(), system.factors.product_start[-1]
    if not suitable(system):
        return found
    parts = (system.motion, system.mass, system.rows.entries, system.coupling, system.augmented, system.factors)
    key = structure_key(
        system, *parts, names=[f"{kernel_key(g.kind, 'motion', 1)} {g.table.tolist()}" for g in layout.groups]
    )
    if products <= _MOST_PRODUCTS:
        _small_entries(layout, system, key, found)
    # results are bit-identical only with straight-line factors
    unchanged = np.array_equal(found, system.entry)
    if long and unchanged and products <= _MOST_PRODUCTS_OF_LONG and system.factors.entry[0] != 0:
        write = WholeModel(layout, system, fused=False, stage=False).source
        found[SOLUTION] = kernel_address(f"{key}-long", write, _LONGEST_OF_LONG, REGISTERS)
    return found


def _small_entries(layout: Layout, system: System, key: str, found: Ints) -> None:
    """Add the kernels of a small model to the addresses."""

    def address(fused: bool = True, stage: bool = False) -> int:
        name = f"{key}{'' if fused else '-solution'}{'-stage' if stage else ''}"
        return kernel_address(name, lambda: _source(layout, system, fused, stage))

    if not linear(system):
        found[SOLUTION] = address(fused=False)
    elif system.laws.strain.size or system.driven.stop[1] or system.switches.on.size:
        found[WHOLE] = address()
    elif whole := address():
        found[ACCELERATE], found[STAGE] = whole, address(stage=True)


def _source(layout: Layout, system: System, fused: bool, stage: bool) -> str:
    """Source of a kernel, which calls those of three elements and more where it would be too long without."""
    source = WholeModel(layout, system, fused, stage).source()
    return source if source.count("\n") <= _LONGEST else WholeModel(layout, system, fused, stage, MANY - 1).source()


def iteration_entries(system: System, long: bool = False) -> Ints:
    """Addresses for ``System.entry`` of a stiff system, with kernels of its iteration if it is small."""
    found, terms = system.entry.copy(), system.mixed.law.source.size
    if not suitable(system) or system.switches.on.size or not linear(system) or not 0 < terms <= _MOST_TERMS:
        return found
    key = structure_key(system, system.mixed, system.mixed.held, system.mixed.law)

    def address(name: str, write: Callable[[IterationKernels], str]) -> int:
        return kernel_address(f"{key}-{name}", lambda: write(IterationKernels(system)), _LONGEST_ITERATION)

    found[STRESSES_OF_LAWS] = address("stresses", IterationKernels.stresses)
    found[IMBALANCE] = address("imbalance", IterationKernels.unbalanced)
    found[STRESS_CORRECTION] = address("correction", IterationKernels.correct_stresses)
    return found


def suitable(s: System) -> bool:
    """True if a system has no sliding friction, whose forces are solved for beside the equations."""
    return not INTERPRET and s.z.size > 0 and s.grips.force.size == 0


def linear(s: System) -> bool:
    """True if all stresses are linear in strains and their rates, except for loads that depend on time only."""
    feedback = s.feedback
    followed = feedback.signal.shape[0] + feedback.followed.shape[0] + feedback.laws.count.size
    return followed + s.laws.program.shape[0] == 0 and feedback.span[0] == feedback.span[1]


def structure_key(s: System, *parts: Record, names: Sequence[str] = ()) -> str:
    """Digest of all inputs of the kernels: indices, and the kinds of elements."""
    digest = hashlib.sha256("\n".join([source_stamp(Path(__file__).resolve()), *names]).encode())
    for record in (s.rows, s.force, s.laws, s.slopes, s.driven, *parts):
        for name, (number, _) in record.record_forms.items():
            # addresses differ between processes, and numbers between models
            if number is not None and name not in {"address", "entry"}:
                values = record.__dict__[name]
                digest.update(f"{name} {values.shape} ".encode() + (b"" if values.dtype == float else values.tobytes()))
    for places in (s.free, s.place, s.coordinate_place, s.switches.place, s.switches.target):
        digest.update(places.tobytes() + b" ")
    return digest.hexdigest()[:24]


def is_written(name: str) -> bool:
    """True if this or another process has written a kernel."""
    return name in _addresses or read_sealed(f"{name}.whole") is not None


def kernel_address(name: str, write: Callable[[], str], longest: int = _LONGEST, optimisation: int = FULL) -> int:
    """Address of a kernel, which is written and compiled on demand; 0 if it is too long."""
    if name not in _addresses:
        content = read_sealed(f"{name}.whole")
        if content is None:
            source = write()
            content = source.encode() if source.count("\n") <= longest else b""
            write_sealed(f"{name}.whole", content)
        _addresses[name] = load(content.decode(), "kernel", optimisation) if content else 0
    return _addresses[name]
