"""Dense output: quintic through positions, rates and accelerations at both ends of a step, or the method's own."""

from __future__ import annotations

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats
from flexura.integrators.run_memory import (
    AGREE,
    CUT,
    DENSE,
    END,
    EVENT,
    EVENTS,
    HERMITE,
    INSIDE,
    JOINTS,
    LAST_STEP,
    NESTED,
    NOW,
    OWN,
    STALE,
    STATUS,
    STOPPED,
    WRITTEN,
    Memory,
)
from flexura.mechanics.contact.contact_scales import LAW_TOUCH, LENGTH
from flexura.mechanics.core.kernel_calls import call_method, call_step
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.row_switches import save_switches
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, drive

_PARTS = 4
"""Parts of a step in which events are sought: a signal may cross a value twice within one step."""


@compiled
def between(m: Memory, theta: float, x: Floats, v: Floats) -> None:
    """State at the fraction theta of the last step."""
    if m.count[JOINTS] == 0:
        interpolate(m, theta, x, v)
        return
    call_method(m.entry[INSIDE], m.guide.system, m, m.entry[OWN], theta)
    copy(x, m.xs[-1])
    copy(v, m.vs[-1])


@compiled
def interpolate(m: Memory, theta: float, x: Floats, v: Floats) -> None:
    """Integrated coordinates at the fraction theta of the last step."""
    if m.count[DENSE] != HERMITE:
        _between_dense(m, theta, x, v)
        return
    h = m.clock[LAST_STEP]
    u = theta
    u2, u3 = u * u, u * u * u
    w = 1.0 - u
    # x0, v0, a0, x1, v1, a1 as Hermite polynomials of the fifth degree and their derivatives
    a0 = 1.0 - u3 * (10.0 - 15.0 * u + 6.0 * u2)
    b0 = u - u3 * (6.0 - 8.0 * u + 3.0 * u2)
    c0 = 0.5 * u2 * w * w * w
    a1 = u3 * (10.0 - 15.0 * u + 6.0 * u2)
    b1 = -u3 * (4.0 - 7.0 * u + 3.0 * u2)
    c1 = 0.5 * u3 * (1.0 - 2.0 * u + u2)
    da = 30.0 * u2 * w * w
    db0 = 1.0 - u2 * (18.0 - 32.0 * u + 15.0 * u2)
    dc0 = 0.5 * u * (2.0 - 9.0 * u + 12.0 * u2 - 5.0 * u3)
    db1 = -u2 * (12.0 - 28.0 * u + 15.0 * u2)
    dc1 = 0.5 * u2 * (3.0 - 8.0 * u + 5.0 * u2)
    for i in range(x.size):
        x[i] = a0 * m.x0[i] + a1 * m.x[i] + h * (b0 * m.v0[i] + b1 * m.v[i]) + h * h * (c0 * m.a0[i] + c1 * m.a[i])
        v[i] = da * (m.x[i] - m.x0[i]) / h + db0 * m.v0[i] + db1 * m.v[i] + h * (dc0 * m.a0[i] + dc1 * m.a[i])


@compiled
def _acceleration_inside(m: Memory, theta: float, a: Floats) -> None:
    """The derivative of the cubic through rates and accelerations, at the fraction theta of the last step.

    It suits methods of second order, too: their positions are not those of a quintic.
    """
    u, h = theta, m.clock[LAST_STEP]
    mean, a0, a1 = 6.0 * u * (1.0 - u) / h, 1.0 - u * (4.0 - 3.0 * u), u * (3.0 * u - 2.0)
    for i in range(a.size):
        a[i] = mean * (m.v[i] - m.v0[i]) + a0 * m.a0[i] + a1 * m.a[i]


@compiled
def _between_dense(m: Memory, theta: float, x: Floats, v: Floats) -> None:
    """State by the method's own polynomial, in nested powers of theta and 1 - theta, or of theta alone."""
    alternating = m.count[DENSE] == NESTED
    for i in range(x.size):
        xi = vi = 0.0
        for j in range(m.dense_x.shape[0]):
            factor = 1.0 - theta if alternating and j % 2 else theta
            k = m.dense_x.shape[0] - 1 - j
            xi = (xi + m.dense_x[k, i]) * factor
            vi = (vi + m.dense_v[k, i]) * factor
        x[i] = m.x0[i] + xi
        v[i] = m.v0[i] + vi


