"""Laws of elements as compiled kernels, and the registers that they read and write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flexura.derive.expression import Expr
from flexura.derive.kernels import compile_kernel
from flexura.derive.law_kernels import LawKernel, law_kernel
from flexura.derive.program_builder import ProgramBuilder
from flexura.mechanics.core.index_arrays import floats, ints
from flexura.mechanics.core.system import LawCalls

LEVELS = 3
"""Stresses, slopes and displayed forces."""


@dataclass
class ElementLaw:
    """The laws of one element: its inputs, which are symbols, and the outputs of each level."""

    inputs: tuple[Expr, ...]
    outputs: tuple[list[Expr], ...] = field(default_factory=lambda: tuple([] for _ in range(LEVELS)))
    registers: list[range] = field(default_factory=list)
    """indices of the outputs of each level"""

    def kernels(self, count: int = 1) -> tuple[LawKernel, ...]:
        """The kernels of all levels, for about ``count`` laws."""
        return tuple(law_kernel(self.inputs, outputs, count) for outputs in self.outputs)

    @cached_property
    def single(self) -> tuple[LawKernel, ...]:
        """The kernels for one law."""
        return self.kernels()


class LawTable:
    """The laws of all elements of a model, those with equal kernels together."""

    def __init__(self, laws: Sequence[ElementLaw], builder: ProgramBuilder) -> None:
        self.builder = builder
        self.kinds: dict[tuple[str, ...], list[ElementLaw]] = {}
        for law in laws:
            self.kinds.setdefault(tuple(kernel.source for kernel in law.single), []).append(law)
        for kind in self.kinds.values():
            for level, kernel in enumerate(kind[0].single):
                width, first = kernel.outputs, builder.reserve(kernel.outputs * len(kind))
                for place, law in enumerate(kind):
                    law.registers.append(range(first + place * width, first + (place + 1) * width))
                    assert len(law.registers) == level + 1

    def calls(self) -> LawCalls:
        """The compiled kernels, with all that they are called with."""
        address, number_starts = list[list[int]](), list[list[int]]()
        numbers, index, index_starts = list[float](), list[int](), list[int]()
        for kind in self.kinds.values():
            kernels = kind[0].kernels(len(kind))
            address.append([compile_kernel(one.source) if one.outputs else 0 for one in kernels])
            index_starts.append(len(index))
            index += [self.builder.input(one.data) for law in kind for one in law.inputs]
            number_starts.append([])
            for level in range(LEVELS):
                number_starts[-1].append(len(numbers))
                numbers += [value for law in kind for value in law.single[level].constants]
        return LawCalls(
            address=_by_level(address),
            out_start=_by_level([[one.start for one in kind[0].registers] for kind in self.kinds.values()]),
            count=ints(len(kind) for kind in self.kinds.values()),
            index_start=ints(index_starts),
            index=ints(index or [0]),
            number_start=_by_level(number_starts),
            number=floats(numbers or [0.0]),
        )


def _by_level(rows: list[list[int]]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """A row for each level, a column for each kind."""
    table: np.ndarray[tuple[int, int], np.dtype[np.int64]] = np.array(rows, dtype=np.int64).reshape(-1, LEVELS).T
    return np.ascontiguousarray(table)
