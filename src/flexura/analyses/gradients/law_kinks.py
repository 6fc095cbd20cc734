"""Kinks of laws and formulas inside the steps of a run: zeros of their switching functions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from flexura.analyses.gradients.neighbours import Neighbour
from flexura.analyses.gradients.recorded_run import SWITCH, Change, States
from flexura.analyses.gradients.retaken_steps import CHUNK, RetakenSteps
from flexura.derive.records import Floats
from flexura.integrators.step_log import Snapshot
from flexura.mechanics.linear.switching import Switching, switching_along, switching_of

Array = NDArray[np.float64]
_CLEAR = 1e-10
"""Fraction of a segment by which states are clearly before or after a kink."""


def _switching(near: Neighbour) -> Switching:
    key = ("switching", id(near.system))
    return near.machine.keep(key, lambda: switching_of(near.machine.formulas, near.system))


def switching_at(near: Neighbour, states: States) -> Array:
    """Switching functions of a model at states, one row each."""
    own = _switching(near)
    found = np.zeros((states.t.size, own.value.size))
    t, x, v, tracked, switches = states
    if own.value.size:
        switching_along(near.system, own, t, x.copy(), v.copy(), tracked, switches, found)
    return found


class LawKinks:
    """Kinks inside the steps of one run."""

    def __init__(self, steps: RetakenSteps) -> None:
        self.steps, run = steps, steps.run
        self.base = Neighbour.at(run.machine)
        self.none = not _switching(self.base).value.size

    def found(self, start: Snapshot, ends: Floats) -> list[tuple[Change, Snapshot]]:
        """Kinks of some steps in order, at times just before them, with the states after them."""
        if self.none:
            return []
        kinks, state, clear = list[tuple[Change, Snapshot]](), start, _CLEAR * (ends[-1] - ends[0])
        for first in range(0, ends.size - 1, CHUNK):
            part = np.ascontiguousarray(ends[first : first + CHUNK + 1])
            self.steps.resume_from(state)
            recorded, states = self.steps.stages(state.x, state.v, part, np.zeros(0))
            at = self.steps.ends(states)
            values = switching_at(self.base, at)
            for k, number in zip(*np.nonzero(values[1:] * values[:-1] < 0.0), strict=True):
                kinks.append(self._located(state, at, int(k), int(number), clear))
            state = replace(state, t=float(part[-1]), x=recorded.x.copy(), v=recorded.v.copy(), tracked=at.tracked[-1])
        kinks.sort(key=lambda each: each[0].time)
        return [each for i, each in enumerate(kinks) if not i or each[0].time > kinks[i - 1][1].t]

    def _located(self, state: Snapshot, at: States, k: int, number: int, clear: float) -> tuple[Change, Snapshot]:
        """Zero of a switching function inside step k: the part of the step just before it, and the state after it.

        Steps in which the kink was found may be shorter than the time from there.
        """

        def taken(first: int, t: float) -> Snapshot:
            tracked = at.tracked[min(first + 1, at.t.size - 1)]
            begin = replace(state, t=float(at.t[first]), x=at.x[first], v=at.v[first], tracked=tracked)
            return self.steps.reached(begin, np.array([begin.t, t])) if t > begin.t else begin

        def value(t: float) -> float:
            if t in at.t[k : k + 2]:
                return float(switching_at(self.base, at.at(np.array([k + int(t > at.t[k])])))[0, number])
            return float(switching_at(self.base, self._state(taken(k, t)))[0, number])

        root = float(brentq(value, at.t[k], at.t[k + 1], xtol=1e-300, rtol=1e-15))
        first = max(int(np.searchsorted(at.t, root - clear, side="right")) - 1, 0)
        before = taken(first, max(root - clear, float(at.t[0])))
        behind = self.steps.reached(before, np.array([before.t, root + clear]))
        return Change(before.t, (SWITCH,), (str(number),)), replace(behind, step=-1)

    def _state(self, one: Snapshot) -> States:
        return States(np.array([one.t]), one.x[None], one.v[None], one.tracked[None], one.switches[None])
