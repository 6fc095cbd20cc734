"""Numbers of a system that follow from values in its model, written into existing arrays.

All other arrays of a system (indices, patterns, addresses of kernels) depend only on the structure of the model.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from flexura.derive.program import Program
from flexura.derive.records import Floats, FloatTable, Record
from flexura.mechanics.core.system import Driven, Feedback, Laws, System, Touch


class ElementNumbers(NamedTuple):
    """Numbers of a system that follow from values of elements and signals; None for unchanged ones."""

    numbers: dict[int, list[float]]
    """of the changed elements, by the place of the first"""
    laws: Laws | None
    constants: Floats | None
    """of the laws of elements"""
    weight: Floats | None
    impact: FloatTable | None
    friction: dict[str, FloatTable]
    program: Program | None
    """with the constants of inputs and loads"""

    def write_into(self, system: System) -> bool:
        """Replace the numbers of a system; false if its structure differs."""
        if self.laws is not None and not system.laws.take_numbers(self.laws):
            return False
        if self.program is not None and not system.program.take_numbers(self.program):
            return False
        for first, values in self.numbers.items():
            system.number[first : first + len(values)] = values
        arrays = [
            (system.feedback.laws.number, self.constants),
            (system.driven.body_base, self.weight),
            (system.motion.extra, self.weight),
            (system.gaps.law, self.impact),
            *((getattr(system.grips, name), values) for name, values in self.friction.items()),
        ]
        return _written([(own, new) for own, new in arrays if new is not None])


def _written(arrays: list[tuple[Any, Any]]) -> bool:
    """Replace the numbers of arrays; false if a size differs."""
    for own, new in arrays:
        if own.shape != new.shape:
            return False
        own[...] = new
    return True


class Numbers(NamedTuple):
    """Numbers of a system, together with the indices that they belong to."""

    number: Floats
    laws: Laws
    driven: Driven
    feedback: Feedback
    program: Program
    touch: Touch
    scale: Floats
    """scales of the held strains"""
    impact: FloatTable
    friction: dict[str, FloatTable]
    """of frictional contacts"""

    def write_into(self, system: System) -> bool:
        """Replace the numbers of a system; false if its structure differs."""
        records: tuple[tuple[Record, Record], ...] = (
            (system.laws, self.laws),
            (system.driven, self.driven),
            (system.feedback, self.feedback),
            (system.program, self.program),
            (system.touch, self.touch),
        )
        if not all(own.take_numbers(new) for own, new in records):
            return False
        arrays = [(system.number, self.number), (system.rows.scale, self.scale), (system.gaps.law, self.impact)]
        arrays += [(getattr(system.grips, name), values) for name, values in self.friction.items()]
        return _written([*arrays, (system.motion.extra, self.driven.body_base)])
