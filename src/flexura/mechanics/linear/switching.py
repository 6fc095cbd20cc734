"""Switching functions of laws and formulas: at their zeros the accelerations of a system have kinks or jumps."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.numbered_functions import NUMBERS
from flexura.derive.program import FUNCTION
from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record
from flexura.functions import TABLE
from flexura.mechanics.core.law_calls import STRESS, call_law_kernels
from flexura.mechanics.core.row_switches import restore_switches
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.variations import follow_laws
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.preparation.signal_programs import Formulas


class Switching(Record):
    """The switching functions of a system, and their values at the last state."""

    address: Ints
    """kernels of the laws of elements, 0 without"""
    out_start: Ints
    row: IntTable
    """(register, register to subtract or -1, strain of the law or -1) of formulas"""
    value: Floats


def switching_of(formulas: Formulas, system: System) -> Switching:
    """Find the switching functions of the laws and formulas of a system, except those of time only."""
    address, starts = formulas.law_table.switching_kernels()
    code = system.program.code
    rows = [_rows(code, formulas.values.start, formulas.values.stop, -1)]
    for n in range(len(system.laws.program)):
        law, start, stop = (int(one) for one in system.laws.program[n, :3])
        rows.append(_rows(code, start, stop, int(system.laws.strain[law])))
    row = np.ascontiguousarray(np.concatenate(rows))
    return Switching(address=address, out_start=starts, row=row, value=np.zeros(int(starts[-1]) + len(row)))


def _rows(code: Ints, start: int, stop: int, strain: int) -> Ints:
    """Rows of a program that call non-smooth functions."""
    rough = {FUNCTION + NUMBERS[name]: one.arity for name, one in TABLE.items() if not one.smooth and name in NUMBERS}
    found = [(a, b if rough[op] > 1 else -1, strain) for op, _, a, b in code[start:stop].tolist() if op in rough]
    return np.array(list(dict.fromkeys(found)), dtype=np.int64).reshape(-1, 3)


@compiled
def evaluate_switching(s: System, w: Switching) -> None:
    """Values of the switching functions at the state of the last ``accelerate``."""
    registers, laws = s.program.registers, s.feedback.laws
    follow_laws(s)
    call_law_kernels(w.address, laws, laws.number_start[STRESS], registers, w.value, w.out_start)
    first = w.out_start[w.out_start.size - 1]
    for i in range(w.row.shape[0]):
        if w.row[i, 2] >= 0:
            registers[1] = s.strain[w.row[i, 2]]
            registers[2] = s.rate[w.row[i, 2]]
        w.value[first + i] = registers[w.row[i, 0]] - (registers[w.row[i, 1]] if w.row[i, 1] >= 0 else 0.0)


@compiled
def switching_along(
    s: System,
    w: Switching,
    t: Floats,
    x: FloatTable,
    v: FloatTable,
    tracked: FloatTable,
    switches: FloatTable,
    found: FloatTable,
) -> None:
    """Values of the switching functions at states, into ``found``, one row each."""
    a, stress = np.zeros(x.shape[1]), np.zeros(max(s.strain.size, 1))
    for k in range(t.size):
        for i in range(s.track_target.size):
            s.number[s.track_target[i]] = tracked[k, i]
        if switches.shape[1]:
            restore_switches(s, switches[k])
        accelerate(s, t[k], x[k], v[k], a, stress)
        evaluate_switching(s, w)
        for i in range(w.value.size):
            found[k, i] = w.value[i]
