"""Small motions with non-linear forces, integrated in compiled code.

What varies along the nominal motion is a cubic spline in time; the steps are those of Dormand and Prince, of order 8.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.program import Program, run
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.runge_kutta import Tableau


class Course(Record):
    """The equations, with everything that varies in one row of a table of splines."""

    knot: Floats
    """equally spaced times"""
    cubic: FloatTable
    """four coefficients of each number, ascending, a row an interval"""
    now: Floats
    """the numbers at a time: M⁻¹C, M⁻¹K, M⁻¹f, M⁻¹Wᵀ, S, S′, s₀, u₀, one after the other"""
    size: Ints
    """how many coordinates, signals and loads there are, and whether the course repeats"""
    program: Program
    span: Ints
    signal: Ints
    load: Ints
    """the registers of signals and loads"""
    change: Floats
    """u - u₀"""


@compiled
def _look(c: Course, t: float) -> None:
    """Everything at a time."""
    first, step, count = c.knot[0], c.knot[1] - c.knot[0], c.knot.size - 1
    along = (t - first) / step
    if c.size[3]:
        along -= np.floor(along / count) * count
    i = min(max(int(along), 0), count - 1)
    x = (along - i) * step
    for k in range(c.now.size):
        c.now[k] = c.cubic[i, 4 * k] + x * (
            c.cubic[i, 4 * k + 1] + x * (c.cubic[i, 4 * k + 2] + x * c.cubic[i, 4 * k + 3])
        )


@compiled
def slope(c: Course, t: float, y: Floats, rate: Floats) -> None:
    """ẏ of y = (q, q̇)."""
    _look(c, t)
    n, signals, loads, now, registers = c.size[0], c.size[1], c.size[2], c.now, c.program.registers
    P, Q, f = 0, n * n, 2 * n * n
    W = f + n
    S = W + n * loads
    R = S + signals * n
    s = R + signals * n
    u = s + signals
    registers[0] = t
    for i in range(signals):
        value = now[s + i]
        for j in range(n):
            value += now[S + i * n + j] * y[j] + now[R + i * n + j] * y[n + j]
        registers[c.signal[i]] = value
    run(c.program, registers, c.span[0], c.span[1])
    for i in range(loads):
        c.change[i] = registers[c.load[i]] - now[u + i]
    for i in range(n):
        rate[i] = y[n + i]
        total = now[f + i]
        for j in range(n):
            total -= now[P + i * n + j] * y[n + j] + now[Q + i * n + j] * y[j]
        for j in range(loads):
            total += now[W + i * loads + j] * c.change[j]
        rate[n + i] = total


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
def integrate(
    c: Course,
    tableau: Tableau,
    times: Floats,
    y: Floats,
    scale: Floats,
    rtol: float,
    first: float,
    out: FloatTable,
    effort: Ints,
) -> int:
    """y and its rate at these times from the first on, a row a time; the number of times that were reached.

    ``effort`` counts the steps, and those that were rejected.
    """
    count, n = tableau.b.size, y.size
    stages, trial, rate = np.zeros((count + 1, n)), np.zeros(n), np.zeros(n)
    t, h = times[0], first
    slope(c, t, y, rate)
    for goal in range(times.size):
        while times[goal] - t > 1e-14 * max(abs(times[goal]), 1e-300):
            step = min(h, times[goal] - t)
            copy(stages[0], rate)
            for i in range(1, count):
                for k in range(n):
                    total = 0.0
                    for j in range(i):
                        total += tableau.a[i, j] * stages[j, k]
                    trial[k] = y[k] + step * total
                slope(c, t + tableau.c[i] * step, trial, stages[i])
            copy(trial, y)
            for j in range(count):
                for k in range(n):
                    trial[k] += step * tableau.b[j] * stages[j, k]
            slope(c, t + step, trial, stages[count])
            error = _error(tableau, stages, step, trial, y, scale, rtol)
            if not error <= 1.0:
                effort[1] += 1
                h = step * (max(0.2, 0.9 * error ** (-0.125)) if error < 1e9 else 0.2)
                if h < 1e-14 * max(abs(t), times[times.size - 1]):
                    return goal
                continue
            effort[0] += 1
            t += step
            copy(y, trial)
            copy(rate, stages[count])
            longer = step * min(6.0, 0.9 * max(error, 1e-10) ** (-0.125))
            h = longer if step == h else max(h, longer)
        for k in range(n):
            out[goal, k] = y[k]
            out[goal, n + k] = rate[k]
    clear(c.change)
    return times.size
