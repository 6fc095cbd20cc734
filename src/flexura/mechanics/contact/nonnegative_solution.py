"""Non-negative solution of a positive definite system: x ≥ 0, y = (H + ε)x - b ≥ 0, xᵀy = 0.

Block pivoting [JudicePires1994]: all unknowns with a wrong sign are exchanged at once while their number decreases;
otherwise only the last of them is exchanged, which is finite.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.mechanics.core.contact_tables import Shares

_WRONG = 1e-12
"""Size of an unknown, relative to the largest, that may have the wrong sign."""
_TRIALS = 20
"""Trials in addition to two for each unknown; rounding of signs could otherwise make the exchanges cycle."""
_PATIENCE = 3
"""Block exchanges that may fail to reduce the number of wrong signs."""


@compiled
def _factorise_row(q: Shares, i: int, ridge: float) -> bool:
    """Row i of Cholesky's factors of the chosen unknowns; false if its pivot is not positive."""
    w = q.work
    for j in range(i + 1):
        if q.chosen[j] == 0:
            continue
        entry = q.matrix[i, j] + (ridge if i == j else 0.0)
        for k in range(j):
            if q.chosen[k]:
                entry -= w[i, k] * w[j, k]
        if i == j and not entry > 0.0:
            return False
        w[i, j] = math.sqrt(entry) if i == j else entry / w[j, j]
    return True


@compiled
def _solve_chosen(q: Shares, ridge: float) -> bool:
    """Solve for the chosen unknowns; the others are zero. False if the factorisation fails."""
    w, x, count = q.work, q.part, q.count[0]
    for i in range(count):
        x[i] = 0.0
        if q.chosen[i]:
            if not _factorise_row(q, i, ridge):
                return False
            x[i] = q.load[i] + ridge * q.centre[i]
            for j in range(i):
                if q.chosen[j]:
                    x[i] -= w[i, j] * x[j]
            x[i] /= w[i, i]
    for i in range(count - 1, -1, -1):
        if q.chosen[i]:
            for k in range(i + 1, count):
                if q.chosen[k]:
                    x[i] -= w[k, i] * x[k]
            x[i] /= w[i, i]
    return True


@compiled
def _mark_wrong(q: Shares, ridge: float) -> tuple[int, int]:
    """Mark in ``rest`` the unknowns with a wrong sign; returns their number and the last of them."""
    count, size, demand, wrong, last = q.count[0], 0.0, 0.0, 0, -1
    for i in range(count):
        size, demand = max(size, abs(q.part[i])), max(demand, abs(q.load[i]) + ridge * q.centre[i])
    for i in range(count):
        value, least = q.part[i], _WRONG * size
        if q.chosen[i] == 0:
            value, least = -q.load[i] - ridge * q.centre[i], _WRONG * demand
            for j in range(count):
                value += q.matrix[i, j] * q.part[j]
        q.rest[i] = 1.0 if value < -least else 0.0
        if value < -least:
            wrong, last = wrong + 1, i
    return wrong, last


@compiled
def solve_nonnegative(q: Shares, ridge: float) -> bool:
    """Solve into ``part``, from the ``chosen`` unknowns; false if the factors fail or the exchanges do not end."""
    fewest, patience = q.count[0] + 1, _PATIENCE
    for _ in range(_TRIALS + 2 * q.count[0]):
        if not _solve_chosen(q, ridge):
            return False
        wrong, last = _mark_wrong(q, ridge)
        if wrong == 0:
            for i in range(q.count[0]):
                q.part[i] = max(q.part[i], 0.0)
            return True
        if wrong < fewest:
            fewest, patience = wrong, _PATIENCE
        else:
            patience -= 1
        for i in range(q.count[0]):
            if q.rest[i] > 0.0 and (patience > 0 or i == last):
                q.chosen[i] = 1 - q.chosen[i]
    return False
