"""Compiled kernels of laws: functions whose inputs and outputs are registers of a program.

A kernel has the signature of :mod:`flexura.derive.kernels`. Its inputs are looked up in the registers through
``index``, and the constants of the law are its ``number``: laws that differ in their constants alone share a kernel.
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
    """Source of a kernel, and the constants of the law that it was written for."""

    source: str
    constants: tuple[float, ...]
    outputs: int


def law_kernel(inputs: Sequence[Expr], outputs: Sequence[Expr], count: int = 1) -> LawKernel:
    """Write the kernel of some outputs for about ``count`` laws."""
    pool: dict[float, str] = {}
    rows = [Input("x", i, name, f"%x{i}") for i, name in enumerate(inputs)]
    widths = {"index": len(inputs), "out": len(outputs)}
    if INTERPRET:
        meanings = {i: f"output {i}" for i in range(len(outputs))}
        return LawKernel(python_source("law", rows, list(enumerate(outputs)), widths, meanings), (), len(outputs))
    lanes = LANES if count >= MANY else 1
    source = kernel_source("law", rows, list(enumerate(outputs)), widths, lanes, pool)
    return LawKernel(source, tuple(pool), len(outputs))
