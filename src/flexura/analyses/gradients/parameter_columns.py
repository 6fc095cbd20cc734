"""Parameters of a model as changes of the numbers of its system, for the variational equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Direction, Neighbour
from flexura.analyses.gradients.timed_formulas import TimedFormulas
from flexura.analyses.studies.job import START
from flexura.derive.kinds import Kind
from flexura.derive.program import Program
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
    own = _Formulas.of(base.machine, base.system)
    others = [_Formulas.of(near.machine, near.system) for near in along.wide]
    if not all(own.same_structure(other) for other in others):
        return False
    return TimedFormulas(base).holds(along, own.program, [other.program for other in others])


def in_formulas(machine: PreparedModel, system: System, along: Direction) -> bool:
    """True if a formula of time, of a law or of a load depends on a parameter, or the structure does."""
    if along.path.startswith(START):
        return False
    own = _Formulas.of(machine, system)
    return any(own.differs(_Formulas.of(near.machine, near.system)) for near in (along.wide[0], along.wide[-1]))


class _Formulas(NamedTuple):
    """Parts of a prepared model without exact kernels: exponents of laws and of strains, and formulas."""

    kinds: list[Kind]
    laws: list[object]
    program: Program
    lengths: Array
    """of bodies with distributed loads"""
    sizes: list[int]
    """counts of the numbers of the system"""

    @staticmethod
    def of(machine: PreparedModel, system: System) -> _Formulas:
        """Formulas of a prepared model, with their constants as they are before a run."""
        formulas = machine.formulas
        return _Formulas(
            [group.kind for group in machine.layout.groups],
            list(formulas.law_table.kinds),
            formulas.builder.finish(),
            system.driven.body_length,
            [part.size for part in numbers_of(system).values()],
        )

    @property
    def constants(self) -> tuple[Array, ...]:
        """Numbers in formulas."""
        program = self.program
        return program.registers, program.table_break, program.table_coefficient, self.lengths

    def same_structure(self, other: _Formulas) -> bool:
        """True if other formulas differ in their constants alone."""
        return (
            self.kinds == other.kinds
            and self.laws == other.laws
            and np.array_equal(self.program.code, other.program.code)
            and self.sizes == other.sizes
            and all(a.shape == b.shape for a, b in zip(self.constants, other.constants, strict=True))
        )

    def differs(self, other: _Formulas) -> bool:
        """True if other formulas have another structure or other constants."""
        return not self.same_structure(other) or not all(
            np.array_equal(a, b, equal_nan=True) for a, b in zip(self.constants, other.constants, strict=True)
        )
