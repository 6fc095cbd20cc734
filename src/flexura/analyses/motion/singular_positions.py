"""Singular positions that a motion passes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexura.integrators.audit_record import ENERGY, KINETIC, LOSS, RATIO, STRAIN, VALUE, WEIGHT, WORK, Audit
from flexura.integrators.methods import Method
from flexura.integrators.problem import State, Verdict
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.preparation.singular_position import Passage, passage
from flexura.results.events import MotionEvent
from flexura.results.findings import Finding

_MOST_TOLD = 3
"""Maximum number of passages that findings describe one by one."""
_MOST_LOST = 10.0
"""Relative error of the energy over the tolerance that passages may cause."""
_ROUNDING = 1e-12
"""Rounding of the energy of the weight, which depends on the origin."""
_REACHABLE = 1e-10
"""Smallest tolerance that rounding near singular positions permits for most linkages."""
_BEYOND_ROUNDING = "rounding near singular positions exceeds this tolerance; give a larger one, such as 1e-9"
ADVICE = "a stiffness in one of the constraints would decide the branch by forces"


class SingularPositions:
    """Examination of steps for singular positions, with a record of those that were passed."""

    def __init__(self, parts: Callable[[], tuple[Layout, System]]) -> None:
        self._parts = parts
        self.passed: list[Passage] = []

    def __call__(self, t: float, h: float, start: State, end: State) -> Verdict:
        """Look for a singular position between two states."""
        found = passage(*self._parts(), t, h, start, end)
        if found is None:
            return Verdict.REGULAR
        if found.avoidable:
            return Verdict.AVOIDABLE
        if not found.meeting:
            return Verdict.MISSED
        if not found.smooth:
            return Verdict.SINGULAR
        self.passed.append(found)
        return Verdict.PASSED

    @property
    def events(self) -> tuple[MotionEvent, ...]:
        """Passages as events."""
        return tuple(MotionEvent(found.time, ", ".join(found.dependent), "singular position") for found in self.passed)

    def doubts(self, audit: Audit, method: Method) -> tuple[Finding, ...]:
        """Doubt about a run whose passages cost more energy than its tolerance."""
        settings, tally = vars(method), audit.tally
        if not self.passed or settings.get("step", 0.0) > 0.0 or audit.worst[ENERGY, RATIO] > 1.0:
            return ()
        turned_over = float(np.max(tally[[KINETIC, STRAIN, WORK, LOSS]]))
        allowed = _MOST_LOST * settings["tolerance"] * turned_over + _ROUNDING * float(tally[WEIGHT])
        value = float(audit.worst[ENERGY, VALUE])
        if value <= allowed:
            return ()
        what = "the energy is off by more than ten times the tolerance, after singular positions [J]"
        advice = "tighten the tolerance" if settings["tolerance"] > _REACHABLE else _BEYOND_ROUNDING
        return (Finding(what, "doubt", value=value, allowed=allowed, advice=advice),)

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
