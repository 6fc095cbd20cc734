"""Integration of small motions with non-linear forces.

Steps end where a gap opens or closes whose law depends on the approach velocity.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.kennedy_carpenter import STAGES
from flexura.integrators.runge_kutta_tableaux import DORMAND_PRINCE_8, Tableau
from flexura.integrators.small_motion_equations import Course, display, slope
from flexura.integrators.small_motion_explicit import ORDER as EXPLICIT_ORDER
from flexura.integrators.small_motion_explicit import explicit_error, explicit_step
from flexura.integrators.small_motion_gaps import Watch, all_open, begin, crossed, evaluate_gaps, update_sides
from flexura.integrators.small_motion_implicit import ORDER as IMPLICIT_ORDER
from flexura.integrators.small_motion_implicit import Implicit, implicit_memory, implicit_step
from flexura.integrators.small_motion_slopes import LawSlopes

_ROUNDS = 40


class Output(Record):
    """Motion at its output times, one row each."""

    time: Floats
    y: FloatTable
    """(q, q̇), then its rate"""
    noted: Ints
    """recorded registers"""
    register: FloatTable
    gap: FloatTable
    """gaps, then their rates"""
    change: FloatTable
    """loads in addition to those of the nominal motion"""
    force: FloatTable
    """on the coordinates of contacts"""
    loose: Ints
    """1 if all gaps with stored approach velocities are open"""
    effort: Ints
    """numbers of steps, and of rejected ones"""


@compiled
def _write(c: Course, w: Watch, o: Output, row: int, y: Floats, rate: Floats) -> None:
    """Write the state of the last slope."""
    for k in range(y.size):
        o.y[row, k], o.y[row, y.size + k] = y[k], rate[k]
    display(c)
    evaluate_gaps(c, w)
    for k in range(o.noted.size):
        o.register[row, k] = c.program.registers[o.noted[k]]
    for k in range(w.gap.size):
        o.gap[row, k], o.gap[row, w.gap.size + k] = w.program.registers[w.gap[k]], w.program.registers[w.rate[k]]
    for k in range(o.change.shape[1]):
        o.change[row, k] = c.change[k]
    for k in range(c.contacts.coordinate.size):
        o.force[row, k] = c.contacts.force[c.contacts.coordinate[k]]
    o.loose[row] = all_open(w)


class Method(Record):
    """Method of a run: explicit, or implicit if it has the memory for it."""

    implicit: Ints
    """1 for the implicit method"""
    tableau: Tableau
    memory: Implicit
    stages: FloatTable
    """rates of y at the stages of a step; the last is that of its end"""
    scale: Floats
    rtol: Floats
    """permitted error: absolute, and relative to the motion"""


def method(y: Floats, scale: Floats, rtol: float, slopes: LawSlopes, implicit: bool) -> Method:
    """Method for a motion that starts at y."""
    tableau = DORMAND_PRINCE_8
    return Method(
        implicit=np.array([implicit]).astype(np.int64),
        tableau=tableau,
        memory=implicit_memory(slopes, y.size // 2 if implicit else 0),
        stages=np.zeros((STAGES if implicit else tableau.b.size + 1, y.size)),
        scale=scale,
        rtol=np.array([rtol]),
    )


@compiled
def _step(c: Course, w: Watch, m: Method, t: float, h: float, y: Floats, end: Floats) -> float:
    """One step from y to ``end``, with the gaps there, and its error; the first stage is given."""
    if m.implicit[0]:
        error = implicit_step(c, m.memory, m.stages, t, h, y, end, m.scale, m.rtol[0])
    else:
        explicit_step(c, m.tableau, m.stages, t, h, y, end)
        error = explicit_error(m.tableau, m.stages, h, end, y, m.scale, m.rtol[0])
    evaluate_gaps(c, w)
    return error


@compiled
def _to_touch(c: Course, w: Watch, m: Method, t: float, h: float, y: Floats, end: Floats, n: int) -> float:
    """Repeat a step that passes a touch, up to the touch, by the Illinois algorithm; returns its length."""
    low, high, f_low, f_high = 0.0, 1.0, w.before[n] * w.side[n], w.now[n] * w.side[n]
    theta = 1.0
    for _ in range(_ROUNDS):
        theta = (low * f_high - high * f_low) / (f_high - f_low)
        _step(c, w, m, t, theta * h, y, end)
        f = w.now[n] * w.side[n]
        if abs(f) <= w.near[0] or high - low < 1e-14:
            break
        if f < 0.0:
            high, f_high, f_low = theta, f, 0.5 * f_low
        else:
            low, f_low, f_high = theta, f, 0.5 * f_high
    return theta * h


@compiled
def integrate(c: Course, w: Watch, m: Method, y: Floats, first: float, o: Output) -> int:
    """Integrate from y on, and write the motion at the output times, the first being the start; returns their count."""
    times, last, power = o.time, m.stages.shape[0] - 1, -1.0 / (IMPLICIT_ORDER if m.implicit[0] else EXPLICIT_ORDER)
    trial, rate = np.zeros(y.size), np.zeros(y.size)
    t, h = times[0], first
    slope(c, t, y, rate)
    begin(c, w)
    for goal in range(times.size):
        while times[goal] - t > 1e-14 * max(abs(times[goal]), 1e-300):
            step = min(h, times[goal] - t)
            whole = step == h
            copy(m.stages[0], rate)
            error = _step(c, w, m, t, step, y, trial)
            if not error <= 1.0:
                o.effort[1] += 1
                h = step * (max(0.2, 0.9 * error**power) if error < 1e9 else 0.2)
                if h < 1e-14 * max(abs(t), times[times.size - 1]):
                    return goal
                continue
            longer = step * min(6.0, 0.9 * max(error, 1e-10) ** power)
            # factors are valid for one step size
            if not (m.implicit[0] and step <= longer < 1.5 * step):
                h = longer if whole else max(h, longer)
            # a touch ends the step; an earlier one may end it again
            touched = crossed(w)
            while touched >= 0:
                step = _to_touch(c, w, m, t, step, y, trial, touched)
                touched = crossed(w)
            o.effort[0] += 1
            t += step
            copy(y, trial)
            copy(rate, m.stages[last])
            if update_sides(c, w):
                slope(c, t, y, rate)
        _write(c, w, o, goal, y, rate)
    clear(c.change)
    return times.size
