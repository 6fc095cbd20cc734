"""Formulas of time and their changes with parameters: driven coordinates and strains, and loads.

Values of formulas at the times of stages are differenced between neighbours, without mechanics; their effect on the
accelerations is exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Direction, Neighbour
from flexura.analyses.gradients.state_slopes import neighbour_slopes
from flexura.derive.program import TABLE, Program, Span, tabulate
from flexura.derive.records import Floats

Array = NDArray[np.float64]


class TimedFormulas:
    """Registers with the values of formulas of time, in the order of their changes."""

    def __init__(self, base: Neighbour) -> None:
        driven, program = base.system.driven, base.system.program
        self.base, self.stop = base, int(driven.stop[0])
        late = program.code[self.stop :]
        laws = base.machine.formulas.law_table.registers.values()
        inputs = range(base.machine.formulas.builder.inputs)
        elsewhere = {*late[:, 1].tolist(), *inputs, *(r for parts in laws for part in parts for r in part)}
        wanted = np.concatenate(
            [
                driven.coordinate_register.ravel(),
                driven.row_register.ravel(),
                driven.load_register,
                driven.load_law[:, 1],
            ]
        ).tolist()
        self.registers = tuple(0 if one in elsewhere else one for one in wanted)
        """register of each value, that of the time for values that are not formulas of time"""
        outputs = base.system.laws.program[:, 3:6].ravel().tolist()
        self.read_later = {*late[:, 2].tolist(), *late[:, 3].tolist(), *outputs, *base.machine.formulas.registers}
        self.tables_later = bool(np.any(late[:, 0] == TABLE))

    def holds(self, along: Direction, own: Program, others: Sequence[Program]) -> bool:
        """True if a parameter changes only formulas of time, whose values drive or load."""
        if self.base.system.driven.body.shape[0]:
            return False
        for other in others:
            changed = np.flatnonzero(own.registers != other.registers)
            if not self.read_later.isdisjoint(changed.tolist()):
                return False
            same = np.array_equal(own.table_break, other.table_break)
            if self.tables_later and not (same and np.array_equal(own.table_coefficient, other.table_coefficient)):
                return False
        return bool(along.wide)

    def changes(self, directions: Sequence[Direction], t: Floats) -> Array:
        """Changes of the values at times: row i·directions + j belongs to time i and direction j."""
        table = np.zeros((t.size * len(directions), len(self.registers)))
        for j, along in enumerate(directions):
            table[j :: len(directions)] = neighbour_slopes(along, lambda near: self._values(near, t))
        return table

    def _values(self, near: Neighbour, t: Floats) -> Array:
        return tabulate(near.system.program, Span(0, self.stop, self.registers), t[:, None])
