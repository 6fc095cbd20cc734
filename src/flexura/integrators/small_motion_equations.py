"""The equations of small motions with non-linear forces, in compiled code.

What varies along the nominal motion is a cubic spline in time.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.program import Program
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.mechanics.core.law_calls import STRESS, follow_signals
from flexura.mechanics.core.system import LawCalls


class Course(Record):
    """The equations, with everything that varies in one row of a table of splines."""

    knot: Floats
    """equally spaced times"""
    cubic: FloatTable
    """four coefficients of each number, ascending, a row an interval"""
    now: Floats
    """the numbers at a time: M⁻¹C, M⁻¹K, M⁻¹f, M⁻¹Wᵀ, S, S′, s₀, u₀, one after the other"""
    size: Ints
    """numbers of coordinates, signals and loads, and 1 if the course is periodic"""
    program: Program
    span: Ints
    laws: LawCalls
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
    follow_signals(c.program, c.laws, c.span, STRESS)
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
