"""Correction of a state in an iteration: its equations, and their solution added to the state by several threads."""

from __future__ import annotations

from typing import Any

from flexura.derive.compiled import compiled
from flexura.integrators.run_memory import Memory
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.system import System
from flexura.mechanics.core.team import CORRECTION, THREADS, address, first_of, largest_of_parts, share, task
from flexura.mechanics.motion.friction_calls import APPLY_FRICTION, SOLVE_FRICTION, call_friction
from flexura.mechanics.motion.iteration_matrix import unclosed_accelerations, unclosed_rates
from flexura.mechanics.motion.mixed_iteration import correct_stresses, unbalanced
from flexura.mechanics.motion.sliding_friction import clear_sliding


@compiled
def solve_correction(s: System, m: Memory, to_v: float, to_a: float, by_rates: bool) -> None:
    """Solve for the correction of the last evaluated state; held strains are closed by rates or by accelerations."""
    clear_sliding(s, m.stress)
    unbalanced(s, m.stress, s.z)
    call_friction(s, APPLY_FRICTION, m.x, m.v, m.a, m.stress)
    if by_rates:
        unclosed_rates(s, m.v, s.z, to_v)
    else:
        unclosed_accelerations(s, m.a, s.z, to_a)
    solve(s.factors, s.z)
    call_friction(s, SOLVE_FRICTION, m.x, m.v, m.a, m.stress)


@compiled
def correct_state(s: System, m: Memory, to_v: float, to_a: float) -> float:
    """Add the solution to the state; returns the largest scaled correction."""
    if s.factors.team.desk[THREADS] > 1:
        s.factors.team.given[0], s.factors.team.given[1] = to_v, to_a
        share(s.factors.team.desk, CORRECTION, address(s), address(m), 0, 0)
        size = largest_of_parts(s.factors.team)
    else:
        size = _correct_range(s, m, to_v, to_a, 0, s.free.size)
    correct_stresses(s, m.stress, s.z)
    return size


@compiled
def _correct_range(s: System, m: Memory, to_v: float, to_a: float, first: int, last: int) -> float:
    """Add the solution to a range of the free coordinates; returns the largest scaled correction."""
    size = 0.0
    for n in range(first, last):
        k, dx = s.free[n], s.z[s.place[n]]
        m.x[k] += dx
        m.v[k] += to_v * dx
        m.a[k] += to_a * dx
        size = max(size, abs(dx) / m.scale[k])
    return size


@task(CORRECTION, System.numba_type, Memory.numba_type)
def _correct_part(s: System, m: Memory, c: Any, d: Any, part: int, parts: int) -> None:
    first, last = first_of(part, parts, s.free.size), first_of(part + 1, parts, s.free.size)
    s.factors.team.partial[8 * part] = _correct_range(
        s, m, s.factors.team.given[0], s.factors.team.given[1], first, last
    )
