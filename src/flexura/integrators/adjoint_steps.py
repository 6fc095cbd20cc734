"""Adjoint of steps of explicit Runge–Kutta methods: derivatives of quantities by reverse accumulation.

This is the transpose of :mod:`flexura.integrators.tangent_steps`, stage by stage, so that both give the same
derivatives to rounding. Each row belongs to one quantity.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.runge_kutta_tableaux import Tableau
from flexura.integrators.tangent_memory import StageMemory, stage_count
from flexura.integrators.tangent_samples import hermite_weights
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.adjoint_variations import pull_acceleration
from flexura.mechanics.linear.driven_changes import weigh_driven
from flexura.mechanics.linear.variation_tables import Numbers, Variations, number_changes
from flexura.mechanics.linear.variations import follow_slopes, slope_by_numbers
from flexura.mechanics.motion.equations_of_motion import accelerate


class Weights(Record):
    """Derivatives of quantities with respect to the state, the stages of a step, and parameters so far.

    Row i·quantities + j of the stages belongs to stage i and quantity j.
    """

    x: FloatTable
    v: FloatTable
    a: FloatTable
    """with respect to the state, and to its accelerations as first stage of the next step"""
    x0: FloatTable
    v0: FloatTable
    vs: FloatTable
    as_: FloatTable
    on_x: Floats
    on_v: Floats
    dense: FloatTable
    numbers: Numbers
    forced: FloatTable
    timed: FloatTable
    """with respect to parameters with differenced effect, and to those of formulas of time: one column each"""


class Forcing(Record):
    """Changes of all stages with parameters: row i·parameters + j belongs to stage i."""

    accelerations: FloatTable
    """of the accelerations that are differenced"""
    values: FloatTable
    """of the values of formulas of time"""


class Seeds(Record):
    """Derivatives of quantities with respect to states at given times: row i·quantities + j for time i, quantity j."""

    t: Floats
    x: FloatTable
    v: FloatTable
    left: Ints
    """number of times still to be passed, backwards in time"""


def weights_of(system: System, tableau: Tableau, quantities: int, forced: int, timed: int) -> Weights:
    """Memory for the derivatives of this number of quantities."""
    n, stages = system.coordinate_place.size, stage_count(tableau)
    state = {name: np.zeros((quantities, n)) for name in ("x", "v", "a", "x0", "v0")}
    return Weights(
        **state,
        vs=np.zeros((stages * quantities, n)),
        as_=np.zeros((stages * quantities, n)),
        on_x=np.zeros(n),
        on_v=np.zeros(n),
        dense=np.zeros((2, max(6, 3 + tableau.dense.shape[0]))),
        numbers=number_changes(system, quantities),
        forced=np.zeros((quantities, forced)),
        timed=np.zeros((quantities, timed)),
    )


@compiled
def _product(a: Floats, b: Floats) -> float:
    total = 0.0
    for q in range(a.size):
        total += a[q] * b[q]
    return total


@compiled
def _pull(w: Variations, m: StageMemory, g: Weights, forcing: Forcing, row: int, i: int) -> None:
    """Adjoint of the accelerations of stage i: pass their derivatives on to its positions, rates and parameters."""
    count, forced, timed = g.x.shape[0], g.forced.shape[1], g.timed.shape[1]
    copy(m.x, m.x_rows[row])
    copy(m.v, m.v_rows[row])
    accelerate(w.system, m.t_rows[row], m.x, m.v, m.a, m.stress)
    follow_slopes(w.system)
    slope_by_numbers(w)
    for j in range(count):
        k = i * count + j
        for f in range(forced):
            g.forced[j, f] += _product(g.as_[k], forcing.accelerations[row * forced + f])
        clear(g.on_x)
        clear(g.on_v)
        pull_acceleration(w, m.x, m.v, m.a, m.stress, g.as_[k], g.on_x, g.on_v, g.numbers, j)
        if timed:
            weigh_driven(w.system, w.stress, g.on_x, g.on_v, w.driven)
            for f in range(timed):
                g.timed[j, f] += _product(w.driven, forcing.values[row * timed + f])
        for q in range(m.x.size):
            g.vs[k, q] += g.on_v[q]
            g.as_[k, q] = g.on_x[q]


@compiled
def _share(g: Weights, weights: Floats, before: int, i: int, h: float) -> None:
    """Adjoint of the state of stage i: pass its derivatives, in ``as_`` and ``vs``, on to the earlier stages."""
    count = g.x.shape[0]
    for j in range(count):
        on_x, on_v = g.as_[i * count + j], g.vs[i * count + j]
        for q in range(on_x.size):
            g.x0[j, q] += on_x[q]
            g.v0[j, q] += on_v[q]
        for l in range(before):
            if weights[l] != 0.0:
                for q in range(on_x.size):
                    g.vs[l * count + j, q] += h * weights[l] * on_x[q]
                    g.as_[l * count + j, q] += h * weights[l] * on_v[q]


@compiled
def _nested_weights(u: float, rows: FloatTable) -> None:
    """Weights of the coefficients of a polynomial in nested powers of u and 1 - u."""
    degree, weight = rows.shape[1], 1.0
    for k in range(degree):
        weight *= 1.0 - u if (degree - 1 - k) % 2 else u
        rows[0, k] = weight


@compiled
def _on_polynomial(
    seed: Floats,
    q: FloatTable,
    tableau: Tableau,
    count: int,
    j: int,
    h: float,
    on_start: Floats,
    on_end: Floats,
    slopes: FloatTable,
) -> None:
    """Adjoint of a polynomial: pass the derivatives of its value on to both ends and to the slopes of all stages."""
    last = tableau.b.size
    by_change = q[0, 0] - q[0, 1] + 2.0 * q[0, 2]
    for k in range(seed.size):
        on_start[k] += (1.0 - by_change) * seed[k]
        on_end[k] += by_change * seed[k]
        slopes[j, k] += h * (q[0, 1] - q[0, 2]) * seed[k]
        slopes[last * count + j, k] -= h * q[0, 2] * seed[k]
    for l in range(tableau.dense.shape[1]):
        share = 0.0
        for i in range(tableau.dense.shape[0]):
            share += q[0, 3 + i] * tableau.dense[i, l]
        if share != 0.0:
            for k in range(seed.size):
                slopes[l * count + j, k] += h * share * seed[k]


@compiled
def _inject(g: Weights, o: Seeds, tableau: Tableau, t: float, h: float) -> bool:
    """Adjoint of samples inside a step: pass their derivatives on to its ends and stages; true if there are samples."""
    count, q, last, found = g.x.shape[0], g.dense, tableau.b.size, False
    while o.left[0] > 0 and o.t[o.left[0] - 1] > t + 1e-14 * (abs(t) + h):
        i = o.left[0] - 1
        u = min(max((o.t[i] - t) / h, 0.0), 1.0)
        found = True
        for j in range(count):
            x, v = o.x[i * count + j], o.v[i * count + j]
            if tableau.dense.shape[0]:
                _nested_weights(u, q)
                _on_polynomial(x, q, tableau, count, j, h, g.x0[j], g.x[j], g.vs)
                _on_polynomial(v, q, tableau, count, j, h, g.v0[j], g.v[j], g.as_)
            else:
                hermite_weights(u, h, q)
                for k in range(x.size):
                    g.x0[j, k] += q[0, 0] * x[k] + q[1, 0] * v[k]
                    g.v0[j, k] += q[0, 1] * x[k] + q[1, 1] * v[k]
                    g.as_[j, k] += q[0, 2] * x[k] + q[1, 2] * v[k]
                    g.x[j, k] += q[0, 3] * x[k] + q[1, 3] * v[k]
                    g.v[j, k] += q[0, 4] * x[k] + q[1, 4] * v[k]
                    g.as_[last * count + j, k] += q[0, 5] * x[k] + q[1, 5] * v[k]
        o.left[0] = i
    return found


@compiled
def _begin_step(g: Weights, stages: int) -> None:
    """Clear the stages of the following step; its first stage has the accelerations at the end of this one."""
    count = g.x.shape[0]
    for k in range(g.vs.shape[0]):
        clear(g.vs[k])
        clear(g.as_[k])
    for j in range(count):
        clear(g.x0[j])
        clear(g.v0[j])
        copy(g.as_[stages * count + j], g.a[j])


@compiled
def _leave_end(
    w: Variations, m: StageMemory, g: Weights, tableau: Tableau, forcing: Forcing, row: int, h: float
) -> None:
    """Adjoint of the end of a step: pass its derivatives on to the start and the stages."""
    count, stages = g.x.shape[0], tableau.b.size
    _pull(w, m, g, forcing, row, stages)
    for j in range(count):
        k = stages * count + j
        for q in range(m.x.size):
            g.x[j, q] += g.as_[k, q]
            g.v[j, q] += g.vs[k, q]
            g.x0[j, q] += g.x[j, q]
            g.v0[j, q] += g.v[j, q]
        for l in range(stages):
            share = h * tableau.b[l]
            if share != 0.0:
                for q in range(m.x.size):
                    g.vs[l * count + j, q] += share * g.x[j, q]
                    g.as_[l * count + j, q] += share * g.v[j, q]


@compiled
def go_back(
    w: Variations, m: StageMemory, g: Weights, tableau: Tableau, ends: Floats, forcing: Forcing, o: Seeds
) -> None:
    """Take the steps between these times backwards; their stages are recorded in ``m``."""
    s, count, stages, extras = w.system, g.x.shape[0], tableau.b.size, tableau.extra_c.size
    for back in range(ends.size - 1):
        step = ends.size - 2 - back
        t, h = ends[step], ends[step + 1] - ends[step]
        row = 1 + step * (stages + extras)
        for k in range(s.track_target.size):
            s.number[s.track_target[k]] = m.tracked_rows[step, k]
        _begin_step(g, stages)
        if _inject(g, o, tableau, t, h):
            for e in range(extras - 1, -1, -1):
                place = stages + 1 + e
                _pull(w, m, g, forcing, row + stages + e, place)
                _share(g, tableau.extra_a[e], place, place, h)
        _leave_end(w, m, g, tableau, forcing, row + stages - 1, h)
        for i in range(stages - 1, 0, -1):
            _pull(w, m, g, forcing, row + i - 1, i)
            _share(g, tableau.a[i], i, i, h)
        for j in range(count):
            for q in range(m.x.size):
                g.x[j, q] = g.x0[j, q]
                g.v[j, q] = g.v0[j, q] + g.vs[j, q]
                g.a[j, q] = g.as_[j, q]


@compiled
def leave_start(w: Variations, m: StageMemory, g: Weights, forcing: Forcing) -> None:
    """Adjoint of the first accelerations of a segment: pass their derivatives on to the first recorded state."""
    count = g.x.shape[0]
    for j in range(count):
        copy(g.as_[j], g.a[j])
        clear(g.vs[j])
        clear(g.a[j])
    _pull(w, m, g, forcing, 0, 0)
    for j in range(count):
        for q in range(m.x.size):
            g.x[j, q] += g.as_[j, q]
            g.v[j, q] += g.vs[j, q]
