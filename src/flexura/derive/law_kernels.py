"""Compiled kernels of laws: functions whose inputs and outputs are registers of a program.

A kernel has the signature of :mod:`flexura.derive.kernels`. Its inputs are found in the registers through
``index``, and the constants of the law are its ``number``: laws that differ only in constants share a kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flexura.derive.assembly_kernel import Input, kernel_source
from flexura.derive.expression import Expr
from flexura.derive.interpretation import INTERPRET
from flexura.derive.kernels import LANES, MANY
from flexura.derive.python_kernel import python_source


@dataclass(frozen=True)
class LawKernel:
    """Source of a kernel, and the number of its outputs."""

    source: str
    outputs: int


def law_kernel(
    inputs: Sequence[Expr], constants: Sequence[Expr | None], outputs: Sequence[Expr], count: int = 1
) -> LawKernel:
    """Write the kernel of some outputs for about ``count`` laws; a constant without influence on them is None."""
    rows = [Input("x", i, one, f"%x{i}") for i, one in enumerate(inputs)]
    rows += [Input("number", i, one, f"%c{i}") for i, one in enumerate(constants) if one is not None]
    widths = {"index": len(inputs), "number": len(constants), "out": len(outputs)}
    stored = list(enumerate(outputs))
    if INTERPRET:
        meanings = {i: f"output {i}" for i in range(len(outputs))}
        return LawKernel(python_source("law", rows, stored, widths, meanings), len(outputs))
    return LawKernel(kernel_source("law", rows, stored, widths, LANES if count >= MANY else 1), len(outputs))
