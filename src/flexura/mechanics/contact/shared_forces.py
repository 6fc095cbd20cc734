"""Forces that closed contacts share where rigid bodies do not determine them.

Rows of closed contacts may depend on each other: the forces λ₀ of independent rows move the machine, but so do others.
Of those in the cones of friction, λ = Γβ with β ≥ 0 and WΓβ = Wλ₀, that of least |β| is taken. With H = ΓᵀWΓ, rounds of

    min ½ βᵀHβ - βᵀΓᵀWλ₀ + ½ ε |β - β′|²,   β ≥ 0,

each from the β′ of the one before, lead to it: the first has all of the norm, the others take away what ε left undone.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats
from flexura.mechanics.contact.nonnegative_solution import solve_nonnegative
from flexura.mechanics.contact.row_mobility import felt_along, respond_along
from flexura.mechanics.contact.share_rows import WAYS
from flexura.mechanics.contact.stick_slip import head_for, speed
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import SLIDING, STICKING

_RIDGE = 1e-6
"""ε against the largest of H."""
_ROUNDS = 30
_STEADY = 1e-9
"""Acceleration of a row, against its parts, that is none."""
_UNDONE = 1e-11
"""Acceleration that shared forces may leave, against its parts."""


@compiled
def _add(s: System, n: int, x: float, y: float) -> None:
    """List a generator of the cone of contact n, by its tangential forces over its normal force."""
    q, e = s.shares, s.shares.count[0]
    q.contact[e], q.way[e, 0], q.way[e, 1] = n, x, y
    q.count[0] = e + 1


@compiled
def _slides(s: System, n: int, v: Floats, slow: float) -> bool:
    """True where a contact with friction slides; its direction is then that of its slip, if it has one."""
    i = s.gaps.grip[n]
    if speed(s, i, v)[0] > slow:
        head_for(s, i, v)
        return True
    return bool(slow < math.inf and s.switches.on[n] == 1 and s.grips.sticks[i] == 0)


@compiled
def list_generators(s: System, v: Floats, slow: float) -> bool:
    """List the generators of the closed contacts; false where they are too many.

    Slips up to ``slow`` stick, unless their contact is held and slides; all of them where ``slow`` is infinite.
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
    """Turn all rows off, with no friction beside them, and remember them."""
    copy(s.shares.on, s.switches.on)
    copy(s.shares.sticks, s.grips.sticks)
    for n in range(s.switches.on.size):
        s.switches.on[n] = 0
    for i in range(s.grips.sticks.size):
        s.grips.sticks[i] = 1


@compiled
def recall_rows(s: System) -> None:
    """Hold the rows that were released."""
    copy(s.switches.on, s.shares.on)
    copy(s.grips.sticks, s.shares.sticks)


@compiled
def measure_mobilities(s: System) -> None:
    """Mobilities W of the rows of closed contacts, with the factors of a state where all rows are off."""
    q, g = s.shares, s.gaps
    for j in range(g.row.size):
        if q.closed[g.owner[j]]:
            respond_along(s, g.row[j], g.response[j])
            for i in range(g.row.size):
                if q.closed[g.owner[i]]:
                    g.admittance[i, j] = felt_along(s, g.row[i], g.response[j])


@compiled
def take_forces(s: System, stress: Floats) -> None:
    """Forces on the rows of closed contacts, from the stresses; others are zero."""
    q, g = s.shares, s.gaps
    for r in range(g.row.size):
        q.force[r] = -stress[g.row[r]] if q.closed[g.owner[r]] else 0.0


@compiled
def rest_together(s: System, a: Floats) -> bool:
    """False where a row that depends on others, or that no motion of the machine can hold, accelerates all the same.

    Accelerations are judged by the largest parts of all rows: those of a foot without a force are rounding of others.
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
def give_forces(s: System, stress: Floats) -> None:
    """Shared forces into the stresses, with the stresses of held strains that go with them."""
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
    """Acceleration of row r by generator e."""
    q, g = s.shares, s.gaps
    n = q.contact[e]
    total = g.admittance[r, n]
    for k in range(g.slips[n]):
        total += q.way[e, k] * g.admittance[r, g.slip[n] + k]
    return float(total)


@compiled
def _set_equations(s: System) -> float:
    """Equations of the sizes of the generators, without ε; returns ε."""
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
    """Largest acceleration that the shared forces leave beside those of the rows, against its parts."""
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
    """Share the forces in ``Shares.force`` among the generators, into ``Shares.shared``; false where no cone has them.

    The generators are listed, and the mobilities measured.
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
        # until rounding is all that is left
        if not undone < 0.5 * before:
            break
        before = undone
        copy(q.centre, q.part)
    return before <= _UNDONE
