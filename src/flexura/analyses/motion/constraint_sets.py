"""Changes of the independent set of redundant constraints along a motion."""

from __future__ import annotations

from collections.abc import Callable

from flexura.derive.records import Floats
from flexura.integrators.problem import Problem
from flexura.mechanics.core.element_numbers import tracked
from flexura.mechanics.core.system import System
from flexura.mechanics.preparation.prepared_model import PreparedModel


class SetChanges:
    """Independent sets used in a run, with the times of their changes; ``pose`` sets up the problem of a machine."""

    def __init__(self, machine: PreparedModel, system: System, pose: Callable[[PreparedModel], Problem]) -> None:
        self.machine, self.system, self.pose = machine, system, pose
        self.sets: list[tuple[float, PreparedModel]] = []

    def __call__(self, t: float, x: Floats, v: Floats) -> Problem | None:
        """Problem with the best set at a state; None if the current one is as good."""
        layout, _ = self.machine.condensed
        wide_x, wide_v = self.machine.widen(layout, x), self.machine.widen(layout, v)
        other = self.machine.with_better_constraints(wide_x)
        if other is None:
            return None
        self.machine = other.resume_from(wide_x, wide_v, tracked(layout, self.system))
        self.sets.append((t, self.machine))
        problem = self.pose(self.machine)
        self.system = problem.system
        return problem
