"""Log of the accepted steps of a run: their ends, and states at events and at checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from flexura.derive.records import Floats
from flexura.integrators.limits import Meter
from flexura.integrators.run_memory import EVENTS, IMPACTS, NOW, Memory
from flexura.mechanics.core.row_switches import noted_switches
from flexura.mechanics.core.system import System


@dataclass(frozen=True)
class Snapshot:
    """State at the end of a step, after its events."""

    step: int
    """steps before it"""
    t: float
    x: Floats
    v: Floats
    tracked: Floats
    switches: Floats
    event: bool


class StepLog(Meter):
    """Meter that allows one step at a time and notes where it ends.

    The number of snapshots grows with that of events, and else with the square root of that of steps.
    """

    def __init__(self, system: System) -> None:
        Meter.__init__(self)
        self.system = system
        self.ends: list[float] = []
        self.snapshots: list[Snapshot] = []
        self._stride, self._met = 1, 0

    def budget(self, m: Memory) -> int:
        """One step, after a look at the last."""
        now, met = float(m.clock[NOW]), int(m.count[EVENTS] + m.count[IMPACTS])
        if not self.ends or now > self.ends[-1] or met != self._met:
            if not self.ends or now > self.ends[-1]:
                self.ends.append(now)
            number, event = len(self.ends) - 1, met != self._met
            if event or number % self._stride == 0:
                self._note(number, now, m, event)
            self._met = met
        return 1

    def _note(self, number: int, t: float, m: Memory, event: bool) -> None:
        s = self.system
        tracked = s.number[s.track_target]
        if self.snapshots and self.snapshots[-1].step == number:
            self.snapshots.pop()
        self.snapshots.append(Snapshot(number, t, m.x.copy(), m.v.copy(), tracked, noted_switches(s), event))
        if number > 16 and self._stride < 0.5 * sqrt(number):
            self._stride *= 2
            self.snapshots = [one for one in self.snapshots if one.event or one.step % self._stride == 0]
