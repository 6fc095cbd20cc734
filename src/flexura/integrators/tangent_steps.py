"""Derivatives of the steps of explicit Runge–Kutta methods by initial values and numbers of the model.

The stages of each step of a run are computed anew, and with each stage its derivatives: a method applied to the
variational equations is the derivative of the method itself. Columns are derivatives by one parameter each.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.formulations import CLOSED
from flexura.integrators.runge_kutta import Tableau
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.variation_tables import Numbers, Variations
from flexura.mechanics.linear.variations import change_of_acceleration, change_with_numbers, fix_state
from flexura.mechanics.motion.equations_of_motion import accelerate, project, track


class StageMemory(Record):
    """State and stages of one step, and the states of all stages where they are recorded."""

    x: Floats
    v: Floats
    a: Floats
    x0: Floats
    v0: Floats
    a0: Floats
    stress: Floats
    xs: FloatTable
    vs: FloatTable
    as_: FloatTable
    t_rows: Floats
    x_rows: FloatTable
    v_rows: FloatTable
    """states of stages, a row each; empty where they are not recorded"""
    tracked_rows: FloatTable
    """numbers that follow the motion, in each step"""


class Columns(Record):
    """Derivatives of the state, and of the stages of a step: row i·columns + j is of stage i and column j."""

    x: FloatTable
    v: FloatTable
    a: FloatTable
    x0: FloatTable
    v0: FloatTable
    a0: FloatTable
    at: FloatTable
    """of the positions of the present stage"""
    vs: FloatTable
    as_: FloatTable
    exact: Ints
    """row of ``numbers`` of each column, -1 where it has none"""
    numbers: Numbers
    forced: Ints
    """column of ``forcing`` of each column, -1 where it has none"""
    forcing: FloatTable
    """derivatives of accelerations at fixed states: row i·forced columns + j is of state i"""
    still: Floats


class Samples(Record):
    """Times of a run in order, with the states and derivatives there; row i·columns + j is of time i, column j."""

    t: Floats
    x: FloatTable
    v: FloatTable
    tracked: FloatTable
    dx: FloatTable
    dv: FloatTable
    dense: FloatTable
    next: Ints
    """number of times that are done"""


def stage_count(tableau: Tableau) -> int:
    """Rows of stages, the end of the step and stages of the dense output included."""
    return int(tableau.b.size + 1 + tableau.extra_c.size)


def recorded_rows(tableau: Tableau, steps: int) -> int:
    """States of so many steps: the first, and for each step its other stages, its end and those of dense output."""
    return 1 + steps * (stage_count(tableau) - 1)


def stage_memory(system: System, tableau: Tableau, steps: int = 0) -> StageMemory:
    """Room for a step, and for the states of the stages of so many."""
    n, stages = system.coordinate_place.size, stage_count(tableau)
    rows = recorded_rows(tableau, steps) if steps else 0
    arrays = {name: np.zeros(n) for name in ("x", "v", "a", "x0", "v0", "a0")}
    tables = {name: np.zeros((stages, n)) for name in ("xs", "vs", "as_")}
    kept = {name: np.zeros((rows, n)) for name in ("x_rows", "v_rows")}
    return StageMemory(
        **arrays,
        **tables,
        **kept,
        t_rows=np.zeros(rows),
        tracked_rows=np.zeros((steps, system.track_target.size)),
        stress=np.zeros(max(system.strain.size, 1)),
    )


def columns_of(system: System, tableau: Tableau, exact: Ints, numbers: Numbers, forced: Ints) -> Columns:
    """Room for the derivatives by so many parameters."""
    n, count = system.coordinate_place.size, exact.size
    state = {name: np.zeros((count, n)) for name in ("x", "v", "a", "x0", "v0", "a0", "at")}
    stages = {name: np.zeros((count * stage_count(tableau), n)) for name in ("vs", "as_")}
    forcing = np.zeros((0, n))
    return Columns(**state, **stages, exact=exact, numbers=numbers, forced=forced, forcing=forcing, still=np.zeros(n))


def samples_of(system: System, times: Floats, columns: int) -> Samples:
    """Room for derivatives at times that rise."""
    n, count = system.coordinate_place.size, times.size
    return Samples(
        t=times,
        x=np.zeros((count, n)),
        v=np.zeros((count, n)),
        tracked=np.zeros((count, system.track_target.size)),
        dx=np.zeros((count * columns, n)),
        dv=np.zeros((count * columns, n)),
        dense=np.zeros((14, n)),
        next=np.zeros(1, dtype=np.int64),
    )


@compiled
def _turn(w: Variations, m: StageMemory, c: Columns, i: int, row: int) -> None:
    """Derivatives of the accelerations of stage i, after ``accelerate``; ``row`` is its place in the forcing."""
    count, n = c.exact.size, m.x.size
    with_numbers, forced = False, 0
    for j in range(count):
        with_numbers = with_numbers or c.exact[j] >= 0
        forced += 1 if c.forced[j] >= 0 else 0
    if count:
        fix_state(w, m.as_[i], m.stress, with_numbers)
    for j in range(count):
        k = i * count + j
        if c.exact[j] >= 0:
            change_with_numbers(w, m.xs[i], m.vs[i], c.at[j], c.vs[k], c.numbers, c.exact[j], c.as_[k])
        else:
            change_of_acceleration(w, m.xs[i], m.vs[i], c.at[j], c.vs[k], c.as_[k])
        if c.forced[j] >= 0:
            b = c.forcing[row * forced + c.forced[j]]
            for q in range(n):
                c.as_[k, q] += b[q]


@compiled
def _record(m: StageMemory, row: int, t: float, i: int) -> None:
    if m.t_rows.size:
        m.t_rows[row] = t
        copy(m.x_rows[row], m.xs[i])
        copy(m.v_rows[row], m.vs[i])


@compiled
def _stage(
    w: Variations, m: StageMemory, c: Columns, weights: Floats, i: int, before: int, t: float, h: float, row: int
) -> None:
    """Stage i of a step at time t from those before, with its derivatives."""
    count, n = c.exact.size, m.x.size
    for k in range(n):
        dx = dv = 0.0
        for l in range(before):
            dx += weights[l] * m.vs[l, k]
            dv += weights[l] * m.as_[l, k]
        m.xs[i, k], m.vs[i, k] = m.x0[k] + h * dx, m.v0[k] + h * dv
    accelerate(w.system, t, m.xs[i], m.vs[i], m.as_[i], m.stress)
    _record(m, row, t, i)
    for j in range(count):
        copy(c.at[j], c.x0[j])
        copy(c.vs[i * count + j], c.v0[j])
        for l in range(before):
            if weights[l] != 0.0:
                for k in range(n):
                    c.at[j, k] += h * weights[l] * c.vs[l * count + j, k]
                    c.vs[i * count + j, k] += h * weights[l] * c.as_[l * count + j, k]
    _turn(w, m, c, i, row)


@compiled
def _begin(m: StageMemory, c: Columns) -> None:
    """The end of the last step is the first stage of the next."""
    count = c.exact.size
    copy(m.x0, m.x)
    copy(m.v0, m.v)
    copy(m.a0, m.a)
    copy(m.xs[0], m.x)
    copy(m.vs[0], m.v)
    copy(m.as_[0], m.a)
    for j in range(count):
        copy(c.x0[j], c.x[j])
        copy(c.v0[j], c.v[j])
        copy(c.a0[j], c.a[j])
        copy(c.vs[j], c.v[j])
        copy(c.as_[j], c.a[j])


@compiled
def _end(w: Variations, m: StageMemory, c: Columns, tableau: Tableau, t: float, h: float, row: int) -> None:
    """The new state, closed, and its derivatives."""
    s, count, n, last = w.system, c.exact.size, m.x.size, tableau.b.size
    for l in range(last):
        share = h * tableau.b[l]
        if share != 0.0:
            for k in range(n):
                m.x[k] += share * m.vs[l, k]
                m.v[k] += share * m.as_[l, k]
            for j in range(count):
                for k in range(n):
                    c.x[j, k] += share * c.vs[l * count + j, k]
                    c.v[j, k] += share * c.as_[l * count + j, k]
    project(s, t, m.x, m.v, m.a, CLOSED, 12)
    evaluate_start(w, m, c, t, row, last)


@compiled
def evaluate_start(w: Variations, m: StageMemory, c: Columns, t: float, row: int, place: int) -> None:
    """Accelerations and their derivatives at the present state, as the stage ``place``."""
    count = c.exact.size
    accelerate(w.system, t, m.x, m.v, m.a, m.stress)
    copy(m.xs[place], m.x)
    copy(m.vs[place], m.v)
    copy(m.as_[place], m.a)
    _record(m, row, t, place)
    for j in range(count):
        copy(c.at[j], c.x[j])
        copy(c.vs[place * count + j], c.v[j])
    _turn(w, m, c, place, row)
    for j in range(count):
        copy(c.a[j], c.as_[place * count + j])


@compiled
def _polynomial(
    y: FloatTable,
    f: FloatTable,
    tableau: Tableau,
    stride: int,
    j: int,
    h: float,
    y0: Floats,
    y1: Floats,
    rows: FloatTable,
    first: int,
) -> None:
    """Coefficients of the dense output of y with the slopes f of all stages, from row ``first`` on."""
    last = tableau.b.size
    for k in range(y0.size):
        change = y1[k] - y0[k]
        rows[first, k] = change
        rows[first + 1, k] = h * f[j, k] - change
        rows[first + 2, k] = 2.0 * change - h * (f[last * stride + j, k] + f[j, k])
        for i in range(tableau.dense.shape[0]):
            total = 0.0
            for l in range(tableau.dense.shape[1]):
                total += tableau.dense[i, l] * f[l * stride + j, k]
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
    """Weights of x₀, v₀, a₀, x₁, v₁, a₁ in the quintic at the part u of a step, and in its derivative."""
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
def _write(w: Variations, m: StageMemory, c: Columns, tableau: Tableau, o: Samples, t: float, h: float) -> None:
    """States and derivatives at the times inside a step that has ended at t + h."""
    s, count, end = w.system, c.exact.size, t + h
    first, stop = o.next[0], o.next[0]
    while stop < o.t.size and o.t[stop] <= end + 1e-14 * (abs(end) + h):
        stop += 1
    degree = 3 + tableau.dense.shape[0]
    for j in range(-1, count):
        if tableau.dense.shape[0] and j < 0:
            _polynomial(m.xs, m.vs, tableau, 1, 0, h, m.x0, m.x, o.dense, 0)
            _polynomial(m.vs, m.as_, tableau, 1, 0, h, m.v0, m.v, o.dense, 7)
        elif tableau.dense.shape[0]:
            _polynomial(c.vs, c.vs, tableau, count, j, h, c.x0[j], c.x[j], o.dense, 0)
            _polynomial(c.vs, c.as_, tableau, count, j, h, c.v0[j], c.v[j], o.dense, 7)
        for i in range(first, stop):
            u = min(max((o.t[i] - t) / h, 0.0), 1.0)
            if tableau.dense.shape[0] and j < 0:
                _nested(o.dense, 0, degree, u, m.x0, o.x[i])
                _nested(o.dense, 7, degree, u, m.v0, o.v[i])
            elif tableau.dense.shape[0]:
                _nested(o.dense, 0, degree, u, c.x0[j], o.dx[i * count + j])
                _nested(o.dense, 7, degree, u, c.v0[j], o.dv[i * count + j])
            else:
                hermite_weights(u, h, o.dense)
                if j < 0:
                    _hermite(o.dense, m.x0, m.v0, m.a0, m.x, m.v, m.a, o.x[i], o.v[i])
                else:
                    k = i * count + j
                    _hermite(o.dense, c.x0[j], c.v0[j], c.a0[j], c.x[j], c.v[j], c.a[j], o.dx[k], o.dv[k])
    for i in range(first, stop):
        for k in range(s.track_target.size):
            o.tracked[i, k] = s.number[s.track_target[k]]
    o.next[0] = stop


@compiled
def take_steps(w: Variations, m: StageMemory, c: Columns, tableau: Tableau, ends: Floats, o: Samples) -> None:
    """Steps between these times, from a state that was evaluated, with derivatives at the samples on the way."""
    s, stages = w.system, tableau.b.size
    for step in range(ends.size - 1):
        t, h = ends[step], ends[step + 1] - ends[step]
        row = 1 + step * (stages + tableau.extra_c.size)
        if m.t_rows.size:
            for k in range(s.track_target.size):
                m.tracked_rows[step, k] = s.number[s.track_target[k]]
        _begin(m, c)
        for i in range(1, stages):
            _stage(w, m, c, tableau.a[i], i, i, t + tableau.c[i] * h, h, row + i - 1)
        _end(w, m, c, tableau, t + h, h, row + stages - 1)
        inside = o.next[0] < o.t.size and o.t[o.next[0]] <= t + h + 1e-14 * (abs(t + h) + h)
        for i in range(tableau.extra_c.size):
            if inside or m.t_rows.size:
                place = stages + 1 + i
                _stage(w, m, c, tableau.extra_a[i], place, place, t + tableau.extra_c[i] * h, h, row + stages + i)
        track(s, m.x, m.v)
        if inside:
            _write(w, m, c, tableau, o, t, h)
    clear(c.still)
