"""Nominal state at a time: positions, rates and accelerations for given inputs and independent coordinates."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.linear.coordinate_map import Small, factorise_slopes, solve_one
from flexura.mechanics.motion.equations_of_motion import drive, track


@compiled
def _aim(m: Small, t: float, x: Floats, v: Floats, a: Floats) -> None:
    """Set the prescribed values, rates and accelerations of the rows at a time, and the driven coordinates."""
    s, goal = m.system, m.targets
    drive(s, t, x, v, a)
    for r in range(goal.driven.size):
        k = goal.driven[r]
        if k >= 0:
            goal.value[r], goal.rate[r], goal.second[r] = s.rows.position[k], s.rows.velocity[k], s.rows.acceleration[k]
        elif k == -2:
            c = goal.coordinate[r]
            goal.value[r], goal.rate[r], goal.second[r] = x[c], v[c], a[c]


@compiled
def solve_position(m: Small, t: float, x: Floats, v: Floats, a: Floats, most: int) -> bool:
    """Nominal state at a time by Newton's method from the given position; false if it fails [Schwab2002 (A.43)]."""
    s, goal, right, change = m.system, m.targets, m.residual, m.reaction
    count = m.column.size
    _aim(m, t, x, v, a)
    for _ in range(most):
        call_level(s, s.motion, x, v)
        factorise_slopes(m)
        for r in range(count):
            k = goal.strain[r]
            right[r] = goal.value[r] - (s.motion.out[s.slopes.strain[k]] if k >= 0 else x[goal.coordinate[r]])
        solve_one(m, right, change, False)
        size = 0.0
        for c in range(count):
            size = max(size, abs(change[c]) / m.scale[c])
        if not size < 0.5:
            return False
        for c in range(count):
            x[m.column[c]] += change[c]
        track(s, x, v)
        if size < 1e-9:  # the next correction would be of the order of its square
            break
    else:
        return False
    _move(m, x, v, a)
    return True


@compiled
def moving(m: Small, t: float, x: Floats, v: Floats, a: Floats) -> None:
    """Rates and accelerations of the nominal state at a position."""
    _aim(m, t, x, v, a)
    _move(m, x, v, a)


@compiled
def _move(m: Small, x: Floats, v: Floats, a: Floats) -> None:
    """Rates, then accelerations, with the slopes at a position and the prescribed values of the rows."""
    s, goal, right, change = m.system, m.targets, m.residual, m.reaction
    count = m.column.size
    call_level(s, s.motion, x, v)
    factorise_slopes(m)
    for r in range(count):
        right[r] = goal.rate[r]
    solve_one(m, right, change, False)
    for c in range(count):
        v[m.column[c]] = change[c]
    call_level(s, s.motion, x, v)
    for r in range(count):
        k = goal.strain[r]
        right[r] = goal.second[r] - (s.motion.out[s.slopes.convection[k]] if k >= 0 else 0.0)
    solve_one(m, right, change, False)
    for c in range(count):
        a[m.column[c]] = change[c]
