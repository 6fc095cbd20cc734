"""Discontinuities of inputs and loads, and samples of controllers: steps end there, and the method restarts."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.integrators.dense_output import write_outputs
from flexura.integrators.initial_step import initial_step
from flexura.integrators.problem import Sampling
from flexura.integrators.rank_watch import TOLERANCE
from flexura.integrators.run_memory import (
    END,
    FIXED,
    GOAL,
    LAST_STEP,
    NEXT_STEP,
    NOW,
    OWN,
    RESTART,
    RUNNING,
    STALE,
    STATUS,
    STIFF,
    WRITTEN,
    Memory,
)
from flexura.integrators.step_stages import audit_now, begin
from flexura.integrators.strain_history import restart_strains
from flexura.mechanics.core.kernel_calls import call_method
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.rate_jumps import jump_rates

Breaks = list[tuple[float, float]]


def aim_at_next_break(m: Memory, breaks: Breaks, sampling: Sampling | None) -> None:
    """Let the next part of the run end at the next discontinuity of inputs and loads, sample, or the last time."""
    end = breaks[0][0] if breaks else m.times[-1]
    m.clock[END] = m.clock[GOAL] = end if sampling is None else min(end, sampling.due)


def pass_stop(s: System, m: Memory, breaks: Breaks, sampling: Sampling | None) -> None:
    """At the end of a part of the run, pass the discontinuity, take the sample of the controllers, or both."""
    m.clock[NOW] = m.clock[END]
    if breaks and m.clock[END] >= breaks[0][0]:
        pass_break(s, m, breaks.pop(0)[1])
    if sampling is not None and sampling.due <= m.clock[NOW]:
        _take_sample(s, m, sampling)
    aim_at_next_break(m, breaks, sampling)


def _take_sample(s: System, m: Memory, sampling: Sampling) -> None:
    """Let the sampled controllers measure and act, and restart the method."""
    t = m.clock[NOW]
    accelerate(s, t, m.x, m.v, m.a, m.stress)
    sampling.act(float(t), m.x, m.v, m.stress)
    # outputs at a sample include the actions that begin there
    written = m.times[: m.count[WRITTEN]]
    m.v_out[: m.count[WRITTEN]][np.abs(written - t) <= 1e-12 * m.times[-1]] = m.v
    accelerate(s, t, m.x, m.v, m.a, m.stress)
    m.power[:] = s.power
    m.count[STALE] = 1
    if t < m.times[-1]:
        m.count[STATUS] = RUNNING
        restart_method(s, m)


def pass_break(s: System, m: Memory, after: float) -> None:
    """Pass a discontinuity: apply the impulses of drives, update the contacts, restart the method."""
    m.clock[NOW], m.count[STATUS], m.count[STALE] = after, RUNNING, 1
    m.work[0] += jump_rates(s, after, m.x, m.v, m.a, m.stress, m.v.copy())
    m.power[:] = s.power
    if s.switches.on.size:
        begin(s, m)
    if m.count[STIFF]:
        restart_strains(s, m.past, after, m.x, m.v, m.stress)
    restart_method(s, m)
    _write_again(s, m, after)
    audit_now(s, m)


def _write_again(s: System, m: Memory, after: float) -> None:
    """Store an output at the discontinuity itself with the state after it."""
    last = int(m.count[WRITTEN]) - 1
    if last > 0 and m.times[last] >= after * (1.0 - 2e-14):
        m.clock[LAST_STEP], m.count[WRITTEN] = 0.0, last
        m.times[last] = max(m.times[last], after)
        write_outputs(s, m, after)


@compiled
def restart_method(s: System, m: Memory) -> None:
    """Restart the method, as after an event; an implicit one with as short a step as at the start of a run.

    A jump of a load excites fast motions. A step that skips them damps them, at any tolerance: two runs agree although
    both have missed them.
    """
    call_method(m.entry[RESTART], s, m, m.entry[OWN], m.clock[NEXT_STEP])
    if m.count[STIFF] and m.clock[FIXED] == 0.0:
        m.clock[NEXT_STEP] = min(m.clock[NEXT_STEP], 1e-2 * initial_step(s, m, m.rank.value[TOLERANCE], 4))
