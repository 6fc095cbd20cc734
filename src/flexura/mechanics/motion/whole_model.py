"""Whole-model kernels: which systems have them, since when, and their cache across processes.

A kernel gives the bits of the general code, so that no result depends on the choice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from flexura.derive.cache_files import read_sealed, write_sealed
from flexura.derive.interpretation import INTERPRET
from flexura.derive.kernel_cache import kernel_key
from flexura.derive.machine_code import load
from flexura.derive.records import Ints, Record
from flexura.derive.source_stamps import source_stamp
from flexura.mechanics.core.layout import Layout
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
_MOST_TERMS = 300
"""Slopes of strains with laws up to which the parts of an iteration are compiled: that takes a fifth of a second."""

_MOST_RUNS = 3
"""Runs of a new structure by the general code: to compile pays for models that are run again and again."""

_addresses: dict[str, int] = {}
"""by name of the kernel in the cache"""


class OwnCode:
    """Code of a system: the general one for the first runs of a new structure, then kernels of its own.

    A structure that was met before, in this process or another, has them from the first run on.
    """

    def __init__(self, layout: Layout, system: System, stiff: bool) -> None:
        self._general, self._runs = system.entry.copy(), 0
        self._found: Ints | None = None
        self._find = partial(iteration_entries, system) if stiff else partial(whole_entries, layout, system)
        self._at_once = _suitable(system) and _met(_key(system, system.factors, system.mixed.law))

    def for_run(self) -> Ints:
        """The addresses for ``System.entry`` in another run."""
        self._runs += 1
        if self._found is None and (self._at_once or self._runs > _MOST_RUNS):
            self._found = self._find()
        return self._general if self._found is None else self._found


def _met(key: str) -> bool:
    """True if a structure was met before; from now on it is."""
    name = f"{key}.met"
    if read_sealed(name) is not None:
        return True
    write_sealed(name, b"")
    return False


def whole_entries(layout: Layout, system: System) -> Ints:
    """The addresses for ``System.entry``, with kernels of the whole model where it is small."""
    found = system.entry.copy()
    if not _suitable(system) or system.factors.product_start[-1] > _MOST_PRODUCTS:
        return found
    parts = (system.motion, system.mass, system.rows.entries, system.coupling, system.augmented, system.factors)
    key = _key(system, *parts, names=[f"{kernel_key(g.kind, 'motion', 1)} {g.table.tolist()}" for g in layout.groups])

    def address(fused: bool = True, stage: bool = False) -> int:
        name = f"{key}{'' if fused else '-solution'}{'-stage' if stage else ''}"
        return _address(name, lambda: WholeModel(layout, system, fused, stage).source())

    if not _linear(system):
        found[SOLUTION] = address(fused=False)
    elif system.laws.strain.size or system.driven.stop[1]:
        found[WHOLE] = address()
    elif whole := address():
        found[ACCELERATE], found[STAGE] = whole, address(stage=True)
    return found


def iteration_entries(system: System) -> Ints:
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


def _address(name: str, write: Callable[[], str]) -> int:
    """Address of a kernel, written and compiled when it is first asked for; 0 where it is too long."""
    if name not in _addresses:
        content = read_sealed(f"{name}.whole")
        if content is None:
            source = write()
            content = source.encode() if source.count("\n") <= _LONGEST else b""
            write_sealed(f"{name}.whole", content)
        _addresses[name] = load(content.decode(), "kernel") if content else 0
    return _addresses[name]
