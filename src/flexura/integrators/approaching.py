"""Small motions whose contacts remember how fast the surfaces met: steps that end where a gap opens or closes.

What a law keeps is the rate at the moment of touch, and stays as it is until the surfaces have parted.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled, copy
from flexura.derive.program import Program, run
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators import superposition
from flexura.integrators.runge_kutta import Tableau

_ROUNDS = 40


class Watch(Record):
    """The gaps of laws that remember, as functions of signals."""

    program: Program
    span: Ints
    signal: Ints
    """the registers of these signals in the program of the loads"""
    gap: Ints
    rate: Ints
    """where the gaps and their rates are"""
    approach: Ints
    """what the loads remember, in their program"""
    near: Floats
    side: Ints
    """1 where a gap is open, -1 where it is closed"""
    now: Floats
    before: Floats


@compiled
def _look(c: superposition.Course, w: Watch) -> None:
    """The gaps at the state of the last slope."""
    registers = w.program.registers
    for i in range(w.signal.size):
        registers[i] = c.program.registers[w.signal[i]]
    run(w.program, registers, w.span[0], w.span[1])
    for n in range(w.gap.size):
        w.now[n] = registers[w.gap[n]]


@compiled
def _crossed(w: Watch) -> int:
    """A gap that has changed its side, and did not start at the touch; -1 if none has."""
    for n in range(w.gap.size):
        if w.now[n] * w.side[n] < -w.near[0] and w.before[n] * w.side[n] > w.near[0]:
            return n
    return -1


@compiled
def _step(
    c: superposition.Course, w: Watch, tableau: Tableau, stages: FloatTable, t: float, h: float, y: Floats, end: Floats
) -> None:
    """One step from y to ``end``; the first stage is there, the last is that of the end, and so are the gaps."""
    count = tableau.b.size
    for i in range(1, count):
        for k in range(y.size):
            total = 0.0
            for j in range(i):
                total += tableau.a[i, j] * stages[j, k]
            end[k] = y[k] + h * total
        superposition.slope(c, t + tableau.c[i] * h, end, stages[i])
    copy(end, y)
    for j in range(count):
        for k in range(y.size):
            end[k] += h * tableau.b[j] * stages[j, k]
    superposition.slope(c, t + h, end, stages[count])
    _look(c, w)


@compiled
def _to_touch(
    c: superposition.Course,
    w: Watch,
    tableau: Tableau,
    stages: FloatTable,
    t: float,
    h: float,
    y: Floats,
    end: Floats,
    n: int,
) -> float:
    """Make a step that goes across a touch again, up to it, by regula falsi of Illinois; its length."""
    low, high, f_low, f_high = 0.0, 1.0, w.before[n] * w.side[n], w.now[n] * w.side[n]
    theta = 1.0
    for _ in range(_ROUNDS):
        theta = (low * f_high - high * f_low) / (f_high - f_low)
        _step(c, w, tableau, stages, t, theta * h, y, end)
        f = w.now[n] * w.side[n]
        if abs(f) <= w.near[0] or high - low < 1e-14:
            break
        if f < 0.0:
            high, f_high, f_low = theta, f, 0.5 * f_low
        else:
            low, f_low, f_high = theta, f, 0.5 * f_high
    return theta * h


@compiled
def _take_sides(c: superposition.Course, w: Watch) -> bool:
    """After a step that stands: on which sides it goes on, and with what is remembered; whether anything changed."""
    changed = False
    for n in range(w.gap.size):
        rate, side = w.program.registers[w.rate[n]], w.side[n]
        if abs(w.now[n]) <= w.near[0]:
            side = -1 if rate < 0.0 else 1
        elif w.now[n] * side < 0.0:
            side = -side
        if side != w.side[n]:
            changed = True
            w.side[n] = side
            if side < 0:
                c.program.registers[w.approach[n]] = max(-rate, 0.0)
    copy(w.before, w.now)
    return changed


@compiled
def _all_open(w: Watch) -> int:
    for n in range(w.side.size):
        if w.side[n] < 0:
            return 0
    return 1


@compiled
def integrate(
    c: superposition.Course,
    w: Watch,
    tableau: Tableau,
    times: Floats,
    y: Floats,
    scale: Floats,
    rtol: float,
    first: float,
    out: FloatTable,
    loose: Ints,
    effort: Ints,
) -> int:
    """As that of ``superposition``; ``loose`` is 1 at times where all gaps are open."""
    count, n = tableau.b.size, y.size
    stages, trial, rate = np.zeros((count + 1, n)), np.zeros(n), np.zeros(n)
    t, h = times[0], first
    superposition.slope(c, t, y, rate)
    _look(c, w)
    copy(w.before, w.now)
    for i in range(w.side.size):
        w.side[i] = -1 if w.now[i] < 0.0 else 1
        c.program.registers[w.approach[i]] = 0.0
    for goal in range(times.size):
        while times[goal] - t > 1e-14 * max(abs(times[goal]), 1e-300):
            step = min(h, times[goal] - t)
            whole = step == h
            copy(stages[0], rate)
            _step(c, w, tableau, stages, t, step, y, trial)
            error = superposition._error(tableau, stages, step, trial, y, scale, rtol)
            if not error <= 1.0:
                effort[1] += 1
                h = step * (max(0.2, 0.9 * error ** (-0.125)) if error < 1e9 else 0.2)
                if h < 1e-14 * max(abs(t), times[times.size - 1]):
                    return goal
                continue
            longer = step * min(6.0, 0.9 * max(error, 1e-10) ** (-0.125))
            h = longer if whole else max(h, longer)
            # a touch ends the step; one that is nearer may end it again
            touched = _crossed(w)
            while touched >= 0:
                step = _to_touch(c, w, tableau, stages, t, step, y, trial, touched)
                touched = _crossed(w)
            effort[0] += 1
            t += step
            copy(y, trial)
            copy(rate, stages[count])
            if _take_sides(c, w):
                superposition.slope(c, t, y, rate)
        loose[goal] = _all_open(w)
        for k in range(n):
            out[goal, k] = y[k]
            out[goal, n + k] = rate[k]
    return times.size
