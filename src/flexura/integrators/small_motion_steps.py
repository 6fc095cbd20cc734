"""Small motions with non-linear forces, integrated by the method of Dormand and Prince, of order 8.

Steps end where a gap opens or closes whose law remembers how fast the surfaces met.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints
from flexura.integrators.runge_kutta import Tableau
from flexura.integrators.small_motion_contacts import Watch, all_open, begin, crossed, look, take_sides
from flexura.integrators.small_motion_equations import Course, slope

_ROUNDS = 40


@compiled
def _error(
    tableau: Tableau, stages: FloatTable, h: float, y: Floats, before: Floats, scale: Floats, rtol: float
) -> float:
    """The estimated error of a step against the tolerance, root mean square."""
    high = low = 0.0
    for k in range(y.size):
        unit = h / (scale[k] + rtol * max(abs(y[k]), abs(before[k])))
        fifth = third = 0.0
        for j in range(stages.shape[0]):
            fifth += tableau.error[j] * stages[j, k]
            third += tableau.error_low[j] * stages[j, k]
        high += (unit * fifth) ** 2
        low += (unit * third) ** 2
    if high > 0.0:
        high *= high / (high + 0.01 * low)
    return float(np.sqrt(high / y.size))


@compiled
def _step(
    c: Course, w: Watch, tableau: Tableau, stages: FloatTable, t: float, h: float, y: Floats, end: Floats
) -> None:
    """One step from y to ``end``; the first stage is there, the last is that of the end, and so are the gaps."""
    count = tableau.b.size
    for i in range(1, count):
        for k in range(y.size):
            total = 0.0
            for j in range(i):
                total += tableau.a[i, j] * stages[j, k]
            end[k] = y[k] + h * total
        slope(c, t + tableau.c[i] * h, end, stages[i])
    copy(end, y)
    for j in range(count):
        for k in range(y.size):
            end[k] += h * tableau.b[j] * stages[j, k]
    slope(c, t + h, end, stages[count])
    look(c, w)


@compiled
def _to_touch(
    c: Course,
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
def integrate(
    c: Course,
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
    """y and its rate at these times from the first on, a row a time; the number of times that were reached.

    ``effort`` counts the steps, and those that were rejected; ``loose`` is 1 at times where all gaps are open.
    """
    count, n = tableau.b.size, y.size
    stages, trial, rate = np.zeros((count + 1, n)), np.zeros(n), np.zeros(n)
    t, h = times[0], first
    slope(c, t, y, rate)
    begin(c, w)
    for goal in range(times.size):
        while times[goal] - t > 1e-14 * max(abs(times[goal]), 1e-300):
            step = min(h, times[goal] - t)
            whole = step == h
            copy(stages[0], rate)
            _step(c, w, tableau, stages, t, step, y, trial)
            error = _error(tableau, stages, step, trial, y, scale, rtol)
            if not error <= 1.0:
                effort[1] += 1
                h = step * (max(0.2, 0.9 * error ** (-0.125)) if error < 1e9 else 0.2)
                if h < 1e-14 * max(abs(t), times[times.size - 1]):
                    return goal
                continue
            longer = step * min(6.0, 0.9 * max(error, 1e-10) ** (-0.125))
            h = longer if whole else max(h, longer)
            # a touch ends the step; one that is nearer may end it again
            touched = crossed(w)
            while touched >= 0:
                step = _to_touch(c, w, tableau, stages, t, step, y, trial, touched)
                touched = crossed(w)
            effort[0] += 1
            t += step
            copy(y, trial)
            copy(rate, stages[count])
            if take_sides(c, w):
                slope(c, t, y, rate)
        loose[goal] = all_open(w)
        for k in range(n):
            out[goal, k] = y[k]
            out[goal, n + k] = rate[k]
    clear(c.change)
    return times.size
