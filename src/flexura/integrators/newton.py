"""Newton's iteration of implicit methods, with old factors while they converge."""

from __future__ import annotations

import math
from typing import Any

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.integrators.closed_iteration import solve_closed_state
from flexura.integrators.rank_watch import NEAR
from flexura.integrators.run_memory import ERROR, EVALUATIONS, FACTORS, FIXED, NEXT_STEP, STALE, Memory
from flexura.integrators.state_correction import correct_state, solve_correction
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.row_switches import row_inactive, row_slips
from flexura.mechanics.core.system import System
from flexura.mechanics.core.team import FASTEST, THREADS, address, first_of, largest_of_parts, share, task
from flexura.mechanics.motion.mixed_iteration import evaluate, linearise

FAR = 0.3
"""scaled displacement by accelerations in a step, above which they belong to vibrations too fast for the step"""

_NOTHING = 1e-19
"""Negligible scaled correction of a state; in rates and accelerations of short steps it is amplified"""

# places in ``factored``: the step of the factors (zero for none), the rate of convergence of the iteration,
# the previous step, the rate of convergence of the multipliers
MADE_FOR, RATE, STEP_BEFORE, FORCE_RATE = range(4)

_FORCES = 1e-4
"""Error of the multipliers, relative to the largest force: for driven positions it appears in no other unknown."""
_SLOW = 0.3
"""Rate of convergence of the multipliers above which new factors pay: it grows as links turn."""

_ROUNDED = 1e-12
"""Scaled correction of a state that may grow in the iteration, because it is rounding"""

_RENEWED = 1e-2
"""Correction, relative to the first of the iteration, that may grow if new factors are computed: the old ones are of a
distant state, as after an impact"""

_UNMEASURED = 1e-3
"""Best rate of convergence that is assumed before it is measured: factors of other steps and states converge worse."""


@compiled
def solve_state(
    s: System, m: Memory, factored: Floats, h: float, to_v: float, to_a: float, by_rates: bool, accuracy: float
) -> bool:
    """Iterate from the current state; rates and accelerations follow positions with the factors ``to_v`` and ``to_a``.

    Held strains are closed ``by_rates``, with the accelerations accurate, or by accelerations, with the rates accurate.
    """
    if m.rank.flag[NEAR]:
        forget_factors(factored)
        return solve_closed_state(s, m, to_v, to_a, by_rates)
    return _iterate(s, m, factored, h, to_v, to_a, by_rates, accuracy)


@compiled
def _iterate(
    s: System, m: Memory, factored: Floats, h: float, to_v: float, to_a: float, by_rates: bool, accuracy: float
) -> bool:
    """Iterate with old factors while they converge."""
    made, previous, force_before, first = 0, math.inf, math.inf, 0.0
    if m.count[STALE]:
        factored[MADE_FOR], m.count[STALE] = 0.0, 0
    for iteration in range(16):
        made += _evaluate(s, m, factored, h, to_v, to_a)
        solve_correction(s, m, to_v, to_a, by_rates)
        force, largest = _force_correction(s, m.stress)
        size = correct_state(s, m, to_v, to_a)
        # the first correction is judged by the rate of the last iteration
        rate = size / previous if iteration > 0 else max(factored[RATE], _UNMEASURED)
        if iteration > 0 and force_before > 0.0:
            factored[FORCE_RATE] = max(force / force_before, _UNMEASURED)
        forces_settled = force * factored[FORCE_RATE] <= _FORCES * largest or (made > 0 and iteration > 2)
        left = size * rate / (1.0 - rate) if rate < 1.0 else math.inf
        if by_rates:
            settled = to_a * left <= accuracy * _acceleration(s, m)
            stalled = rate > 0.3 and size < 1e-9
        else:
            settled = to_v * left <= accuracy * _speed(s, m, 1.0 / to_v)
            stalled = rate > 0.5 and size < (1e-9 if made else 1e-14)
        # stiff chains stall at rounding: small corrections that no longer shrink end the iteration
        if forces_settled and (size <= _NOTHING or settled or (iteration > 1 and stalled)):
            # a rate that was not measured is trusted less and less [HairerWanner1996, IV.8]
            factored[RATE] = rate if iteration > 0 else rate**0.8
            if iteration > 2:
                forget_factors(factored)  # the next iteration computes new factors
            return True
        first = size if iteration == 0 else first
        harmless = size < _ROUNDED or (size < _RENEWED * first and made < 5)
        if iteration > 0 and not rate < 2.0 and not harmless:
            break
        turned = not forces_settled and made == 0 and factored[FORCE_RATE] > _SLOW
        if turned or (iteration > 1 and rate > 0.5 and made < 5):
            factored[MADE_FOR] = 0.0
        previous, force_before = size, force
    forget_factors(factored)
    return False


