"""Log of the accepted steps of a run: their ends, and states at events and checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.integrators.run_memory import EVENTS, IMPACTS, NOW, RUNNING, STATUS, STEPS, Memory
from flexura.integrators.step_loop import advance
from flexura.mechanics.core.row_switches import saved_switches
from flexura.mechanics.core.system import System

_STRIDE = 32
"""Steps between two snapshots, at least: so many are computed without returning to Python."""


@dataclass(frozen=True)
class Snapshot:
    """State at the end of a step, after its events."""

    step: int
    """number of steps before it"""
    t: float
    x: Floats
    v: Floats
    tracked: Floats
    switches: Floats
    event: bool


@compiled
def _advance(s: System, m: Memory, budget: int, ends: Floats) -> int:
    """Try steps until one has an event, or the given number is accepted; returns their number."""
    count, met = 0, m.count[EVENTS] + m.count[IMPACTS]
    for _ in range(budget):
        steps = m.count[STEPS]
        advance(s, m, 1)
        if m.count[STEPS] > steps:
            ends[count] = m.clock[NOW]
            count += 1
        if m.count[STATUS] != RUNNING or count == ends.size or m.count[EVENTS] + m.count[IMPACTS] != met:
            break
    return count


class StepLog:
    """Ends of the steps of a run, with snapshots of its states.

    Snapshots are made at events; otherwise their number grows with the square root of that of steps.
    """

    def __init__(self) -> None:
        self.ends = [0.0]
        self.snapshots: list[Snapshot] = []
        self._stride, self._met = _STRIDE, 0

    def begin(self, s: System, m: Memory) -> None:
        """Record the start of the run, which may have had events."""
        self.ends = [float(m.clock[NOW])]
        self._met = int(m.count[EVENTS] + m.count[IMPACTS])
        self._note(s, m, False)

    def advance(self, s: System, m: Memory, budget: int) -> None:
        """Make the steps of a block."""
        if m.clock[NOW] > self.ends[-1]:  # a discontinuity was passed, where rates may jump
            self._note(s, m, True)
        left = max(self._stride - (len(self.ends) - 1) % self._stride, 1)
        room = np.zeros(left)
        count = _advance(s, m, budget, room)
        self.ends += room[:count].tolist()
        met = int(m.count[EVENTS] + m.count[IMPACTS])
        if met != self._met or (count and (len(self.ends) - 1) % self._stride == 0):
            self._note(s, m, met != self._met)
        self._met = met

    def _note(self, s: System, m: Memory, event: bool) -> None:
        number, tracked = len(self.ends) - 1, s.number[s.track_target]
        if self.snapshots and self.snapshots[-1].step == number:
            event = event or self.snapshots.pop().event
        now = float(m.clock[NOW])
        self.snapshots.append(Snapshot(number, now, m.x.copy(), m.v.copy(), tracked, saved_switches(s), event))
        if self._stride < 0.5 * sqrt(number):
            self._stride *= 2
            self.snapshots = [one for one in self.snapshots if one.event or one.step % self._stride == 0]
