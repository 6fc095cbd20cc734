"""Projection of states onto the constraints, with least kinetic energy of the correction."""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.row_switches import row_inactive
from flexura.mechanics.core.system import Slopes, System
from flexura.mechanics.motion.equations_of_motion import drive


@compiled
def close_position(s: System, x: Floats, v: Floats) -> float:
    """Make one Newton step towards the held strains, with the current factors; returns the error before the step."""
    call_level(s, s.shape, x, v)
    out, rows, slopes, z = s.shape.out, s.rows, s.shape_slopes, s.z
    worst = 0.0
    clear(z)
    for r in range(rows.place.size):
        if row_inactive(s, r):
            continue
        error = out[slopes.strain[rows.strain[r]]] - rows.position[r]
        z[rows.place[r]] = -error
        worst = max(worst, abs(error) / rows.scale[r])
    if worst > 0.0:
        solve(s.factors, z)
        for i in range(s.free.size):
            x[s.free[i]] += z[s.place[i]]
    return worst


@compiled
def close_velocity(s: System, out: Floats, slopes: Slopes, v: Floats) -> float:
    """Project the rates onto the constraints, with the slopes of the last call of a level."""
    rows, z = s.rows, s.z
    worst = 0.0
    clear(z)
    for r in range(rows.place.size):
        if row_inactive(s, r):
            continue
        k = rows.strain[r]
        error = -rows.velocity[r]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            error += out[slopes.source[e]] * v[slopes.column[e]]
        z[rows.place[r]] = -error
        worst = max(worst, abs(error) / rows.scale[r])
    if worst > 0.0:
        solve(s.factors, z)
        for i in range(s.free.size):
            v[s.free[i]] += z[s.place[i]]
    return worst


@compiled
def keep_tangent(s: System, change: Floats) -> None:
    """Remove from a change of state the part that violates the held strains, after ``accelerate`` at the state."""
    rows, z, out, slopes = s.rows, s.z, s.motion.out, s.slopes
    clear(z)
    for r in range(rows.place.size):
        if row_inactive(s, r):
            continue
        k, error = rows.strain[r], 0.0
        for e in range(slopes.start[k], slopes.start[k + 1]):
            if slopes.target[e] >= 0:
                error += out[slopes.source[e]] * change[slopes.column[e]]
        z[rows.place[r]] = -error
    solve(s.factors, z)
    for i in range(s.free.size):
        change[s.free[i]] += z[s.place[i]]


@compiled
def project(s: System, t: float, x: Floats, v: Floats, a: Floats, tolerance: float, most: int) -> bool:
    """Project a state onto the constraints, with least kinetic energy of the correction."""
    if s.rows.place.size == 0:
        return True
    drive(s, t, x, v, a)
    if close_positions(s, x, v, tolerance, most) < 0:
        return False
    close_velocities(s, v)
    return True


@compiled
def close_positions(s: System, x: Floats, v: Floats, tolerance: float, most: int) -> int:
    """Close the held strains with the current factors.

    Returns the number of corrections before the last, which is rounding; -1 if they do not close.
    """
    previous = math.inf
    for count in range(most):
        error = close_position(s, x, v)
        if not error < math.inf:
            return -1
        if error <= tolerance or (error <= 1e3 * tolerance and error >= 0.5 * previous):
            return count
        previous = error
    return -1


@compiled
def close_velocities(s: System, v: Floats) -> None:
    """Project the rates with the current factors.

    They use the slopes of the last position but one, which equals the last to rounding.
    """
    for _ in range(3):
        if close_velocity(s, s.shape.out, s.shape_slopes, v) <= 1e-15:
            return