@compiled
def state_inside(s: System, m: Memory, theta: float, x: Floats, v: Floats) -> None:
    """State at the fraction theta of the last step, with accurate strains."""
    if m.entry[AGREE] == 0:
        between(m, theta, x, v)
        return
    between(m, theta, m.xs[-1], m.vs[-1])
    call_step(m.entry[AGREE], s, m, theta)
    copy(x, m.xs[-1])
    copy(v, m.vs[-1])


@compiled
def _work_between(m: Memory, theta: float, i: int) -> float:
    """Work at the fraction theta of the last step: by the polynomial of the method, or by a cubic."""
    if m.count[DENSE] != HERMITE:
        work, alternating = 0.0, m.count[DENSE] == NESTED
        for j in range(m.dense_work.shape[0]):
            factor = 1.0 - theta if alternating and j % 2 else theta
            work = (work + m.dense_work[m.dense_work.shape[0] - 1 - j, i]) * factor
        return float(m.work0[i] + work)
    u2, u3, h = theta * theta, theta * theta * theta, m.clock[LAST_STEP]
    return float(
        (1.0 - 3.0 * u2 + 2.0 * u3) * m.work0[i]
        + (3.0 * u2 - 2.0 * u3) * m.work[i]
        + h * (theta - 2.0 * u2 + u3) * m.power0[i]
        + h * (u3 - u2) * m.power[i]
    )


@compiled
def _store(s: System, m: Memory, k: int, theta: float) -> None:
    """Store the state at the fraction theta of the last step as output k."""
    if theta == 1.0:
        copy(m.x_out[k], m.x)
        copy(m.v_out[k], m.v)
        copy(m.a_out[k], m.a[: m.a_out.shape[1]])
    else:
        state_inside(s, m, theta, m.x_out[k], m.v_out[k])
        _acceleration_inside(m, theta, m.a_out[k])
    for i in range(m.work.size):
        m.work_out[k, i] = _work_between(m, theta, i)
    for i in range(s.track_target.size):
        m.tracked_out[k, i] = s.number[s.track_target[i]]
    if s.switches.on.size:
        save_switches(s, m.switch_out[k])


@compiled
def write_outputs(s: System, m: Memory, end: float) -> None:
    """Store the state at every output time up to ``end`` that the last step has reached."""
    start, h = m.clock[NOW] - m.clock[LAST_STEP], m.clock[LAST_STEP]
    while m.count[WRITTEN] < m.times.size:
        k = m.count[WRITTEN]
        if m.times[k] > end + 1e-14 * (abs(end) + h):
            return
        _store(s, m, k, 1.0 if h == 0.0 else min(max((m.times[k] - start) / h, 0.0), 1.0))
        m.count[WRITTEN] = k + 1


@compiled
def _asked(m: Memory, kind: int) -> bool:
    """True if events of this kind are sought: 0 a coordinate, 1 a strain, 2 the force on a strain."""
    for n in range(m.event.shape[0]):  # noqa: SIM110 - compiled
        if m.event[n, 0] == kind:
            return True
    return False


@compiled
def watch(s: System, m: Memory, t: float, x: Floats, v: Floats, values: Floats) -> None:
    """Event functions at a state: signal minus the value to be crossed."""
    if _asked(m, 2):
        accelerate(s, t, x, v, m.as_[1], m.spare)
        m.count[STALE] = 1
    if _asked(m, 1):
        call_level(s, s.shape, x, v)
    for n in range(m.event.shape[0]):
        k = m.event[n, 1]
        if m.event[n, 0] == 2:
            values[n] = m.spare[k]
        elif m.event[n, 0] == 0:
            values[n] = x[k] if m.event[n, 2] == 0 else v[k]
        elif m.event[n, 2] == 0:
            values[n] = s.shape.out[s.shape_slopes.strain[k]]
        else:
            values[n] = 0.0
            for e in range(s.shape_slopes.start[k], s.shape_slopes.start[k + 1]):
                values[n] += s.shape.out[s.shape_slopes.source[e]] * v[s.shape_slopes.column[e]]
        values[n] -= m.event_value[n]


