"""Derivatives of the steps of explicit Runge–Kutta methods by initial values and numbers of the model.

The stages of each step of a run are computed anew, and with each stage its derivatives: a method applied to the
variational equations is the derivative of the method itself. Columns are derivatives by one parameter each.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats
from flexura.integrators.formulations import CLOSED
from flexura.integrators.runge_kutta_tableaux import Tableau
from flexura.integrators.tangent_memory import Columns, StageMemory
from flexura.integrators.tangent_samples import Samples, write_samples
from flexura.mechanics.linear.variation_tables import Variations
from flexura.mechanics.linear.variations import change_of_acceleration, change_with_numbers, fix_state
from flexura.mechanics.motion.equations_of_motion import accelerate, track
from flexura.mechanics.motion.projection import project


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
            write_samples(w, m, c, tableau, o, t, h)
