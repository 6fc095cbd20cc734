"""Prediction of the next event by constant accelerations."""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.integrators.run_memory import END, GOAL, NEXT_STEP, NOW, Memory
from flexura.integrators.stick_slip_events import time_to_rest
from flexura.mechanics.contact.contact_scales import negligible_gap, negligible_rate, negligible_time
from flexura.mechanics.contact.gap_states import DISTANCE, OPEN, RATE, SECOND
from flexura.mechanics.core.system import System


@compiled
def _end_by(m: Memory, left: float) -> None:
    """Let the next step end after this time, unless it is negligible."""
    goal = m.clock[NOW] + left
    if negligible_time(m.scales, m.clock[NOW]) < left < m.clock[NEXT_STEP] and goal < m.clock[GOAL]:
        m.clock[GOAL] = goal


@compiled
def foresee_event(s: System, m: Memory) -> None:
    """Let the next step end where the nearest gap closes at constant acceleration [Schwab2002 (5.25)]."""
    m.clock[GOAL] = m.clock[END]
    for n in range(s.gaps.strain.size):
        if s.gaps.phase[n] != OPEN:
            continue
        distance, rate, second = m.gap_before[n, DISTANCE], m.gap_before[n, RATE], m.gap_before[n, SECOND]
        least = negligible_gap(m.scales, n, m.gap[n, RATE], m.clock[NOW])
        left = math.inf
        if abs(distance) <= 100.0 * least:
            if rate > negligible_rate(m.scales, n, second, m.clock[NOW]) and second < 0.0:
                left = -2.0 * rate / second
        else:
            under = rate * rate - 2.0 * second * distance
            if under >= 0.0 and math.sqrt(under) - rate > 0.0:
                left = 2.0 * distance / (math.sqrt(under) - rate)
        _end_by(m, left)
    _end_by(m, time_to_rest(s, m))
