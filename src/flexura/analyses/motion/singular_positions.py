"""Singular positions that a motion passes."""

from __future__ import annotations

from collections.abc import Callable

from flexura.integrators.problem import State, Verdict
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.preparation.singular_position import Passage, passage
from flexura.results.events import Happening
from flexura.results.findings import Finding

_MOST_TOLD = 3
"""Passages that findings describe one by one."""
ADVICE = "a stiffness in one of the constraints would decide the branch by forces"


class SingularPositions:
    """Examines steps for singular positions, and remembers those that were passed."""

    def __init__(self, parts: Callable[[], tuple[Layout, System]]) -> None:
        self._parts = parts
        self.passed: list[Passage] = []

    def __call__(self, t: float, h: float, start: State, end: State) -> Verdict:
        """Look for a singular position between two states."""
        found = passage(*self._parts(), t, h, start, end)
        if found is None:
            return Verdict.REGULAR
        if not found.meeting:
            return Verdict.MISSED
        if not found.smooth:
            return Verdict.SINGULAR
        self.passed.append(found)
        return Verdict.PASSED

    @property
    def events(self) -> tuple[Happening, ...]:
        """Passages as events."""
        return tuple(Happening(found.time, ", ".join(found.dependent), "singular position") for found in self.passed)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Notes on the branches that were taken."""
        told = [
            Finding(
                "singular position passed on the branch that continues the motion" + (f", {p.branch}" * bool(p.branch)),
                time=p.time,
                where=", ".join(p.dependent),
                advice=ADVICE,
            )
            for p in self.passed[:_MOST_TOLD]
        ]
        if len(self.passed) > _MOST_TOLD:
            told.append(Finding(f"{len(self.passed)} singular positions passed in all"))
        return tuple(told)
