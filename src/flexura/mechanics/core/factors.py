r"""Sparse symmetric factors with a static order, used by every analysis.

The systems are :math:`\begin{pmatrix} A & D^T \\ D & 0 \end{pmatrix}` with A positive definite. Eliminated in an order
in which each multiplier comes after all coordinates of its strain, every leading block is regular
if the rows of D are independent: :math:`L D L^T` exists without pivoting, in every position of the mechanism,
and the order is found once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.derive.compiled import as_array, compiled
from flexura.derive.records import Floats, Ints, Places, Record
from flexura.mechanics.core.kernel_calls import call_arrays
from flexura.mechanics.core.panels import Panels, back_panels, factorise_panels, forward_panels
from flexura.mechanics.core.team import (
    LISTED_BACKWARD,
    LISTED_FORWARD,
    THREADS,
    Team,
    address,
    first_of,
    share,
    task,
)


class Domains(Record):
    """Independent sets of columns, and the columns after them that couple them."""

    bound: Ints
    """domain d has the columns bound[d]:bound[d + 1]; coupling columns follow the last bound; empty without domains"""
    row_start: Ints
    row_entry: Places
    """entries of the domains in each of the coupling rows, in order of their columns"""


class Factors(Record, scratch=("values", "scaled")):
    """Factors and the program that computes and applies them: flat lists of products, or panels of many columns."""

    values: Floats
    """The inverse pivots, then the columns of L."""
    scaled: Floats
    start: Ints
    """column k of L is values[start[k]:start[k + 1]]"""
    row: Places
    column: Places
    """row and column of each entry of L, in order of elimination"""
    product_start: Ints
    """the products of step k: values[target] -= scaled[left] · values[right]"""
    target: Places
    left: Places
    right: Places
    entry: Ints
    """addresses of generated code for ``factorise_and_solve`` and ``solve``, zero without"""
    domains: Domains
    team: Team
    panels: Panels
    """columns that are eliminated together; empty in small systems"""


@compiled
def factorise(f: Factors, z: Floats) -> None:
    """L D Lᵀ in place, the diagonal becomes the inverse pivots; z is eliminated at the same time at no extra cost.

    Each pivot depends on the previous one, so that the products are formed before the division is complete.
    """
    if f.panels.first.size:
        factorise_panels(f.panels, f.start, f.values, f.scaled)
        forward_panels(f.panels, f.start, f.scaled, z)
        return
    values, scaled, start, row = f.values, f.scaled, f.start, f.row
    product_start, target, left, right = f.product_start, f.target, f.left, f.right
    count = start.size - 1
    for k in range(count):
        inverse = 1.0 / values[k]
        values[k] = inverse
        for c in range(product_start[k], product_start[k + 1]):
            values[target[c]] -= (values[left[c]] * values[right[c]]) * inverse
        zk = z[k] * inverse
        for a in range(start[k], start[k + 1]):
            scaled[a] = values[a] * inverse
            z[row[a - count]] -= values[a] * zk


@compiled
def refactorise(f: Factors, z: Floats) -> None:
    """L D Lᵀ in place; the scratch ``z`` is zero."""
    if f.panels.first.size:
        factorise_panels(f.panels, f.start, f.values, f.scaled)
    elif f.entry[0] != 0:
        call_arrays(f.entry[0], f.values, f.scaled, z)
    else:
        factorise(f, z)


@compiled
def factorise_and_solve(f: Factors, z: Floats) -> None:
    """Compute the factors, and solve with them in place."""
    if f.entry[0] != 0:
        call_arrays(f.entry[0], f.values, f.scaled, z)
        return
    factorise(f, z)
    _go_back(f, z)


@compiled
def solve(f: Factors, z: Floats) -> None:
    """Solve in place with the factors; z is in order of elimination."""
    if f.entry[1] != 0:
        call_arrays(f.entry[1], f.values, f.scaled, z)
        return
    if f.panels.first.size:
        forward_panels(f.panels, f.start, f.scaled, z)
        back_panels(f.panels, f.start, f.values, f.scaled, z)
        return
    if f.team.desk[THREADS] > 1 and f.domains.bound.size:
        share(f.team.desk, LISTED_FORWARD, address(f), address(z), 0, 0)
        _couple(f, z)
        share(f.team.desk, LISTED_BACKWARD, address(f), address(z), 0, 0)
        return
    scaled, row, column = f.scaled, f.row, f.column
    count = z.size
    for a in range(row.size):
        z[row[a]] -= scaled[count + a] * z[column[a]]
    _go_back(f, z)


@compiled
def _entries(f: Factors, part: int, parts: int) -> tuple[np.uint64, np.uint64]:
    """First entry of a part of the domains, and the first of the next."""
    count, bound = f.start.size - 1, f.domains.bound
    first, last = bound[first_of(part, parts, bound.size - 1)], bound[first_of(part + 1, parts, bound.size - 1)]
    return np.uint64(f.start[first] - count), np.uint64(f.start[last] - count)


@task(LISTED_FORWARD, Factors.numba_type)
def _forward(f: Factors, given: Any, c: Any, d: Any, part: int, parts: int) -> None:
    """Eliminate the right-hand side along the columns of domains, except for the coupling rows."""
    z, scaled, row, column = as_array(given, f.start.size - 1), f.scaled, f.row, f.column
    couple, shift, one = np.uint64(f.domains.bound[f.domains.bound.size - 1]), np.uint64(z.size), np.uint64(1)
    a, last = _entries(f, part, parts)
    while a < last:
        r = row[a]
        if r < couple:
            z[r] -= scaled[shift + a] * z[column[a]]
        a += one


@compiled
def _couple(f: Factors, z: Floats) -> None:
    """Solve for the coupling unknowns; the order of the sums is the same as without domains."""
    values, scaled, row, column, count = f.values, f.scaled, f.row, f.column, z.size
    domains = f.domains
    first = domains.bound[domains.bound.size - 1]
    for k in range(first, count):
        for e in range(domains.row_start[k - first], domains.row_start[k - first + 1]):
            a = domains.row_entry[e]
            z[k] -= scaled[np.uint64(count) + a] * z[column[a]]
    for a in range(f.start[first] - count, row.size):
        z[row[a]] -= scaled[count + a] * z[column[a]]
    for k in range(first, count):
        z[k] *= values[k]
    for a in range(row.size - 1, f.start[first] - count - 1, -1):
        z[column[a]] -= scaled[count + a] * z[row[a]]


@task(LISTED_BACKWARD, Factors.numba_type)
def _backward(f: Factors, given: Any, c: Any, d: Any, part: int, parts: int) -> None:
    """Back substitution through the columns of domains."""
    z, values, scaled, row, column = as_array(given, f.start.size - 1), f.values, f.scaled, f.row, f.column
    bound, shift, one = f.domains.bound, np.uint64(z.size), np.uint64(1)
    for k in range(bound[first_of(part, parts, bound.size - 1)], bound[first_of(part + 1, parts, bound.size - 1)]):
        z[k] *= values[k]
    first, a = _entries(f, part, parts)
    while a > first:
        a -= one
        z[column[a]] -= scaled[shift + a] * z[row[a]]


@compiled
def _go_back(f: Factors, z: Floats) -> None:
    """Back substitution, for a z that was eliminated together with the matrix."""
    if f.panels.first.size:
        back_panels(f.panels, f.start, f.values, f.scaled, z)
        return
    values, scaled, row, column = f.values, f.scaled, f.row, f.column
    count = z.size
    for k in range(count):
        z[k] *= values[k]
    for a in range(row.size - 1, -1, -1):
        z[column[a]] -= scaled[count + a] * z[row[a]]


def divided(f: Factors) -> bool:
    """True if threads can share the solution."""
    return bool(f.domains.bound.size or f.panels.bound.size > 2)
