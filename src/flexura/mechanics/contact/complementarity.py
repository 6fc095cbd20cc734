"""Complementarity problem of several contacts: impulses or forces that are not negative."""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats, FloatTable
from flexura.mechanics.core.contact_tables import Gaps


@compiled
def press(g: Gaps, admittance: FloatTable, b: Floats, least: Floats, result: Floats) -> None:
    """λ ≥ 0 with w = Wλ + b ≥ 0 and λw = 0, over the touching gaps.

    Contacts with an infinite b are left out; a pivot of at most ``least`` counts as zero. If W is symmetric and
    positive semidefinite, the solution minimises ½λᵀWλ + bᵀλ. It is found by the active-set method of
    [LawsonHanson1974, 23.3], whose active rows are always linearly independent. Friction of sliding contacts makes W
    unsymmetric.
    """
    count, chosen = b.size, g.chosen
    clear(result)
    largest = 0.0
    for i in range(count):
        chosen[i] = 0 if g.touching[i] and b[i] < math.inf else -1
        if chosen[i] == 0:
            largest = max(largest, abs(b[i]))
    for _ in range(10 * count):
        # the contact with the largest violation becomes active
        worst, which = -1e-14 * largest, -1
        for i in range(count):
            if chosen[i] == 0:
                w = b[i]
                for j in range(count):
                    w += admittance[i, j] * result[j]
                if w < worst:
                    worst, which = w, i
        if which < 0:
            return
        chosen[which] = 1
        if not _settle(g, admittance, b, least, result):
            # its row depends on those of the active contacts
            chosen[which] = -1


@compiled
def _settle(g: Gaps, admittance: FloatTable, b: Floats, least: Floats, result: Floats) -> bool:
    """Bring the active contacts to rest; contacts that would pull become inactive."""
    count, chosen, trial = b.size, g.chosen, g.trial
    for _ in range(count + 1):
        if not _solve(g, admittance, b, least):
            return False
        part = 1.0
        for i in range(count):
            if chosen[i] == 1 and trial[i] <= 0.0:
                part = min(part, result[i] / (result[i] - trial[i]) if result[i] > 0.0 else 0.0)
        for i in range(count):
            if chosen[i] == 1:
                pulls = trial[i] <= 0.0
                result[i] += part * (trial[i] - result[i])
                if pulls and result[i] <= 1e-14 * abs(trial[i]):
                    result[i] = 0.0
                    chosen[i] = 0
        if part == 1.0:
            return True
    return True


@compiled
def _factorise_row(g: Gaps, admittance: FloatTable, j: int) -> float:
    """Row j of L and column j of U, in ``work``, for the active contacts; returns the pivot."""
    chosen, work = g.chosen, g.work
    for i in range(j):
        if chosen[i] != 1:
            continue
        lower, upper = admittance[j, i], admittance[i, j]
        for k in range(i):
            if chosen[k] == 1:
                lower -= work[j, k] * work[k, i]
                upper -= work[i, k] * work[k, j]
        work[j, i], work[i, j] = lower / work[i, i], upper
    pivot: float = admittance[j, j]
    for k in range(j):
        if chosen[k] == 1:
            pivot -= work[j, k] * work[k, j]
    work[j, j] = pivot
    return pivot


@compiled
def _solve(g: Gaps, admittance: FloatTable, b: Floats, least: Floats) -> bool:
    """Solve W λ = -b for the active contacts, by the factors LU; false if their rows are dependent."""
    count, chosen, work, trial = b.size, g.chosen, g.work, g.trial
    for j in range(count):
        if chosen[j] == 1:
            if not _factorise_row(g, admittance, j) > least[j]:
                return False
            trial[j] = -b[j]
            for i in range(j):
                if chosen[i] == 1:
                    trial[j] -= work[j, i] * trial[i]
    for j in range(count - 1, -1, -1):
        if chosen[j] == 1:
            for i in range(j + 1, count):
                if chosen[i] == 1:
                    trial[j] -= work[j, i] * trial[i]
            trial[j] /= work[j, j]
    return True


@compiled
def _choose_independent(g: Gaps, admittance: FloatTable, b: Floats, least: Floats) -> None:
    """Choose independent contacts among those that touch, by Cholesky's factors with the largest pivot first."""
    count, chosen, work, left = b.size, g.chosen, g.work, g.trial
    for i in range(count):
        chosen[i] = 0 if g.touching[i] and b[i] < math.inf else -1
        left[i] = admittance[i, i]
    for r in range(count):
        best, ratio = -1, 1.0
        for i in range(count):
            if chosen[i] == 0 and left[i] > ratio * least[i]:
                best, ratio = i, left[i] / least[i]
        if best < 0:
            break
        chosen[best] = 1
        pivot = math.sqrt(left[best])
        for i in range(count):
            if chosen[i] == 0:
                entry = admittance[i, best]
                for k in range(r):
                    entry -= work[i, k] * work[best, k]
                work[i, r] = entry / pivot
                left[i] -= work[i, r] ** 2
    for i in range(count):
        if chosen[i] == 0:
            chosen[i] = -1


@compiled
def close_together(g: Gaps, admittance: FloatTable, b: Floats, least: Floats) -> None:
    """Solve W c = -b for all contacts that touch, into ``trial``; contacts with dependent rows are left out.

    A contact with an infinite b is left out too.
    """
    _choose_independent(g, admittance, b, least)
    _solve(g, admittance, b, least)
