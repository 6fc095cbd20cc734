"""Derivatives of the steps of explicit Runge–Kutta methods with respect to initial values and numbers of the model.

The stages of each step of a run are computed again, together with their derivatives: a method applied to the
variational equations is the derivative of the method itself. Each column is the derivative for one parameter.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats
from flexura.integrators.formulations import CLOSED
from flexura.integrators.runge_kutta_tableaux import Tableau
from flexura.integrators.tangent_memory import Columns, StageMemory
from flexura.integrators.tangent_samples import Samples, write_samples
from flexura.mechanics.linear.variation_tables import Variations
from flexura.mechanics.linear.variations import change_accelerations
from flexura.mechanics.motion.equations_of_motion import accelerate, track
from flexura.mechanics.motion.projection import project


@compiled
def add(to: Floats, factor: float, other: Floats) -> None:
    """Add a multiple of a row of numbers."""
    for k in range(to.size):
        to[k] += factor * other[k]


@compiled
def _turn(w: Variations, m: StageMemory, c: Columns, i: int, row: int) -> None:
    """Derivatives of the accelerations of stage i, after ``accelerate``; ``row`` is its row in the forcing."""
    count, timed, forced, da = c.block.z.shape[1], c.block.timed.size, c.forced.size, c.as_[i]
    if count == 0:
        return
    values = c.timed[row * timed : (row + 1) * timed]
    change_accelerations(w, c.block, m.xs[i], m.vs[i], m.as_[i], m.stress, c.at, c.vs[i], values, da)
    for f in range(forced):
        b = c.forcing[row * forced + f]
        for q in range(b.size):
            da[q * count + c.forced[f]] += b[q]


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
    """Stage i of a step at time t from the earlier ones, with its derivatives."""
    copy(m.xs[i], m.x0)
    copy(m.vs[i], m.v0)
    copy(c.at, c.x0)
    copy(c.vs[i], c.v0)
    for l in range(before):
        if weights[l] != 0.0:
            add(m.xs[i], h * weights[l], m.vs[l])
            add(m.vs[i], h * weights[l], m.as_[l])
            add(c.at, h * weights[l], c.vs[l])
            add(c.vs[i], h * weights[l], c.as_[l])
    accelerate(w.system, t, m.xs[i], m.vs[i], m.as_[i], m.stress)
    _record(m, row, t, i)
    _turn(w, m, c, i, row)


@compiled
def _begin(m: StageMemory, c: Columns) -> None:
    """Copy the end of the last step to the first stage of the next."""
    copy(m.x0, m.x)
    copy(m.v0, m.v)
    copy(m.a0, m.a)
    copy(m.xs[0], m.x)
    copy(m.vs[0], m.v)
    copy(m.as_[0], m.a)
    copy(c.x0, c.x)
    copy(c.v0, c.v)
    copy(c.a0, c.a)
    copy(c.vs[0], c.v)
    copy(c.as_[0], c.a)


@compiled
def _end(w: Variations, m: StageMemory, c: Columns, tableau: Tableau, t: float, h: float, row: int) -> None:
    """Close the new state, and compute its derivatives."""
    last = tableau.b.size
    for l in range(last):
        share = h * tableau.b[l]
        if share != 0.0:
            add(m.x, share, m.vs[l])
            add(m.v, share, m.as_[l])
            add(c.x, share, c.vs[l])
            add(c.v, share, c.as_[l])
    project(w.system, t, m.x, m.v, m.a, CLOSED, 12)
    evaluate_start(w, m, c, t, row, last)


@compiled
def evaluate_start(w: Variations, m: StageMemory, c: Columns, t: float, row: int, place: int) -> None:
    """Accelerations and their derivatives at the current state, as the stage ``place``."""
    accelerate(w.system, t, m.x, m.v, m.a, m.stress)
    copy(m.xs[place], m.x)
    copy(m.vs[place], m.v)
    copy(m.as_[place], m.a)
    _record(m, row, t, place)
    copy(c.at, c.x)
    copy(c.vs[place], c.v)
    _turn(w, m, c, place, row)
    copy(c.a, c.as_[place])


@compiled
def take_steps(w: Variations, m: StageMemory, c: Columns, tableau: Tableau, ends: Floats, o: Samples) -> None:
    """Make the steps between these times from an evaluated state, with derivatives at the samples in between."""
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
            if inside:
                place = stages + 1 + i
                _stage(w, m, c, tableau.extra_a[i], place, place, t + tableau.extra_c[i] * h, h, row + stages + i)
        track(s, m.x, m.v)
        if inside:
            write_samples(w, m, c, tableau, o, t, h)