@compiled
def _watch_inside(s: System, m: Memory, theta: float, exact: bool, values: Floats) -> None:
    """Event functions at a fraction of the last step; forces need an ``exact`` state."""
    x, v = m.xs[0], m.vs[0]
    t = m.clock[NOW] - m.clock[LAST_STEP] + theta * m.clock[LAST_STEP]
    if exact:
        state_inside(s, m, theta, x, v)
    else:
        between(m, theta, x, v)
    drive(s, t, x, v, m.as_[0])
    watch(s, m, t, x, v, values)


@compiled
def _crossing(s: System, m: Memory, n: int, low: float, high: float) -> float:
    """Fraction of the last step, between two given ones, at which a signal crosses its value; negative if none."""
    before, now, direction = m.event_before[n], m.event_now[n], m.event[n, 3]
    # a signal that starts at the value, to rounding, does not cross it; one that ends there does
    rounding = max(1e-13 * (1.0 + abs(m.event_value[n])), LAW_TOUCH * m.scales.run[LENGTH])
    here, landed = abs(before) <= rounding, abs(now) <= rounding
    apart = before * now > 0.0 and not landed
    if here or apart or (direction > 0 and before > 0.0) or (direction < 0 and before < 0.0):
        return -1.0
    # regula falsi of Illinois on the interpolated state
    values = m.error[: m.event.shape[0]]
    f_low, f_high, theta = before, 0.0 if landed else now, high
    for _ in range(60):
        if f_high == 0.0:
            return high
        theta = (low * f_high - high * f_low) / (f_high - f_low)
        _watch_inside(s, m, theta, m.event[n, 0] == 2, values)
        f = values[n]
        if f == 0.0 or abs(high - low) < 1e-15:
            break
        if f * f_high < 0.0:
            low, f_low = high, f_high
        else:
            f_low *= 0.5
        high, f_high = theta, f
    return theta


@compiled
def find_events(s: System, m: Memory) -> None:
    """Look for sign changes over the last step, locate and record them; a stopping event cuts the step."""
    exact = _asked(m, 2)
    for part in range(_PARTS):
        end = (part + 1.0) / _PARTS
        if part + 1 == _PARTS:
            watch(s, m, m.clock[NOW], m.x, m.v, m.event_now)
        else:
            _watch_inside(s, m, end, exact, m.event_now)
        for n in range(m.event.shape[0]):
            theta = _crossing(s, m, n, part / _PARTS, end)
            if theta < 0.0:
                continue
            place = m.count[EVENTS]
            if place < m.event_time.size:
                m.event_time[place] = m.clock[NOW] - m.clock[LAST_STEP] + theta * m.clock[LAST_STEP]
                m.event_which[place] = n
                m.count[EVENTS] = place + 1
            # the first of them, possibly at the very end of the step
            if m.event[n, 4] == 1 and (theta < m.clock[CUT] or m.count[STATUS] != STOPPED):
                m.clock[CUT] = theta
                m.count[EVENT] = n
                m.count[STATUS] = STOPPED
        copy(m.event_before, m.event_now)
        if m.count[STATUS] == STOPPED:
            return


@compiled
def cut(s: System, m: Memory) -> None:
    """End the run inside the last step; its final state is the interpolated one."""
    start, h, theta = m.clock[NOW] - m.clock[LAST_STEP], m.clock[LAST_STEP], m.clock[CUT]
    end = start + theta * h
    x, v = m.xs[1], m.vs[1]
    state_inside(s, m, theta, x, v)
    drive(s, end, x, v, m.as_[1])
    for i in range(m.work.size):
        m.work[i] = _work_between(m, theta, i)
    copy(m.x, x)
    copy(m.v, v)
    m.clock[NOW] = end
    m.clock[END] = end
    m.clock[LAST_STEP] = theta * h
