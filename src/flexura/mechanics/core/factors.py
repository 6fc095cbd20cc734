r"""Sparse symmetric factors with a static order, used by every analysis.

The systems are :math:`\begin{pmatrix} A & D^T \\ D & 0 \end{pmatrix}` with A positive definite. Eliminated in an order
in which each multiplier comes after all coordinates of its strain, every leading block is regular
if the rows of D are independent: :math:`L D L^T` exists without pivoting, in every position of the mechanism,
and the order is found once.
"""

from __future__ import annotations

from typing import Any

from flexura.derive.compiled import as_array, compiled
from flexura.derive.records import Floats, Ints, Places, Record
from flexura.mechanics.core.kernel_calls import call_arrays
from flexura.mechanics.core.panels import Panels, back_panels, factorise_panels, forward_panels
from flexura.mechanics.core.team import (
    LISTED_BACKWARD,
    LISTED_FACTORS,
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
    outward: Ints
    """first product of each column of a domain that belongs to a coupling column"""


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
    values, start, row, count = f.values, f.start, f.row, z.size
    for k in range(count):
        inverse = values[k] = 1.0 / values[k]
        _subtract_products(f, inverse, f.product_start[k], f.product_start[k + 1])
        zk = z[k] * inverse
        for a in range(start[k], start[k + 1]):
            f.scaled[a] = values[a] * inverse
            z[row[a - count]] -= values[a] * zk


@compiled
def _subtract_products(f: Factors, inverse: float, first: int, last: int) -> None:
    """Subtract some of the products of a column, given its inverse pivot."""
    values, target, left, right = f.values, f.target, f.left, f.right
    for c in range(first, last):
        values[target[c]] -= (values[left[c]] * values[right[c]]) * inverse


@compiled
def refactorise(f: Factors, z: Floats) -> None:
    """L D Lᵀ in place; the scratch ``z`` is zero."""
    if f.panels.first.size:
        factorise_panels(f.panels, f.start, f.values, f.scaled)
    elif f.entry[0] != 0:
        call_arrays(f.entry[0], f.values, f.scaled, z)
    elif f.team.desk[THREADS] > 1 and f.domains.bound.size:
        share(f.team.desk, LISTED_FACTORS, address(f), 0, 0, 0)
        _factorise_between(f)
    else:
        factorise(f, z)


@task(LISTED_FACTORS, Factors.numba_type)
def _factorise_domains(f: Factors, b: Any, c: Any, d: Any, part: int, parts: int) -> None:
    """Eliminate the columns of domains, except for their products in the coupling columns."""
    first, last = _columns(f, part, parts)
    for k in range(first, last):
        inverse = f.values[k] = 1.0 / f.values[k]
        _subtract_products(f, inverse, f.product_start[k], f.domains.outward[k])
        for a in range(f.start[k], f.start[k + 1]):
            f.scaled[a] = f.values[a] * inverse


@compiled
def _factorise_between(f: Factors) -> None:
    """Eliminate the coupling columns; the order of the sums is the same as without domains."""
    couple = f.domains.bound[f.domains.bound.size - 1]
    for k in range(couple):
        _subtract_products(f, f.values[k], f.domains.outward[k], f.product_start[k + 1])
    for k in range(couple, f.start.size - 1):
        inverse = f.values[k] = 1.0 / f.values[k]
        _subtract_products(f, inverse, f.product_start[k], f.product_start[k + 1])
        for a in range(f.start[k], f.start[k + 1]):
            f.scaled[a] = f.values[a] * inverse


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
    _forward_columns(f, z, 0, z.size, z.size)
    _back_columns(f, z, 0, z.size)


@compiled
def _forward_columns(f: Factors, z: Floats, first: int, last: int, couple: int) -> None:
    """Eliminate the right-hand side along some columns, except for the rows from ``couple`` on."""
    scaled, start, row, count = f.scaled, f.start, f.row, z.size
    for k in range(first, last):
        zk = z[k]
        for a in range(start[k], start[k + 1]):
            r = row[a - count]
            if r < couple:
                z[r] -= scaled[a] * zk


@compiled
def _back_columns(f: Factors, z: Floats, first: int, last: int) -> None:
    """Back substitution through some columns."""
    values, scaled, start, row, count = f.values, f.scaled, f.start, f.row, z.size
    for k in range(last - 1, first - 1, -1):
        zk = z[k] * values[k]
        for a in range(start[k + 1] - 1, start[k] - 1, -1):
            zk -= scaled[a] * z[row[a - count]]
        z[k] = zk


@compiled
def _columns(f: Factors, part: int, parts: int) -> tuple[int, int]:
    """First column of a part of the domains, and the first of the next."""
    bound = f.domains.bound
    return bound[first_of(part, parts, bound.size - 1)], bound[first_of(part + 1, parts, bound.size - 1)]


@task(LISTED_FORWARD, Factors.numba_type)
def _forward(f: Factors, given: Any, c: Any, d: Any, part: int, parts: int) -> None:
    """Eliminate the right-hand side along the columns of domains, except for the coupling rows."""
    first, last = _columns(f, part, parts)
    _forward_columns(f, as_array(given, f.start.size - 1), first, last, f.domains.bound[f.domains.bound.size - 1])


@compiled
def _couple(f: Factors, z: Floats) -> None:
    """Solve for the coupling unknowns; the order of the sums is the same as without domains."""
    scaled, column, domains, count = f.scaled, f.column, f.domains, z.size
    first = domains.bound[domains.bound.size - 1]
    for k in range(first, count):
        for e in range(domains.row_start[k - first], domains.row_start[k - first + 1]):
            a = domains.row_entry[e]
            z[k] -= scaled[count + a] * z[column[a]]
    _forward_columns(f, z, first, count, count)
    _back_columns(f, z, first, count)


@task(LISTED_BACKWARD, Factors.numba_type)
def _backward(f: Factors, given: Any, c: Any, d: Any, part: int, parts: int) -> None:
    """Back substitution through the columns of domains."""
    first, last = _columns(f, part, parts)
    _back_columns(f, as_array(given, f.start.size - 1), first, last)


@compiled
def _go_back(f: Factors, z: Floats) -> None:
    """Back substitution, for a z that was eliminated together with the matrix."""
    if f.panels.first.size:
        back_panels(f.panels, f.start, f.values, f.scaled, z)
    else:
        _back_columns(f, z, 0, z.size)


def divided(f: Factors) -> bool:
    """True if threads can share the solution."""
    return bool(f.domains.bound.size or f.panels.bound.size > 2)
