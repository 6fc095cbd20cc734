"""Forces shared by closed contacts where rigid bodies leave them undetermined.

Rows of closed contacts may be dependent: the forces λ₀ of independent rows are not the only ones with their motion.
Among those in the friction cones, λ = Γβ with β ≥ 0 and WΓβ = Wλ₀, the one of least |β| is taken. With H = ΓᵀWΓ, rounds

    min ½ βᵀHβ - βᵀΓᵀWλ₀ + ½ ε |β - β′|²,   β ≥ 0,

each from the β′ of the one before, converge to it: the first determines the norm, the others remove the residual of ε.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats
from flexura.mechanics.contact.nonnegative_solution import solve_nonnegative
from flexura.mechanics.contact.row_mobility import rate_along_row, solve_row_response
from flexura.mechanics.contact.share_rows import WAYS
from flexura.mechanics.contact.stick_slip import set_direction, speed
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import SLIDING, STICKING

_RIDGE = 1e-6
"""ε relative to the largest entry of H."""
_ROUNDS = 30
_STEADY = 1e-9
"""Acceleration of a row, relative to its terms, that counts as zero."""
_UNDONE = 1e-11
"""Residual acceleration that shared forces may have, relative to its terms."""


@compiled
def _add(s: System, n: int, x: float, y: float) -> None:
    """Add a generator of the friction cone of contact n, by its tangential forces per unit normal force."""
    q, e = s.shares, s.shares.count[0]
    q.contact[e], q.way[e, 0], q.way[e, 1] = n, x, y
    q.count[0] = e + 1


@compiled
def _slides(s: System, n: int, v: Floats, slow: float) -> bool:
    """True if a frictional contact slides; its direction is then that of its slip, if the slip is not zero."""
    i = s.gaps.grip[n]
    if speed(s, i, v)[0] > slow:
        set_direction(s, i, v)
        return True
    return bool(slow < math.inf and s.switches.on[n] == 1 and s.grips.sticks[i] == 0)


@compiled
def list_generators(s: System, v: Floats, slow: float) -> bool:
    """List the generators of the closed contacts; false if they are too many.

    Slips up to ``slow`` stick, unless their contact is active and slides; all stick if ``slow`` is infinite.
    """
    q, g = s.shares, s.gaps
    q.count[0] = 0
    for n in range(g.strain.size):
        if not q.closed[n]:
            continue
        i = g.grip[n]
        wanted = 1 if i < 0 else 2 if g.slips[n] == 1 else WAYS
        if q.count[0] + wanted > q.part.size:
            return False
        if i < 0:
            _add(s, n, 0.0, 0.0)
            continue
        if s.grips.creep[i, 0] > 0.0:
            return False
        held = s.grips.mu[i, STICKING]
        if _slides(s, n, v, slow):
            mu, way = s.grips.mu[i, SLIDING], s.grips.direction[i]
            _add(s, n, -mu * way[0], -mu * way[1] if g.slips[n] == 2 else 0.0)
        elif g.slips[n] == 1:
            _add(s, n, held, 0.0)
            _add(s, n, -held, 0.0)
        else:
            for k in range(WAYS):
                _add(s, n, held * math.cos(2.0 * math.pi * k / WAYS), held * math.sin(2.0 * math.pi * k / WAYS))
    return bool(q.count[0] > 1)


@compiled
def release_rows(s: System) -> None:
    """Save the active rows and deactivate all of them, without friction."""
    copy(s.shares.on, s.switches.on)
    copy(s.shares.sticks, s.grips.sticks)
    for n in range(s.switches.on.size):
        s.switches.on[n] = 0
    for i in range(s.grips.sticks.size):
        s.grips.sticks[i] = 1


@compiled
def restore_rows(s: System) -> None:
    """Restore the rows saved by :func:`release_rows`."""
    copy(s.switches.on, s.shares.on)
    copy(s.grips.sticks, s.shares.sticks)


@compiled
def measure_mobilities(s: System) -> None:
    """Mobilities W of the rows of closed contacts, with the factors of a state where all rows are inactive."""
    q, g = s.shares, s.gaps
    for j in range(g.row.size):
        if q.closed[g.owner[j]]:
            solve_row_response(s, g.row[j], g.response[j])
            for i in range(g.row.size):
                if q.closed[g.owner[i]]:
                    g.admittance[i, j] = rate_along_row(s, g.row[i], g.response[j])


@compiled
def read_row_forces(s: System, stress: Floats) -> None:
    """Copy the forces on the rows of closed contacts from the stresses; others are zero."""
    q, g = s.shares, s.gaps
    for r in range(g.row.size):
        q.force[r] = -stress[g.row[r]] if q.closed[g.owner[r]] else 0.0


@compiled
def rows_at_rest(s: System, a: Floats) -> bool:
    """False if a row that depends on others, or that has no mobility, accelerates all the same.

    Accelerations are compared with the largest terms of all rows, because unloaded rows have only rounding of others.
    """
    q, g, out, slopes = s.shares, s.gaps, s.motion.out, s.slopes
    fastest = largest = 0.0
    for r in range(g.row.size):
        if not q.closed[g.owner[r]]:
            continue
        k = g.row[r]
        second = out[slopes.convection[k]]
        size = abs(second)
        for e in range(slopes.start[k], slopes.start[k + 1]):
            second += out[slopes.source[e]] * a[slopes.column[e]]
            size += abs(out[slopes.source[e]] * a[slopes.column[e]])
        for j in range(g.row.size):
            if q.closed[g.owner[j]]:
                size += abs(g.admittance[r, j] * q.force[j])
        fastest, largest = max(fastest, abs(second)), max(largest, size)
    return bool(fastest <= _STEADY * largest)


@compiled
def apply_shared_forces(s: System, stress: Floats) -> None:
    """Write the shared forces into the stresses, and add the constraint stresses that balance them."""
    q, g, rows = s.shares, s.gaps, s.rows
    for r in range(g.row.size):
        gain = q.shared[r] - q.force[r]
        if q.closed[g.owner[r]] and gain != 0.0:
            for i in range(rows.strain.size):
                stress[rows.strain[i]] += gain * g.response[r, rows.place[i]]
    for r in range(g.row.size):
        if q.closed[g.owner[r]]:
            stress[g.row[r]] = -q.shared[r]


@compiled
def _along(s: System, e: int, r: int) -> float:
    """Acceleration of row r due to generator e."""
    q, g = s.shares, s.gaps
    n = q.contact[e]
    total = g.admittance[r, n]
    for k in range(g.slips[n]):
        total += q.way[e, k] * g.admittance[r, g.slip[n] + k]
    return float(total)


@compiled
def _set_equations(s: System) -> float:
    """Set up the equations for the sizes of the generators, without ε; returns ε."""
    q, g, largest = s.shares, s.gaps, 0.0
    for e in range(q.count[0]):
        n = q.contact[e]
        for f in range(q.count[0]):
            q.matrix[e, f] = _along(s, f, n)
            for k in range(g.slips[n]):
                q.matrix[e, f] += q.way[e, k] * _along(s, f, g.slip[n] + k)
        q.load[e] = 0.0
        for r in range(g.row.size):
            if q.force[r] != 0.0:
                q.load[e] += _along(s, e, r) * q.force[r]
        largest = max(largest, q.matrix[e, e])
        q.chosen[e] = 1
    return _RIDGE * largest


@compiled
def _undone(s: System) -> float:
    """Largest acceleration due to the difference of shared forces and row forces, relative to its terms."""
    q, g, worst = s.shares, s.gaps, 0.0
    for i in range(g.row.size):
        if q.closed[g.owner[i]]:
            total = size = 0.0
            for j in range(g.row.size):
                if q.closed[g.owner[j]]:
                    total += g.admittance[i, j] * (q.shared[j] - q.force[j])
                    size += abs(g.admittance[i, j]) * (abs(q.shared[j]) + abs(q.force[j]))
            worst = max(worst, abs(total) / size if size > 0.0 else 0.0)
    return worst


@compiled
def share_forces(s: System) -> bool:
    """Distribute the forces in ``Shares.force`` over the generators, into ``shared``; false if none lie in the cones.

    Needs the generators and the mobilities.
    """
    q, g, before = s.shares, s.gaps, math.inf
    ridge = _set_equations(s)
    clear(q.centre)
    for _ in range(_ROUNDS):
        if not solve_nonnegative(q, ridge):
            return False
        clear(q.shared)
        for e in range(q.count[0]):
            n = q.contact[e]
            q.shared[n] += q.part[e]
            for k in range(g.slips[n]):
                q.shared[g.slip[n] + k] += q.way[e, k] * q.part[e]
        undone = _undone(s)
        # until the residual is rounding
        if not undone < 0.5 * before:
            break
        before = undone
        copy(q.centre, q.part)
    return before <= _UNDONE
