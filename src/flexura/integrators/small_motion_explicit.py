"""Explicit steps of small motions, by the method of Dormand and Prince of order 8."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats, FloatTable
from flexura.integrators.runge_kutta_tableaux import Tableau
from flexura.integrators.small_motion_equations import Course, slope

ORDER = 8


@compiled
def explicit_error(
    tableau: Tableau, stages: FloatTable, h: float, y: Floats, before: Floats, scale: Floats, rtol: float
) -> float:
    """Root mean square of the estimated error of a step, relative to the tolerance."""
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
def explicit_step(c: Course, tableau: Tableau, stages: FloatTable, t: float, h: float, y: Floats, end: Floats) -> None:
    """Make one step from y to ``end``; the first stage is given, the last is that of the end."""
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
