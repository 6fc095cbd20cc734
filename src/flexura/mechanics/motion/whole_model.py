"""Whole-model kernels: which systems have them, since when, and their cache across processes.

A kernel gives the bits of the general code, so that no result depends on the choice.
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
"""Products of a factorisation up to which a kernel is written."""
_LONGEST = 4000
"""Lines up to which it is compiled: that takes a quarter of a second, beyond it grows faster than the lines."""
_MOST_TERMS = 750
"""Slopes of strains with laws up to which the parts of an iteration are compiled: that takes 0.3 s, and their code is
within the longest."""

_MOST_RUNS = 3
"""Runs of a new structure by the general code: to compile pays for models that are run again and again."""

_LONG = 100_000
"""Evaluations in one process from which on larger kernels pay, too: to write and compile them takes as long."""
_MOST_PRODUCTS_OF_LONG, _LONGEST_OF_LONG = 10_000, 36_000
"""Products and lines up to which a kernel is compiled for such models: that takes up to three seconds."""
_TOOK_LONG = b"long"
"""Mark of a structure whose runs took so many evaluations."""

_addresses: dict[str, int] = {}
"""by name of the kernel in the cache"""


class OwnCode:
    """Code of a system: the general one for the first runs of a new structure, then kernels of its own.

    A structure that was met before, in this process or another, has them from the first run on. One whose runs took
    many evaluations has larger kernels.
    """

    def __init__(self, layout: Layout, system: System, stiff: bool) -> None:
        self._general, self._runs, self._evaluations = system.entry.copy(), 0, 0
        self._found: Ints | None = None
        self._factors, self._find = system.factors, partial(whole_entries, layout, system)
        if stiff:
            self._find = partial(iteration_entries, system)
        self._mark = f"{_key(system, system.factors, system.mixed.law)}.met"
        before = read_sealed(self._mark) if _suitable(system) else b""
        self._at_once, self._long = _suitable(system) and before is not None, before == _TOOK_LONG
        if before is None:
            write_sealed(self._mark, b"")

    def for_run(self) -> Ints:
        """The addresses for ``System.entry`` in another run."""
        self._runs += 1
        if self._long:
            optimise(self._factors)
        if self._found is None and (self._at_once or self._runs > _MOST_RUNS):
            self._found = self._find(self._long)
        return self._general if self._found is None else self._found

    def spend(self, evaluations: int) -> None:
        """Count the evaluations of a run; many of them, together, make larger kernels pay in the next."""
        self._evaluations += evaluations
        if self._evaluations >= _LONG and not self._long:
            self._at_once = self._long = True
            self._found = None
            write_sealed(self._mark, _TOOK_LONG)


def whole_entries(layout: Layout, system: System, long: bool = False) -> Ints:
    """The addresses for ``System.entry``, with kernels of the whole model where it is small, or is run for ``long``."""
    found, products = system.entry.copy(), system.factors.product_start[-1]
    if not _suitable(system):
        return found
    parts = (system.motion, system.mass, system.rows.entries, system.coupling, system.augmented, system.factors)
    key = _key(system, *parts, names=[f"{kernel_key(g.kind, 'motion', 1)} {g.table.tolist()}" for g in layout.groups])
    if products <= _MOST_PRODUCTS:
        _small_entries(layout, system, key, found)
    # only where factors are written out are the bits the same
    unchanged = np.array_equal(found, system.entry)
    if long and unchanged and products <= _MOST_PRODUCTS_OF_LONG and system.factors.entry[0] != 0:
        write = WholeModel(layout, system, fused=False, stage=False).source
        found[SOLUTION] = _address(f"{key}-long", write, _LONGEST_OF_LONG, REGISTERS)
    return found


def _small_entries(layout: Layout, system: System, key: str, found: Ints) -> None:
    """Put the kernels of a small model among the addresses."""

    def address(fused: bool = True, stage: bool = False) -> int:
        name = f"{key}{'' if fused else '-solution'}{'-stage' if stage else ''}"
        return _address(name, lambda: WholeModel(layout, system, fused, stage).source())

    if not _linear(system):
        found[SOLUTION] = address(fused=False)
    elif system.laws.strain.size or system.driven.stop[1]:
        found[WHOLE] = address()
    elif whole := address():
        found[ACCELERATE], found[STAGE] = whole, address(stage=True)


def iteration_entries(system: System, long: bool = False) -> Ints:
    """The addresses for ``System.entry`` of a stiff system, with kernels of its iteration where it is small."""
    found, terms = system.entry.copy(), system.mixed.law.source.size
    if not _suitable(system) or not _linear(system) or not 0 < terms <= _MOST_TERMS:
        return found
    key = _key(system, system.mixed, system.mixed.held, system.mixed.law)
    found[STRESSES_OF_LAWS] = _address(f"{key}-stresses", lambda: IterationKernels(system).stresses())
    found[IMBALANCE] = _address(f"{key}-imbalance", lambda: IterationKernels(system).unbalanced())
    found[STRESS_CORRECTION] = _address(f"{key}-correction", lambda: IterationKernels(system).correct_stresses())
    return found


def _suitable(s: System) -> bool:
    """True for systems without rows that are held at times, which change the matrix, and without sliding friction."""
    return not INTERPRET and s.z.size > 0 and s.switches.on.size == 0 and s.grips.force.size == 0


def _linear(s: System) -> bool:
    """True if all stresses are linear in strains and their rates, but for loads that depend on time alone."""
    feedback = s.feedback
    followed = feedback.signal.shape[0] + feedback.followed.shape[0] + feedback.laws.count.size
    return followed + s.laws.program.shape[0] == 0 and feedback.span[0] == feedback.span[1]


def _key(s: System, *parts: Record, names: Sequence[str] = ()) -> str:
    """Digest of all that kernels depend on: indices, and the kinds of elements."""
    digest = hashlib.sha256("\n".join([source_stamp(Path(__file__).resolve()), *names]).encode())
    for record in (s.rows, s.force, s.laws, s.slopes, s.driven, *parts):
        for name, (number, _) in record.record_forms.items():
            # addresses change from process to process, and numbers from model to model
            if number is not None and name not in {"address", "entry"}:
                values = record.__dict__[name]
                digest.update(f"{name} {values.shape} ".encode() + (b"" if values.dtype == float else values.tobytes()))
    for places in (s.free, s.place, s.coordinate_place):
        digest.update(places.tobytes() + b" ")
    return digest.hexdigest()[:24]


def _address(name: str, write: Callable[[], str], longest: int = _LONGEST, optimisation: int = FULL) -> int:
    """Address of a kernel, written and compiled when it is first asked for; 0 where it is too long."""
    if name not in _addresses:
        content = read_sealed(f"{name}.whole")
        if content is None:
            source = write()
            content = source.encode() if source.count("\n") <= longest else b""
            write_sealed(f"{name}.whole", content)
        _addresses[name] = load(content.decode(), "kernel", optimisation) if content else 0
    return _addresses[name]
