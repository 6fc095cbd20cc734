"""Evaluation of the programs and compiled laws that depend on signals."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.program import Program, run
from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.kernel_calls import call_kernel
from flexura.mechanics.core.system import LawCalls

STRESS, SLOPE, DISPLAYED = range(3)
"""Outputs of laws: stresses, their slopes, and displayed forces, which act through other strains."""


@compiled
def call_law_kernels(
    address: Ints, laws: LawCalls, numbers: Ints, registers: Floats, out: Floats, out_start: Ints
) -> None:
    """Evaluate one kernel for each kind of law, with its inputs in registers and its ``numbers``; zero for none."""
    for k in range(address.size):
        if address[k] != 0:
            call_kernel(
                address[k],
                laws.count[k],
                laws.index,
                laws.index_start[k],
                laws.number,
                numbers[k],
                registers,
                registers,
                registers,
                0,
                out,
                out_start[k],
            )


@compiled
def call_laws(program: Program, laws: LawCalls, level: int) -> None:
    """Evaluate the laws of elements, from and to the registers of a program."""
    registers = program.registers
    call_law_kernels(laws.address[level], laws, laws.number_start[level], registers, registers, laws.out_start[level])


@compiled
def follow_signals(program: Program, laws: LawCalls, span: Ints, level: int) -> None:
    """Evaluate loads, rates of states and laws of elements, or their slopes."""
    run(program, program.registers, span[2 * level], span[2 * level + 1])
    call_laws(program, laws, level)
