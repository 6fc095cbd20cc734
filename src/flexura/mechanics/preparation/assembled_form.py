"""A layout with its assembled arrays."""

from __future__ import annotations

import numpy as np

from flexura.derive.array_backup import Backup
from flexura.derive.records import Floats
from flexura.errors import AnalysisError
from flexura.mechanics.core.changed_elements import Changes
from flexura.mechanics.core.element_numbers import Place, tracked_places
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.structure import structure_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.preparation.assembly import Assembler
from flexura.mechanics.preparation.changed_numbers import ElementNumbers, Numbers
from flexura.mechanics.preparation.penalty_terms import weights_of
from flexura.mechanics.preparation.signal_programs import Formulas


class Snapshot:
    """A system and a copy of the arrays that runs change: no run may see the changes of another."""

    def __init__(self, system: System, alike: Snapshot | None = None) -> None:
        """Snapshot of the current arrays; an earlier snapshot of a similar system provides the list of these arrays."""
        self.system = system
        self._backup: Backup = alike._backup.again() if alike else Backup(system.changing())

    def restored(self) -> System:
        """Restore the arrays, and return the system."""
        self._backup.restore()
        return self.system

    def renew(self) -> None:
        """Replace the stored arrays by the current ones."""
        self._backup.renew()


class AssembledForm:
    """Arrays of one layout, with or without room for stiffness and switchable rows."""

    def __init__(
        self, layout: Layout, stiff: bool = False, switched: bool = False, formulas: Formulas | None = None
    ) -> None:
        self.layout, self.structure = layout, structure_of(layout)
        self.assembler = Assembler(layout, stiff, switched, formulas)
        self.plain = Snapshot(self.assembler.system())
        self._augmented: dict[tuple[int, ...], Snapshot] = {}
        """by the strains whose squares are added"""

    def at(self, x: Floats, v: Floats, numbers: dict[Place, float]) -> System:
        """System with the pivots of this position, augmented if the mass alone is not regular."""
        layout, following = self.layout, [numbers[place] for place in tracked_places(self.layout)]
        system = self.plain.restored()
        system.number[system.track_target] = following
        weights = weights_of(layout, system, x)
        if weights:
            system = self.augmented(weights)
            system.number[system.track_target] = following
        a, stress = np.zeros_like(x), np.zeros(max(len(layout.strains), 1))
        accelerate(system, 0.0, x.copy(), v.copy(), a, stress)
        pivots = system.factors.values[: system.pivot.size]
        if not np.all(np.isfinite(pivots)):
            raise AnalysisError("the equations of motion are singular in the first position")
        system.pivot[:] = pivots
        # a closing gap changes its pivot for another reason
        system.pivot[system.switches.place] = -1e300
        return system

    def snapshot(self, system: System) -> Snapshot:
        """Snapshot of a system of this form."""
        known = (one for one in (self.plain, *self._augmented.values()) if one.system is system)
        return Snapshot(system, next(known, None))

    def renumber(self, layout: Layout, formulas: Formulas | None = None) -> bool:
        """Replace the numbers by those of a layout with the same names; false if its structure turns out to differ."""
        if structure_of(layout) != self.structure:
            return False
        self.layout = layout
        return self._write(self.assembler.renumbered(layout, formulas))

    def with_values(self, layout: Layout, changes: Changes) -> bool:
        """Replace values of elements and signals by those of a layout; false if its structure turns out to differ."""
        self.layout = layout
        numbers = self.assembler.with_values(layout, changes)
        return numbers is not None and self._write(numbers)

    def _write(self, numbers: Numbers | ElementNumbers) -> bool:
        """Replace the numbers of all systems; false if their structure differs."""
        snapshots = (self.plain, *self._augmented.values())
        # systems share arrays: all are restored before any is changed
        systems = [snapshot.restored() for snapshot in snapshots]
        if not all(numbers.write_into(system) for system in systems):
            return False
        for snapshot in snapshots:
            snapshot.renew()
        return True

    def augmented(self, weights: dict[int, float]) -> System:
        """System with the squares of these held strains added to its matrix."""
        key = tuple(weights)
        if key not in self._augmented:
            self._augmented[key] = Snapshot(self.assembler.augmented(self.plain.restored(), weights))
        system = self._augmented[key].restored()
        system.augmented.weight[:] = list(weights.values())
        return system
