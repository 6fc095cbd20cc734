"""First moments of a run from a singular position: outputs and work up to the time at which steps begin."""

from __future__ import annotations

import numpy as np

from flexura.integrators.run_memory import NOW, WRITTEN, Memory
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.preparation.singular_start import NODES, Opening, weights


def open_run(s: System, m: Memory, opening: Opening) -> None:
    """Set the clock to the end of the opening, and write the outputs before it."""
    start = float(m.times[0])
    powers = np.array([_power(s, m, start, opening, k * opening.step) for k in range(1, NODES + 1)])
    m.clock[NOW] = start + opening.end
    m.work[:] = opening.step * weights(float(NODES)) @ powers
    while m.count[WRITTEN] < m.times.size and m.times[m.count[WRITTEN]] < m.clock[NOW]:
        k = int(m.count[WRITTEN])
        after = float(m.times[k]) - start
        m.x_out[k], m.v_out[k], _ = opening.state(after)
        m.a_out[k] = np.nan
        m.work_out[k] = opening.step * weights(after / opening.step) @ powers
        m.tracked_out[k] = s.number[s.track_target]
        m.count[WRITTEN] = k + 1


def _power(s: System, m: Memory, start: float, opening: Opening, after: float) -> np.ndarray:
    """Powers at a time after the start."""
    x, v, _ = opening.state(after)
    accelerate(s, start + after, x, v, m.a, m.stress)
    return s.power.copy()
