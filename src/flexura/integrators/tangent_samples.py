"""Derivatives of a motion at times inside its steps, by the dense output of the method."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.runge_kutta_tableaux import Tableau
from flexura.integrators.tangent_memory import Columns, StageMemory
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.variation_tables import Variations


class Samples(Record):
    """Increasing times of a run, with the states and derivatives there, one row for each time."""

    t: Floats
    x: FloatTable
    v: FloatTable
    tracked: FloatTable
    dx: FloatTable
    dv: FloatTable
    dense: FloatTable
    weights: FloatTable
    next: Ints
    """number of times already passed"""


def samples_of(system: System, times: Floats, columns: int) -> Samples:
    """Memory for derivatives at increasing times."""
    n, count = system.coordinate_place.size, times.size
    return Samples(
        t=times,
        x=np.zeros((count, n)),
        v=np.zeros((count, n)),
        tracked=np.zeros((count, system.track_target.size)),
        dx=np.zeros((count, n * columns)),
        dv=np.zeros((count, n * columns)),
        dense=np.zeros((14, n * max(columns, 1))),
        weights=np.zeros((2, 6)),
        next=np.zeros(1, dtype=np.int64),
    )


@compiled
def _polynomial(
    f: FloatTable, tableau: Tableau, h: float, y0: Floats, y1: Floats, rows: FloatTable, first: int
) -> None:
    """Coefficients of the dense output with the slopes f of all stages, from row ``first`` on."""
    last = tableau.b.size
    for k in range(y0.size):
        change = y1[k] - y0[k]
        rows[first, k] = change
        rows[first + 1, k] = h * f[0, k] - change
        rows[first + 2, k] = 2.0 * change - h * (f[last, k] + f[0, k])
        for i in range(tableau.dense.shape[0]):
            total = 0.0
            for l in range(tableau.dense.shape[1]):
                total += tableau.dense[i, l] * f[l, k]
            rows[first + 3 + i, k] = h * total


@compiled
def _nested(rows: FloatTable, first: int, degree: int, theta: float, y0: Floats, y: Floats) -> None:
    """Value of a polynomial in nested powers of theta and 1 - theta."""
    for k in range(y0.size):
        total = 0.0
        for i in range(degree):
            total = (total + rows[first + degree - 1 - i, k]) * (1.0 - theta if i % 2 else theta)
        y[k] = y0[k] + total


@compiled
def hermite_weights(u: float, h: float, rows: FloatTable) -> None:
    """Weights of x₀, v₀, a₀, x₁, v₁, a₁ in the quintic at the fraction u of a step, and in its derivative."""
    u2, u3, w = u * u, u * u * u, 1.0 - u
    rows[0, 1] = h * (u - u3 * (6.0 - 8.0 * u + 3.0 * u2))
    rows[0, 2] = h * h * 0.5 * u2 * w * w * w
    rows[0, 3] = u3 * (10.0 - 15.0 * u + 6.0 * u2)
    rows[0, 0] = 1.0 - rows[0, 3]
    rows[0, 4] = -h * u3 * (4.0 - 7.0 * u + 3.0 * u2)
    rows[0, 5] = h * h * 0.5 * u3 * (1.0 - 2.0 * u + u2)
    rows[1, 3] = 30.0 * u2 * w * w / h
    rows[1, 0] = -rows[1, 3]
    rows[1, 1] = 1.0 - u2 * (18.0 - 32.0 * u + 15.0 * u2)
    rows[1, 2] = h * 0.5 * u * (2.0 - 9.0 * u + 12.0 * u2 - 5.0 * u3)
    rows[1, 4] = -u2 * (12.0 - 28.0 * u + 15.0 * u2)
    rows[1, 5] = h * 0.5 * u2 * (3.0 - 8.0 * u + 5.0 * u2)


@compiled
def _hermite(
    q: FloatTable, x0: Floats, v0: Floats, a0: Floats, x1: Floats, v1: Floats, a1: Floats, x: Floats, v: Floats
) -> None:
    for k in range(x0.size):
        x[k] = q[0, 0] * x0[k] + q[0, 1] * v0[k] + q[0, 2] * a0[k] + q[0, 3] * x1[k] + q[0, 4] * v1[k] + q[0, 5] * a1[k]
        v[k] = q[1, 0] * x0[k] + q[1, 1] * v0[k] + q[1, 2] * a0[k] + q[1, 3] * x1[k] + q[1, 4] * v1[k] + q[1, 5] * a1[k]


@compiled
def _interpolate(
    f: FloatTable,
    g: FloatTable,
    tableau: Tableau,
    o: Samples,
    t: float,
    h: float,
    last: int,
    start: tuple[Floats, Floats, Floats],
    end: tuple[Floats, Floats, Floats],
    x: FloatTable,
    v: FloatTable,
) -> None:
    """Positions and rates at the times inside a step, from those at both ends and the slopes f, g of its stages."""
    dense, degree = tableau.dense.shape[0] > 0, 3 + tableau.dense.shape[0]
    if dense:
        _polynomial(f, tableau, h, start[0], end[0], o.dense, 0)
        _polynomial(g, tableau, h, start[1], end[1], o.dense, 7)
    for i in range(o.next[0], last):
        u = min(max((o.t[i] - t) / h, 0.0), 1.0)
        if dense:
            _nested(o.dense, 0, degree, u, start[0], x[i])
            _nested(o.dense, 7, degree, u, start[1], v[i])
        else:
            hermite_weights(u, h, o.weights)
            _hermite(o.weights, start[0], start[1], start[2], end[0], end[1], end[2], x[i], v[i])


@compiled
def write_samples(w: Variations, m: StageMemory, c: Columns, tableau: Tableau, o: Samples, t: float, h: float) -> None:
    """Write states and derivatives at the times inside a step that has ended at t + h."""
    s, end = w.system, t + h
    last = o.next[0]
    while last < o.t.size and o.t[last] <= end + 1e-14 * (abs(end) + h):
        last += 1
    _interpolate(m.vs, m.as_, tableau, o, t, h, last, (m.x0, m.v0, m.a0), (m.x, m.v, m.a), o.x, o.v)
    if c.at.size:
        _interpolate(c.vs, c.as_, tableau, o, t, h, last, (c.x0, c.v0, c.a0), (c.x, c.v, c.a), o.dx, o.dv)
    for i in range(o.next[0], last):
        for k in range(s.track_target.size):
            o.tracked[i, k] = s.number[s.track_target[k]]
    o.next[0] = last
