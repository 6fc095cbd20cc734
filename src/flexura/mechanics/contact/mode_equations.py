"""Equations of one combination of open, sliding and sticking contacts.

Rows are the normals of closed contacts and the slips of sticking contacts. Rows that depend on others are left out and
have no force; the remaining rows are independent, whatever friction adds to their equations.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.mechanics.contact.contact_scales import ContactScales, negligible_mobility
from flexura.mechanics.core.contact_tables import Modes
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import SLIDING

STUCK, FORWARD, BACKWARD, APART = range(4)
"""modes of a contact"""
_CONTRADICTION = 1e-9
"""Right-hand side of an equation without unknowns, relative to the largest, that counts as zero."""


@compiled
def friction_ratio(s: System, j: int) -> float:
    """Tangential over normal force of a sliding contact in its mode; zero for others."""
    q = s.modes
    if q.grip[j] < 0 or q.mode[j] == STUCK or q.mode[j] == APART:
        return 0.0
    mu = s.grips.mu[q.grip[j], SLIDING]
    return float(-mu if q.mode[j] == FORWARD else mu)


@compiled
def _list_rows(s: System) -> int:
    """List the rows of the combination in ``Modes.mode``: normals of closed contacts, slips of sticking contacts."""
    q = s.modes
    k = q.count[0]
    count = 0
    for j in range(2 * k):
        sticks = j >= k and q.grip[j - k] >= 0 and q.mode[j - k] == STUCK
        if sticks or (j < k and q.mode[j] != APART):
            q.unknown[count] = j
            count += 1
    return count


@compiled
def _least_mobility(s: System, c: ContactScales, row: int) -> float:
    """Mobility of a row that counts as zero."""
    q = s.modes
    k = q.count[0]
    return float(negligible_mobility(c, q.gap[row] if row < k else s.grips.start[q.grip[row - k]]))


@compiled
def _keep_independent(s: System, c: ContactScales, count: int) -> int:
    """Leave out the listed rows that depend on earlier ones, by Cholesky's factors; returns the number that remain."""
    q, kept = s.modes, 0
    e = q.equations
    for r in range(count):
        row = q.unknown[r]
        rest = q.coupling[row, row]
        for j in range(kept):
            value = q.coupling[row, q.unknown[j]]
            for i in range(j):
                value -= e[kept, i] * e[j, i]
            e[kept, j] = value / e[j, j]
            rest -= e[kept, j] ** 2
        if rest > _least_mobility(s, c, row):
            e[kept, kept] = math.sqrt(rest)
            q.unknown[kept] = row
            kept += 1
    return kept


@compiled
def set_equations(s: System, c: ContactScales) -> int:
    """Set up the equations of the combination in ``Modes.mode``; returns their number."""
    q = s.modes
    k = q.count[0]
    count = _keep_independent(s, c, _list_rows(s))
    for r in range(count):
        row = q.unknown[r]
        q.equations[r, count] = -q.free[row]
        for col in range(count):
            j = q.unknown[col]
            value = q.coupling[row, j]
            if j < k:
                value += friction_ratio(s, j) * q.coupling[row, k + j]
            q.equations[r, col] = value
    return count


@compiled
def _clear_column(q: Modes, count: int, rank: int, col: int, least: float) -> bool:
    """Move the pivot of a column to row ``rank`` and eliminate the other entries; false if there is no pivot."""
    e, largest = q.equations, rank
    if rank == count:
        return False
    for r in range(rank, count):
        if abs(e[r, col]) > abs(e[largest, col]):
            largest = r
    if not abs(e[largest, col]) > least:
        return False
    for j in range(count + 1):
        e[rank, j], e[largest, j] = e[largest, j], e[rank, j]
    for r in range(count):
        if r != rank:
            factor = e[r, col] / e[rank, col]
            for j in range(count + 1):
                e[r, j] -= factor * e[rank, j]
    return True


@compiled
def eliminate(q: Modes, count: int, least: float) -> bool:
    """Solve into ``force``; unknowns without a pivot are zero. False if the equations are contradictory."""
    e, rank, scale = q.equations, 0, 0.0
    for r in range(count):
        scale = max(scale, abs(e[r, count]))
    for col in range(count):
        if _clear_column(q, count, rank, col, least):
            q.pivot[rank] = col
            rank += 1
    for r in range(rank, count):
        if abs(e[r, count]) > _CONTRADICTION * scale:
            return False
    for j in range(q.force.size):
        q.force[j], q.held[j] = 0.0, 0
    for r in range(rank):
        j = q.unknown[q.pivot[r]]
        q.force[j], q.held[j] = e[r, count] / e[r, q.pivot[r]], 1
    return True


@compiled
def depends(s: System, c: ContactScales, j: int) -> bool:
    """True if the gap of a contact depends on the rows that carry forces."""
    q, count = s.modes, 0
    for i in range(2 * q.count[0]):
        if q.held[i] == 1 and i != j:
            q.unknown[count] = i
            count += 1
    count = _keep_independent(s, c, count)
    q.unknown[count] = j
    return _keep_independent(s, c, count + 1) == count
