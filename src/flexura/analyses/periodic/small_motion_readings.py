"""Outputs of a small motion: signals and forces of laws that remain non-linear, and loads for reactions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.small_motion_contacts import Watched
from flexura.analyses.periodic.small_motion_tables import Sampled, rates_beside
from flexura.derive.records import Floats
from flexura.integrators.small_motion_steps import Output
from flexura.mechanics.core.index_arrays import ints
from flexura.model.names import Address


class Readings:
    """Quantities that are written at each output time, by name."""

    def __init__(self, course: Course, at: Sampled, contacts: Sequence[Watched]) -> None:
        self._course, self._at, self._gauged = course, at, contacts
        self._layout, self._formulas = course.ready.layout, course.ready.assembler.formulas
        measured, forces = self._signals(), self._forces()
        self._registers = ints([*measured.values(), *(r for registers in forces.values() for r in registers)])
        self._measured, self._force_counts = len(measured), [len(registers) for registers in forces.values()]
        gaps = [f"{name}.{contact.name}" for name, contact in contacts]
        self.names = (*measured, *gaps, *(f"{gap}'" for gap in gaps), *(f"{name}.force" for name in forces))
        """names of the values"""
        self.acting = tuple(str(self._formulas.followers[k]) for k in at.linear[1])
        """names of the loaded signals"""
        self.pressed = tuple(str(self._layout.coordinates[c]) for c in at.contacts.every_coordinate)
        """names of the coordinates on which contacts act"""

    def _signals(self) -> dict[str, int]:
        """Registers of the signals that laws of elements measure."""
        f, places = self._formulas, dict[str, int]()
        used = {name for rule in (*f.rules, *f.shown) if rule.by_element for name in rule.measured}
        for name, (address, order) in f.measured.items():
            if name in used and not address.integral:
                places[str(address) + order * "'"] = f.builder.input(name)
        first = len(self._course.small.system.program.registers)
        for number, name in enumerate(rates_beside(self._course, self._at)):
            places[str(f.measured[name[:-1]][0]) + "'"] = first + number
        return places

    def _forces(self) -> dict[str, list[int]]:
        """Registers of the loads in the force of a strain that has only laws of its element."""
        f, found = self._formulas, dict[str, list[int]]()
        others = self._otherwise_stressed()
        for address, register, rule in zip(f.followers, f.registers, f.rules, strict=True):
            if rule.by_element and address not in others:
                found.setdefault(str(address), []).append(register)
        for rule, register in zip(f.shown, f.shown_registers, strict=True):
            found[str(self._layout.names.resolve(rule.target))] = [register]
        return found

    def _otherwise_stressed(self) -> set[Address]:
        """Strains that also have stiffness, damping, preload or given loads."""
        laws, layout, f = self._course.small.system.laws, self._layout, self._formulas
        own = np.add.reduceat(np.r_[np.abs(laws.stiffness) + np.abs(laws.damping), 0.0], laws.start[:-1].astype(int))
        own[np.diff(laws.start) == 0] = 0.0
        own = own + np.abs(laws.preload)
        found = {layout.strains[k] for k, size in zip(laws.strain, own, strict=True) if size}
        found |= {layout.strains[laws.strain[row[0]]] for row in laws.program}
        found |= {address for address, _ in f.loads}
        return found | {a for a, rule in zip(f.followers, f.rules, strict=True) if not rule.by_element}

    def output(self, times: Floats, width: int) -> Output:
        """Memory for the output at these times, for a state of this width."""
        loads, nodal = self._at.linear[1].size, self._at.contacts.every_coordinate.size

        def room(columns: int) -> Floats:
            return np.zeros((times.size, columns))

        return Output(
            time=times,
            y=room(2 * width),
            noted=self._registers,
            register=room(self._registers.size),
            gap=room(2 * len(self._gauged)),
            change=room(loads),
            force=room(nodal),
            loose=np.ones(times.size, dtype=np.int64),
            effort=np.zeros(2, dtype=np.int64),
        )

    def values(self, output: Output) -> Floats:
        """Values by names, one row for each time."""
        ends = np.cumsum([self._measured, *self._force_counts])
        forces = [output.register[:, a:b].sum(axis=1) for a, b in pairwise(ends)]
        return np.column_stack([output.register[:, : self._measured], output.gap, *forces]) + 0.0
