"""Test of the mass matrix of a small model for positive definiteness, in compiled code."""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable, Ints
from flexura.mechanics.core.system import System

_NOTHING = 1e-18
"""Diagonal entry, relative to the largest, that counts as zero by rounding."""
_LARGEST_INVERSE = 1e6
"""Norm of the inverse factor, for a unit diagonal, above which a matrix counts as singular."""


@compiled
def definite_mass(s: System, place: Ints, mass: FloatTable, work: FloatTable) -> bool:
    """True if the mass of the last call of the motion level is positive definite and not nearly singular.

    ``place`` is the row of each coordinate in the lower half of ``mass``; -1 if it is left out.
    """
    table, out = s.mass_all, s.motion.out
    for e in range(table.source.size):
        i, j = place[table.target[e]], place[table.other[e]]
        if i >= 0 and j >= 0:
            mass[max(i, j), min(i, j)] += out[table.source[e]]
    return _definite(mass, work)


@compiled
def augmented_mass(s: System, place: Ints, mass: FloatTable, work: FloatTable, strains: Ints, weights: Floats) -> bool:
    """True if the mass with the weighted squares of these strains is positive definite."""
    for i in range(mass.shape[0]):
        for j in range(i + 1):
            work[i, j] = mass[i, j]
    table, out = s.slopes, s.motion.out
    for n in range(strains.size):
        first, last = table.start[strains[n]], table.start[strains[n] + 1]
        for a in range(first, last):
            for b in range(first, last):
                i, j = place[table.column[a]], place[table.column[b]]
                if i >= j >= 0:
                    work[i, j] += weights[n] * out[table.source[a]] * out[table.source[b]]
    return _definite(work, work)


@compiled
def slope_squares(s: System, place: Ints, strains: Ints, scale: Floats, squares: Floats) -> None:
    """Σ (∂ε/∂x)² · scale of these strains over the coordinates with a place."""
    table, out = s.slopes, s.motion.out
    for n in range(strains.size):
        squares[n] = 0.0
        for a in range(table.start[strains[n]], table.start[strains[n] + 1]):
            i = place[table.column[a]]
            if i >= 0:
                squares[n] += out[table.source[a]] * out[table.source[a]] * scale[i]


@compiled
def _definite(matrix: FloatTable, work: FloatTable) -> bool:
    """True if a matrix, given by its lower half, is positive definite; ``work`` is overwritten."""
    n, largest = matrix.shape[0], 0.0
    for i in range(n):
        largest = max(largest, matrix[i, i])
    for i in range(n):
        if not matrix[i, i] > _NOTHING * largest:
            return False
        for j in range(i + 1):
            work[i, j] = matrix[i, j]
    return _factorised(work) and _inverse_norm(work) < _LARGEST_INVERSE


@compiled
def _factorised(work: FloatTable) -> bool:
    """Factor L of the matrix scaled to a unit diagonal, in place of its lower half; false if factorisation fails."""
    n = work.shape[0]
    for i in range(n):
        for j in range(i):
            work[i, j] /= math.sqrt(work[i, i] * work[j, j])
    for i in range(n):
        work[i, i] = 1.0
    for j in range(n):
        for k in range(j):
            work[j, j] -= work[j, k] * work[j, k]
        if not work[j, j] > 0.0:
            return False
        work[j, j] = math.sqrt(work[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                work[i, j] -= work[i, k] * work[j, k]
            work[i, j] /= work[j, j]
    return True


@compiled
def _inverse_norm(factor: FloatTable) -> float:
    """Frobenius norm of the inverse of a lower triangular matrix, whose upper half is overwritten.

    Small earlier pivots can hide that the last one is only rounding.
    """
    n, total = factor.shape[0], 0.0
    for c in range(n):
        # column c of the inverse, below the diagonal in row c of the upper half
        head = 1.0 / factor[c, c]
        total += head * head
        for i in range(c + 1, n):
            value = factor[i, c] * head
            for k in range(c + 1, i):
                value += factor[i, k] * factor[c, k]
            factor[c, i] = -value / factor[i, i]
            total += factor[c, i] * factor[c, i]
    return math.sqrt(total)
