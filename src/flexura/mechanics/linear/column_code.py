"""Functions of their own for blocks of columns: the systems that have them, and their cache across processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from flexura.derive.kernel_cache import kernel_key
from flexura.derive.kernels import LANES, derive
from flexura.derive.kinds import Kind
from flexura.derive.records import Ints
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.column_blocks import ColumnBlock
from flexura.mechanics.linear.column_kernel import LEVELS, ColumnKernel
from flexura.mechanics.motion.whole_model import is_written, kernel_address, linear, structure_key, suitable

_MOST_RUNS = 3
"""Runs of a new structure by the general code."""
_LONG = 1_000_000
"""Evaluations from which on a function pays in its first run, too."""
_LONGEST = 12_000
"""Maximum number of lines that are compiled: writing and compiling them takes a second, once."""
NO_CODE = np.zeros(3, dtype=np.int64)
Kinds = tuple[Sequence[Kind], Sequence[Kind]]
"""Kinds of elements of the kernels by the state and by numbers."""


def code_key(layout: Layout, system: System, block: ColumnBlock) -> str:
    """Digest of all inputs of the functions of a block; empty if it has none."""
    solved = system.factors.entry[1] != 0 and not system.factors.panels.first.size
    if not (suitable(system) and solved and block.z.shape[1]):
        return ""
    parts = [system.augmented, system.factors, block.laws]
    for calls in (block.state, block.number):
        parts += [calls, calls.calls, calls.numbers, calls.first, calls.second, calls.strain, calls.rate, calls.row]
        parts += [calls.force, calls.state.acceleration, calls.state.body, calls.state.stress]
    names = [f"{kernel_key(g.kind, 'tangent', 1)} {g.table.tolist()}" for g in layout.groups]
    return structure_key(system, *parts, names=[*names, f"{block.z.shape} {block.timed.size > 0}"])


class ColumnCode:
    """Code of the blocks of one structure: general code for the first runs, then functions of its own.

    Functions that another process has written are used from the first run on.
    """

    def __init__(self, key: str) -> None:
        self._key, self._runs, self._evaluations = key, 0, 0
        self._found: Ints | None = None

    def for_run(self, system: System, block: ColumnBlock, kinds: Callable[[], Kinds], evaluations: int) -> Ints:
        """Addresses for ``ColumnBlock.code`` for another run with this number of evaluations."""
        self._runs += 1
        self._evaluations += evaluations
        if self._found is None and self._key and self._pays(system):
            self._found = self._addresses(system, block, kinds)
        return NO_CODE if self._found is None else self._found

    def _pays(self, system: System) -> bool:
        return self._runs > _MOST_RUNS or self._evaluations >= _LONG or is_written(f"{self._key}-{_parts(system)[0]}")

    def _addresses(self, system: System, block: ColumnBlock, kinds: Callable[[], Kinds]) -> Ints:
        """Address of the function of the whole change for linear laws, and else of those before and after laws."""
        found, short = NO_CODE.copy(), _length(block, kinds()) <= _LONGEST
        for part in _parts(system):

            def write(part: str = part) -> str:
                return ColumnKernel(system, block, kinds()).source(part) if short else ""

            found[_PARTS.index(part)] = kernel_address(f"{self._key}-{part}", write, _LONGEST)
        return found


_PARTS = ("whole", "elements", "solution")


def _parts(system: System) -> Sequence[str]:
    """Functions of a system."""
    return _PARTS[:1] if linear(system) else _PARTS[1:]


def _length(block: ColumnBlock, kinds: Kinds) -> int:
    """Estimated number of lines of the elements."""
    total = 0
    for level, calls, own in zip(LEVELS, (block.state.calls, block.number.calls), kinds, strict=True):
        for kind, count in zip(own, calls.count.tolist(), strict=True):
            total += -(-count // LANES) * derive(kind, level, count).source.count("\n")
    return total
