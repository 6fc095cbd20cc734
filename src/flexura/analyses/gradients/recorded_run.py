"""Run of a model with its states at any times, and the times at which its equations change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import CACHE
from flexura.analyses.motion.effort_prediction import predict
from flexura.analyses.motion.method_choice import run_differentiable
from flexura.analyses.motion.signal_events import Event
from flexura.analyses.motion.simulate import motion_of_run, pose
from flexura.analyses.motion.two_parts import QuietPart
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.formulations import Multipliers
from flexura.integrators.methods import DormandPrince, Method
from flexura.integrators.problem import Problem
from flexura.integrators.run_memory import SETS, Memory
from flexura.integrators.step_log import StepLog
from flexura.integrators.step_loop import integrate
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.accelerations_along import follow_along
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.preparation.time_breaks import time_breaks
from flexura.model.model import Model
from flexura.model.revised_models import with_independent
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

Array = NDArray[np.float64]
_SOON = 1e-4
"""Fraction of the time between two changes after which a state clearly belongs to that interval."""
_TIGHT, _TIGHT_CONTACT = 1e-10, 1e-12
"""Tolerance of runs for derivatives, without and with contact laws: these begin with a square root."""
SINGULAR_POSITION = "singular position"
TIME_BREAK, TOUCH, REVERSAL, SWITCH = "break", "touch", "reversal", "switch"
"""Kinds of changes in addition to events: a discontinuity of an input, a gap with a law that opens or closes, sliding
that changes its direction without sticking, and a zero of a switching function of laws and formulas."""


class States(NamedTuple):
    """States of the condensed model at times, one row each."""

    t: Floats
    x: Array
    v: Array
    tracked: Array
    """tracked numbers"""
    switches: Array
    """active rows of contacts"""

    def at(self, rows: NDArray[np.int64]) -> States:
        """Some of the states."""
        return States(*(part[rows].copy() for part in self))


@dataclass(frozen=True)
class Change:
    """Time at which the equations of motion change, and its events."""

    time: float
    kinds: tuple[str, ...]
    signals: tuple[str, ...]


class RecordedRun:
    """Runs of one prepared model with one method, at requested times."""

    def __init__(
        self, prepared: PreparedModel, model: Model, at: Floats, method: Method | None, events: Sequence[Event]
    ) -> None:
        self.prepared, self.model, self.at = prepared, model, at
        self.machine = prepared.start(model)
        self.layout, self.system = self.machine.condensed
        self.touches = tuple(str(self.layout.strains[k]) for k in self.system.touch.strain)
        self.slips = {f"{self.layout.strains[held.slips[0]]}'" for held in self.layout.grips if len(held.slips) == 1}
        watched = {event.signal for event in events}
        self.events = (*events, *(Event(name) for name in (*self.touches, *sorted(self.slips)) if name not in watched))
        self.memory: Memory
        self.method: Method
        self.log: StepLog
        self._breaks: dict[int, list[float]] = {}
        if method is None:
            self.motion = run_differentiable(predict(self.machine, float(at[-1])), at, self._tight)
        else:
            self.motion, self.method = self.perform(method, at), method
        if self.motion.outcome not in (Outcome.DONE, Outcome.STOPPED):
            said = "; ".join(str(doubt) for doubt in self.motion.doubts) or self.motion.outcome.value
            raise AnalysisError(f"a run that does not end well has no gradient: {said}", self.motion)
        if any(event.kind == SINGULAR_POSITION for event in self.motion.events):
            raise AnalysisError("the motion passes a singular position, where it has no derivative", self.motion)

    @property
    def end(self) -> float:
        """Last time of the motion."""
        return float(self.motion.t[-1])

    @property
    def effort(self) -> dict[str, float]:
        """Effort of the run, and the number of states stored for the adjoint method."""
        return {**self.motion.statistics, "snapshots": float(len(self.log.snapshots))}

    def with_choices(self) -> Model:
        """Model with the independent coordinates that were chosen for it.

        Start values that are not given are zero for these coordinates, also in neighbours.
        """
        independent = self.machine.mobility.independent
        if self.model.independent or not self.model.start or len(independent) < 2:
            return self.model
        if any(address.internal or address.integral for address in independent):
            return self.model
        try:
            held = with_independent(self.model, [str(address) for address in independent])
            with CACHE.borrowed(held) as prepared:
                prepared.start(held)
        except (ModelError, AnalysisError):
            return self.model
        return held

    def _tight(
        self,
        method: Method,
        at: Floats,
        quiet: QuietPart | None = None,
        most_evaluations: float = np.inf,
        common_scale: bool = False,
    ) -> Motion:
        """Motion by the method chosen for the model, with a tighter tolerance if that is cheap.

        It is computed up to its end by one method, without a ``quiet`` part, and with all forces.
        """
        tolerance = _TIGHT_CONTACT if self.touches else _TIGHT
        self.method = replace(method, tolerance=tolerance) if isinstance(method, DormandPrince) else method
        return self.perform(self.method, at)

    def perform(self, method: Method, at: Floats) -> Motion:
        """Motion at these times."""
        machine = self.prepared.start(self.model)
        problem: Problem = pose(machine, at, method, Multipliers(), self.events)
        self.log = StepLog()
        self.memory, interrupted = integrate(problem, method, lambda _: None, log=self.log)
        if interrupted:
            raise KeyboardInterrupt
        if self.memory.count[SETS]:
            raise AnalysisError(
                "the run exchanges redundant constraints, which gradients do not follow; release some of them"
            )
        return motion_of_run(machine, problem, self.memory, interrupted, method, self.events)

    def states(self, times: Floats) -> States:
        """States at times within the run, in any order."""
        anchors = self._anchors if self.system.track_target.size else np.zeros(0)
        every, places = np.unique(np.concatenate([times, [0.0, self.at[-1]], anchors]), return_inverse=True)
        self.perform(self.method, every)
        m, rows = self.memory, places[: times.size].astype(np.int64)
        found = States(every, m.x_out, m.v_out, m.tracked_out, m.switch_out)
        if anchors.size:
            self._follow(found, np.searchsorted(every, anchors))
        return found.at(rows)

    @cached_property
    def _anchors(self) -> Floats:
        """Time soon after each change."""
        bounds = np.array([*self._starts, self.end])
        return np.asarray(bounds[:-1] + _SOON * np.diff(bounds))

    @cached_property
    def _starts(self) -> Floats:
        """Times at which intervals with unchanged equations begin."""
        return np.array([0.0, *(change.time for change in self.changes())])

    def _follow(self, states: States, anchors: NDArray[np.int64]) -> None:
        """Update the tracked numbers: those of outputs belong to ends of steps, possibly after events."""
        firsts = np.searchsorted(states.t, self._starts, side="right")
        firsts[0] = 0
        for first, last, anchor in zip(firsts, [*firsts[1:], states.t.size], anchors, strict=True):
            states.tracked[first] = states.tracked[anchor]
            rows = slice(int(first), int(last))
            follow_along(self.system, states.x[rows], states.v[rows], states.tracked[rows])

    def changes(self) -> list[Change]:
        """Times at which the equations change, in order; coincident events are one change."""
        end = self.end
        found = [(event.time, event.kind, event.signal) for event in self.motion.events]
        found = [
            *(each for each in found if each[1] != "crossing"),
            *((time, TOUCH, signal) for time, kind, signal in found if kind == "crossing" and signal in self.touches),
            *(
                (time, REVERSAL, signal.rstrip("'"))
                for time, kind, signal in found
                if self._reverses(time, kind, signal)
            ),
        ]
        found += [(time, TIME_BREAK, "") for time in self.breaks(self.system)]
        found = sorted(each for each in found if 0.0 < each[0] < end)
        groups: list[list[tuple[float, str, str]]] = []
        for each in found:
            if groups and each[0] - groups[-1][-1][0] <= 1e-12 * end:
                groups[-1].append(each)
            else:
                groups.append([each])
        return [
            Change(group[0][0], tuple(kind for _, kind, _ in group), tuple(signal for _, _, signal in group))
            for group in groups
        ]

    def _reverses(self, time: float, kind: str, signal: str) -> bool:
        """True if a crossing is that of a slip rate while the contact slides before and after."""
        if kind != "crossing" or signal not in self.slips:
            return False
        sticks, near = False, 1e-9 * self.end
        for event in self.motion.events:
            if event.signal == signal.rstrip("'") and event.kind in ("stick", "slip"):
                if abs(event.time - time) <= near:
                    return False
                sticks = event.kind == "stick" if event.time < time else sticks
        return not sticks

    def breaks(self, system: System) -> list[float]:
        """Discontinuities of the inputs of a system within the run."""
        if id(system) not in self._breaks:
            self._breaks[id(system)] = [each.after for each in time_breaks(system, float(self.at[-1]))]
        return self._breaks[id(system)]
