"""Laws of elements as compiled kernels, with their registers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flexura.derive.kernels import compile_kernel
from flexura.derive.law_kernels import LawKernel
from flexura.derive.program_builder import ProgramBuilder
from flexura.derive.records import Floats, Ints
from flexura.elements.traced_laws import LawForm, TracedLaw
from flexura.mechanics.core.index_arrays import floats, ints, table
from flexura.mechanics.core.law_calls import STRESS
from flexura.mechanics.core.system import LawCalls

LEVELS = 3
"""Stresses, slopes and displayed forces."""


class LawTable:
    """Laws of all elements of a model, by element; those with equal kernels are called together."""

    def __init__(self, laws: Mapping[str, TracedLaw], builder: ProgramBuilder) -> None:
        self.laws, self.builder = laws, builder
        self.kinds: dict[LawForm, list[str]] = {}
        for name, law in laws.items():
            self.kinds.setdefault(law.form, []).append(name)
        self.registers: dict[str, list[range]] = {name: [] for name in laws}
        """of the outputs of each element, level by level"""
        for form, names in self.kinds.items():
            for kernel in form.single:
                width, first = kernel.outputs, builder.reserve(kernel.outputs * len(names))
                for place, name in enumerate(names):
                    self.registers[name].append(range(first + place * width, first + (place + 1) * width))

    def calls(self) -> LawCalls:
        """Compiled kernels with their arguments."""
        address, number_starts = list[list[int]](), list[list[int]]()
        constants, index, index_starts = 0, list[int](), list[int]()
        for form, names in self.kinds.items():
            kernels = form.single if len(names) == 1 else form.kernels(len(names))
            address.append([compile_kernel(one.source) if one.outputs else 0 for one in kernels])
            index_starts.append(len(index))
            index += [self.builder.input(one) for name in names for one in self._inputs(name)]
            number_starts.append([constants] * LEVELS)
            constants += sum(len(self.laws[name].constants) for name in names)
        return LawCalls(
            address=_by_level(address),
            out_start=_by_level([[one.start for one in self.registers[names[0]]] for names in self.kinds.values()]),
            count=ints(len(names) for names in self.kinds.values()),
            index_start=ints(index_starts),
            index=ints(index or [0]),
            number_start=_by_level(number_starts),
            step=table([self._steps(form) for form in self.kinds], 3),
            number=self.numbers(),
        )

    def _steps(self, form: LawForm) -> tuple[int, int, int]:
        """Inputs, constants and stresses of one law."""
        inputs = len(form.signals) + len(form.numbers) + len(form.holds)
        return inputs, form.constants, form.single[STRESS].outputs

    def switching_kernels(self) -> tuple[Ints, Ints]:
        """Addresses of the switching functions of each kind of law, 0 without, and the starts of their outputs.

        The last start is the number of outputs. The other arguments are those of :meth:`calls`.
        """
        return self._further([form.switching_kernel(len(names)) for form, names in self.kinds.items()])

    def number_kernels(self) -> tuple[Ints, Ints]:
        """Addresses of the slopes of loads by numbers, and the starts of their outputs."""
        return self._further([form.number_kernel(len(names)) for form, names in self.kinds.items()])

    def _further(self, kernels: list[LawKernel]) -> tuple[Ints, Ints]:
        widths = [one.outputs * len(names) for one, names in zip(kernels, self.kinds.values(), strict=True)]
        return ints(compile_kernel(one.source) if one.outputs else 0 for one in kernels), ints([0, *np.cumsum(widths)])

    def number_slopes(self) -> dict[str, list[tuple[int, str, int, int]]]:
        """(load, tracked number or nothing, constant, output) of the slopes of each element by numbers."""
        _, starts = self.number_kernels()
        found, constants = dict[str, list[tuple[int, str, int, int]]](), 0
        for start, (form, names) in zip(starts.tolist(), self.kinds.items(), strict=False):
            for place, name in enumerate(names):
                out = start + place * len(form.by_number)
                found[name] = [
                    (load, form.numbers[n], -1, out + i)
                    if n < len(form.numbers)
                    else (load, "", constants + n - len(form.numbers), out + i)
                    for i, (load, n) in enumerate(form.by_number)
                ]
                constants += form.constants
        return found

    def numbers(self) -> Floats:
        """Constants of all laws, in the order of the kernels."""
        found = [value for names in self.kinds.values() for name in names for value in self.laws[name].constants]
        return floats(found or [0.0])

    def take(self, laws: Mapping[str, TracedLaw]) -> bool:
        """Replace the laws of elements; false if their form differs, or one is new."""
        acting = {name: law for name, law in laws.items() if law.form.loads or law.form.displayed}
        if acting.keys() != laws.keys() & self.laws.keys():
            return False
        if any(law.form is not self.laws[name].form for name, law in acting.items()):
            return False
        self.laws = {**self.laws, **acting}
        return True

    def _inputs(self, name: str) -> list[str]:
        """Names of the inputs of a law in the program."""
        law = self.laws[name].form
        signals, others = [f"{name}.{signal}" for signal in law.signals], (*law.numbers, *law.holds)
        return signals + [f"{name}{other}" for other in others]


def _by_level(rows: list[list[int]]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Table with one row for each level and one column for each kind."""
    table: np.ndarray[tuple[int, int], np.dtype[np.int64]] = np.array(rows, dtype=np.int64).reshape(-1, LEVELS).T
    return np.ascontiguousarray(table)
