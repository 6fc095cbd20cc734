"""Gaps, forces and slips inside a step, from the interpolated state."""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.integrators.dense_output import between
from flexura.integrators.root_location import polynomial, quintic
from flexura.integrators.run_memory import LAST_STEP, NOW, STIFF, Memory
from flexura.integrators.stick_slip_events import measure_grips
from flexura.mechanics.contact.contact_scales import near_gap
from flexura.mechanics.contact.gap_states import DISTANCE, RATE, SECOND
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, drive

_REACH = 4.0
"""Maximum fall of a gap in a step, relative to that by its rates and the rounding of distances."""


@compiled
def fit_gap(m: Memory, n: int, h: float) -> bool:
    """Fit the polynomial of a gap over the last step; a line if it has no derivatives, at the centre of a bearing."""
    before, now, c = m.gap_before, m.gap, m.quintic
    quintic(
        h,
        before[n, DISTANCE],
        before[n, RATE],
        before[n, SECOND],
        now[n, DISTANCE],
        now[n, RATE],
        now[n, SECOND],
        c,
    )
    for i in range(c.size):
        if not abs(c[i]) < math.inf:
            c[0], c[1] = before[n, DISTANCE], now[n, DISTANCE] - before[n, DISTANCE]
            c[2] = c[3] = c[4] = c[5] = 0.0
            return False
    return True


@compiled
def _evaluate_inside(s: System, m: Memory, theta: float, x: Floats, v: Floats, a: Floats) -> None:
    """Evaluate kernels and stresses (in ``spare``) at a fraction of the last step.

    An implicit method interpolates the stresses: those of stiff links cannot be computed from interpolated positions.
    """
    t = m.clock[NOW] + theta * m.clock[LAST_STEP]
    between(m, theta, x, v)
    if m.count[STIFF] == 0:
        accelerate(s, t, x, v, a, m.spare)
        return
    drive(s, t, x, v, a)
    call_level(s, s.motion, x, v)
    for k in range(m.stress.size):
        m.spare[k] = (1.0 - theta) * m.stress0[k] + theta * m.stress[k]


@compiled
def out_of_reach(m: Memory, n: int, h: float) -> bool:
    """True if a gap cannot close within a step, by its rates and second derivatives at both ends with a margin."""
    before, now = m.gap_before, m.gap
    rates, seconds = abs(before[n, RATE]) + abs(now[n, RATE]), abs(before[n, SECOND]) + abs(now[n, SECOND])
    reach = _REACH * (near_gap(m.scales) + h * (rates + h * seconds))
    return bool(min(before[n, DISTANCE], now[n, DISTANCE]) > reach)


@compiled
def probe_step(s: System, m: Memory, h: float) -> None:
    """Evaluate gaps and forces inside the last step, from the interpolated state, unless no gap can close."""
    start, last = m.clock[NOW], m.probe.shape[1]
    shut, near = m.grip.shape[0], 0
    for n in range(s.gaps.strain.size):
        shut += s.switches.on[n]
        near += 0 if out_of_reach(m, n, h) else 1
    if shut + near == 0:
        return
    x, v, a = m.xs[-1], m.vs[-1], m.as_[-1]
    for k in range(last):
        theta = (k + 1.0) / (last + 1.0)
        if shut:
            _evaluate_inside(s, m, theta, x, v, a)
        else:
            between(m, theta, x, v)
            drive(s, start + theta * h, x, v, a)
            call_level(s, s.shape, x, v)
        for n in range(s.gaps.strain.size):
            strain = s.gaps.strain[n]
            if s.switches.on[n]:
                m.probe[n, k] = m.spare[strain]
            elif shut:
                m.probe[n, k] = s.motion.out[s.slopes.strain[strain]]
            else:
                m.probe[n, k] = s.shape.out[s.shape_slopes.strain[strain]]
        if m.grip.shape[0]:
            measure_grips(s, v, m.spare, m.grip_probe, k)


@compiled
def follows_gap(m: Memory, n: int, least: float) -> bool:
    """True if the polynomial of a gap reproduces it; otherwise the step is too long to be inspected."""
    last = m.probe.shape[1]
    largest = max(abs(m.gap_before[n, DISTANCE]), abs(m.gap[n, DISTANCE]))
    for k in range(last):
        largest = max(largest, abs(m.probe[n, k]))
    for k in range(last):
        value = m.probe[n, k]
        error = abs(polynomial(m.quintic, 0, (k + 1.0) / (last + 1.0)) - value)
        if error > 0.25 * abs(value) + 0.01 * largest + 10.0 * least:
            return False
    return True
