"""Parameters of a model as changes of the numbers of its system, for the variational equations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Direction, Neighbour
from flexura.analyses.gradients.timed_formulas import TimedFormulas
from flexura.derive.records import Ints
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.variation_tables import Numbers, number_changes, numbers_of
from flexura.mechanics.preparation.prepared_model import PreparedModel

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ParameterColumns:
    """Parameters whose numbers have exact kernels, and those that formulas depend on."""

    numbers: Numbers
    """changes of numbers, one row for each parameter"""
    timed: Ints
    """parameters on which formulas of time depend, in addition to numbers"""
    differenced: Ints
    """parameters whose whole effect on the accelerations is differenced"""


def parameter_columns(base: Neighbour, directions: list[Direction]) -> ParameterColumns:
    """Changes of the numbers of a system with parameters; parameters of formulas and of their laws are forced."""
    machine, system = base.machine, base.system
    numbers, timed, differenced = number_changes(system, len(directions)), list[int](), list[int]()
    for j, along in enumerate(directions):
        if in_formulas(machine, system, along):
            (timed if _in_time(base, along) else differenced).append(j)
        if j not in differenced:
            for name in numbers_of(system):
                getattr(numbers, name)[j] = _change(along.wide, name)
    # values stored by neighbours in their own runs are not derivatives
    numbers.number[:, system.track_target] = 0.0
    return ParameterColumns(numbers, np.array(timed, dtype=np.int64), np.array(differenced, dtype=np.int64))


def _change(of: tuple[Neighbour, ...], name: str) -> Array:
    """Derivative of the numbers of a system; infinite ones are constant."""
    values = np.array([numbers_of(near.system)[name] for near in of])
    weights = np.array([near.weight for near in of])
    still = np.all(values == values[0], axis=0)
    return np.where(still, 0.0, weights @ np.where(still, 0.0, values))


def _in_time(base: Neighbour, along: Direction) -> bool:
    """True if a parameter of formulas occurs only in formulas of time."""
    own = _structure(base.machine, base.system)
    shapes = [part.shape for part in _constants(base.machine, base.system)]
    for near in along.wide:
        there = [part.shape for part in _constants(near.machine, near.system)]
        if _structure(near.machine, near.system) != own or there != shapes:
            return False
        mine, theirs = numbers_of(base.system), numbers_of(near.system)
        if any(mine[name].shape != theirs[name].shape for name in mine):
            return False
    programs = [near.machine.formulas.builder.finish() for near in along.wide]
    return TimedFormulas(base).holds(along, base.machine.formulas.builder.finish(), programs)


def _structure(machine: PreparedModel, system: System) -> tuple[object, ...]:
    """Parts of a model without exact kernels: exponents of laws and of strains, and the structure of formulas."""
    kinds = [group.kind for group in machine.layout.groups]
    return kinds, list(machine.formulas.law_table.kinds), system.program.code.tolist()


def in_formulas(machine: PreparedModel, system: System, along: Direction) -> bool:
    """True if a formula of time, of a law or of a load depends on a parameter, or the structure does."""
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
