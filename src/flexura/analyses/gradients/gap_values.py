"""Gaps and their rates at single states, of a model and of its neighbours."""

from __future__ import annotations

import numpy as np

from flexura.analyses.gradients.neighbours import Neighbour
from flexura.analyses.gradients.recorded_run import States
from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive, track


class Displacement(Record):
    """A state, and its changes with parameters, one column each; rows are free coordinates or tracked numbers."""

    t: Floats
    """time, and the changes of the time"""
    x: Floats
    v: Floats
    tracked: Floats
    free: Ints
    by_x: FloatTable
    by_v: FloatTable
    by_tracked: FloatTable
    near_x: Floats
    near_v: Floats
    near_a: Floats
    """state of a neighbour"""
    gap: Floats
    """gap, its rate, and the sum of the absolute contributions of single coordinates to it"""


def displacement(
    states: States, free: Ints, x: FloatTable, v: FloatTable, tracked: FloatTable, t: Floats
) -> Displacement:
    """The first of some states, with the changes of the free coordinates, the tracked numbers and the time."""
    width = states.x.shape[1]
    return Displacement(
        t=np.append(states.t[:1], t),
        x=states.x[0],
        v=states.v[0],
        tracked=states.tracked[0],
        free=free,
        by_x=np.ascontiguousarray(x),
        by_v=np.ascontiguousarray(v),
        by_tracked=np.ascontiguousarray(tracked),
        **{name: np.zeros(width) for name in ("near_x", "near_v", "near_a")},
        gap=np.zeros(3),
    )


@compiled
def _measure(s: System, t: float, x: Floats, v: Floats, a: Floats, strain: int, found: Floats) -> None:
    """Gap, its rate and the size of this at a state, whose driven coordinates are set to their inputs."""
    drive(s, t, x, v, a)
    call_level(s, s.shape, x, v)
    table, out = s.shape_slopes, s.shape.out
    found[0], found[1], found[2] = out[table.strain[strain]], 0.0, 0.0
    for e in range(table.start[strain], table.start[strain + 1]):
        part = out[table.source[e]] * v[table.column[e]]
        found[1] += part
        found[2] += abs(part)


@compiled
def _measure_near(
    s: System, d: Displacement, fixed: Ints, drawn: Floats, offset: float, j: int, ahead: float, strain: int
) -> None:
    """Gap of a neighbour at the state moved along parameter j.

    With a distance ``ahead``, its tracked numbers are evaluated that far before the gap is zero.
    """
    x, v, a = d.near_x, d.near_v, d.near_a
    copy(x, d.x)
    copy(v, d.v)
    for k in range(fixed.size):
        x[fixed[k]] = drawn[fixed[k]]
    for k in range(d.free.size):
        x[d.free[k]] += offset * d.by_x[k, j]
        v[d.free[k]] += offset * d.by_v[k, j]
    for k in range(s.track_target.size):
        change = offset * d.by_tracked[k, j]
        s.number[s.track_target[k]] = d.tracked[k] if ahead > 0.0 else d.tracked[k] + change
    t = d.t[0] + offset * d.t[1 + j]
    _measure(s, t, x, v, a, strain, d.gap)
    if ahead > 0.0:
        back = d.gap[0] / d.gap[1] + ahead / abs(d.gap[1])
        for k in range(x.size):
            x[k] -= back * v[k]
        for k in range(s.track_target.size):
            s.number[s.track_target[k]] = d.tracked[k] + offset * d.by_tracked[k, j]
        track(s, x, v)


def gap_near(near: Neighbour, at: Displacement, fixed: Ints, j: int, strain: int) -> Floats:
    """Gap of a neighbour at the state moved along parameter j."""
    _measure_near(near.system, at, fixed, near.start[0], near.offset, j, 0.0, strain)
    return np.array(at.gap[0])


def tracked_near(near: Neighbour, at: Displacement, fixed: Ints, j: int, strain: int, ahead: float) -> Floats:
    """Tracked numbers of a neighbour at a distance before its gap is zero, near the state moved along parameter j."""
    _measure_near(near.system, at, fixed, near.start[0], near.offset, j, ahead, strain)
    return near.system.number[near.system.track_target]


def gap_and_rate(s: System, t: float, x: Floats, v: Floats, tracked: Floats, strain: int) -> tuple[float, float, float]:
    """Gap, its rate and the size of this, by the index of its strain; driven coordinates are set to their inputs."""
    s.number[s.track_target] = tracked
    found = np.zeros(3)
    _measure(s, t, x.copy(), v.copy(), np.zeros_like(x), strain, found)
    gap, rate, size = found.tolist()
    return gap, rate, size
