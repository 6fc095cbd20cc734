"""Parameters of a model as changes of the numbers of its system, for the variational equations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Direction, Neighbour
from flexura.derive.records import Ints
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.variation_tables import Numbers, number_changes, numbers_of
from flexura.mechanics.preparation.prepared_model import PreparedModel

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ParameterColumns:
    """Parameters whose numbers have exact kernels, and those that formulas depend on."""

    exact: Ints
    """row of ``numbers`` of each parameter, -1 where no number of the system depends on it"""
    numbers: Numbers
    forced: Ints
    """column of the forcing of each parameter, -1 where no formula depends on it"""

    @property
    def forced_parameters(self) -> list[int]:
        """Parameters that formulas depend on, in the order of the columns of the forcing."""
        return [j for j, column in enumerate(self.forced) if column >= 0]


def parameter_columns(machine: PreparedModel, system: System, directions: list[Direction]) -> ParameterColumns:
    """Changes of the numbers of a system with parameters; parameters of formulas and of their laws are forced."""
    exact, forced = np.full(len(directions), -1, dtype=np.int64), np.full(len(directions), -1, dtype=np.int64)
    numbers = number_changes(system, len(directions))
    for j, along in enumerate(directions):
        if _in_formulas(machine, system, along):
            forced[j] = int((forced >= 0).sum())
            continue
        changes = {name: _change(along.wide, name) for name in numbers_of(system)}
        if any(part.any() for part in changes.values()):
            exact[j] = j
            for name, part in changes.items():
                getattr(numbers, name)[j] = part
    # what neighbours remember of their own runs is no derivative
    numbers.number[:, system.track_target] = 0.0
    return ParameterColumns(exact, numbers, forced)


def _change(of: tuple[Neighbour, ...], name: str) -> Array:
    """Derivative of numbers of a system; infinite ones do not change."""
    values = np.array([numbers_of(near.system)[name] for near in of])
    weights = np.array([near.weight for near in of])
    still = np.all(values == values[0], axis=0)
    return np.where(still, 0.0, weights @ np.where(still, 0.0, values))


def _structure(machine: PreparedModel, system: System) -> tuple[object, ...]:
    """Parts of a model that numbers do not reach: exponents of laws and of strains, and the course of formulas."""
    kinds = [group.kind for group in machine.layout.groups]
    return kinds, list(machine.formulas.law_table.kinds), system.program.code.tolist()


def _in_formulas(machine: PreparedModel, system: System, along: Direction) -> bool:
    """True where a formula of time, of a law or of a load depends on a parameter, or the structure does."""
    own, structure = _constants(machine, system), _structure(machine, system)
    for near in along.wide:
        if _structure(near.machine, near.system) != structure:
            return True
        other = _constants(near.machine, near.system)
        if any(a.shape != b.shape or not np.array_equal(a, b, equal_nan=True) for a, b in zip(own, other, strict=True)):
            return True
        mine, theirs = numbers_of(system), numbers_of(near.system)
        if any(mine[name].shape != theirs[name].shape for name in mine):
            return True
    return False


def _constants(machine: PreparedModel, system: System) -> tuple[Array, ...]:
    """Numbers in formulas."""
    program = machine.formulas.builder.finish()
    return (
        program.registers,
        program.table_break,
        program.table_coefficient,
        system.driven.body_length,
    )