@compiled
def _evaluate(s: System, m: Memory, factored: Floats, h: float, to_v: float, to_a: float) -> int:
    """Evaluate the current state, with new factors if there are none for the step; returns the number of factors."""
    m.count[EVALUATIONS] += 1
    if abs(factored[MADE_FOR] / h - 1.0) <= 0.05:
        evaluate(s, m.x, m.v, m.a)
        return 0
    linearise(s, m.x, m.v, m.a, m.stress, to_a, to_v)
    factored[MADE_FOR] = h
    m.count[FACTORS] += 1
    return 1


@compiled
def forget_factors(factored: Floats) -> None:
    """Discard the factors, so that the next iteration computes new ones."""
    factored[MADE_FOR] = 0.0
    factored[RATE] = factored[FORCE_RATE] = 1.0


@compiled
def forget_past(factored: Floats) -> None:
    """Discard the factors and the previous step."""
    forget_factors(factored)
    factored[STEP_BEFORE] = 0.0


@compiled
def following_step(m: Memory, h: float, order: float) -> None:
    """Next step with error control, for a method whose error is of this order in the step.

    Small changes do not justify new factors; a step that was cut short does not limit the next.
    """
    if m.clock[FIXED] > 0.0:
        return
    factor = 0.85 * max(m.clock[ERROR], 1e-6) ** (-1.0 / order)
    wanted = m.clock[NEXT_STEP]
    if h < 0.999 * wanted:
        factor = min(factor, 1.0)
    if factor < 1.0 or factor > 1.3:
        m.clock[NEXT_STEP] = max(h, wanted) * min(max(factor, 0.3), 3.0)


@compiled
def _force_correction(s: System, stress: Floats) -> tuple[float, float]:
    """Largest correction of a multiplier in the current solution, and the largest force."""
    force = largest = 0.0
    for r in range(s.rows.place.size):
        if not row_inactive(s, r):
            force = max(force, abs(s.z[s.rows.place[r]]))
    for k in range(stress.size):
        largest = max(largest, abs(stress[k]))
    return force, max(largest, force)


@compiled
def _acceleration(s: System, m: Memory) -> float:
    """Largest scaled acceleration."""
    largest = 0.0
    for n in range(s.free.size):
        k = s.free[n]
        largest = max(largest, abs(m.a[k]) / m.scale[k])
    return largest


@compiled
def _speed(s: System, m: Memory, h: float) -> float:
    """Largest scaled rate, or change of a rate in a step."""
    if s.factors.team.desk[THREADS] > 1:
        s.factors.team.given[0] = h
        share(s.factors.team.desk, FASTEST, address(s), address(m), 0, 0)
        return largest_of_parts(s.factors.team)
    return _speed_range(s, m, h, 0, s.free.size)


@compiled
def _speed_range(s: System, m: Memory, h: float, first: int, last: int) -> float:
    largest = 0.0
    for n in range(first, last):
        k = s.free[n]
        largest = max(largest, max(abs(m.v[k]), h * abs(m.a[k])) / m.scale[k])
    return largest


@task(FASTEST, System.numba_type, Memory.numba_type)
def _speed_part(s: System, m: Memory, c: Any, d: Any, part: int, parts: int) -> None:
    first, last = first_of(part, parts, s.free.size), first_of(part + 1, parts, s.free.size)
    s.factors.team.partial[8 * part] = _speed_range(s, m, s.factors.team.given[0], first, last)


@compiled
def remove_drift(s: System, m: Memory) -> None:
    """Close the held strains, extrapolated from their values and slopes before the last correction.

    Near a singular position the iteration has closed them already.
    """
    if s.rows.place.size == 0 or m.rank.flag[NEAR]:
        return
    out, slopes, z = s.motion.out, s.slopes, s.z
    for r in range(s.rows.place.size):
        s.held[r] = 0.0
        if row_inactive(s, r) or row_slips(s, r):
            continue
        k = s.rows.strain[r]
        value = s.rows.position[r] - out[slopes.strain[k]]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            if slopes.target[e] >= 0:
                value -= out[slopes.source[e]] * z[slopes.target[e]]
        s.held[r] = value
    clear(z)
    for r in range(s.rows.place.size):
        z[s.rows.place[r]] = s.held[r]
    solve(s.factors, z)
    for n in range(s.free.size):
        m.x[s.free[n]] += z[s.place[n]]
