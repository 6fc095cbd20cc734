r"""Sparse symmetric factors with a static order: the linear algebra of every analysis.

The systems are :math:`\begin{pmatrix} A & D^T \\ D & 0 \end{pmatrix}` with A positive definite. Eliminated in an order
in which each multiplier comes after all the coordinates that its strain depends on, every leading block is regular
as long as the rows of D are independent: :math:`L D L^T` exists without pivoting, in every position of the mechanism,
and the order can be found once.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, Ints, Places, Record
from flexura.mechanics.core.kernel_calls import call_arrays


@dataclass(frozen=True)
class Pattern:
    """The order, and where each entry of the matrix lives in the array of values (diagonal first, then columns)."""

    order: Ints
    """order[k] is the unknown that is eliminated k-th."""
    place: Ints
    """place[i] is when unknown i is eliminated."""
    entries: dict[tuple[int, int], int]
    """(i, j) of the unknowns → index of the value; symmetric pairs share one."""
    factors: Factors


class Factors(Record):
    """The factors and the program that makes and uses them: flat lists of products, for short columns and long."""

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
    """addresses of code of its own for ``factorise_and_solve`` and ``solve``, zero where there is none"""


def eliminate(unknowns: int, pairs: set[tuple[int, int]], multipliers: dict[int, list[int]]) -> Pattern:
    """Order the unknowns by least degree, multipliers after the coordinates they depend on, and find the fill."""
    near: list[set[int]] = [set() for _ in range(unknowns)]
    for i, j in pairs:
        if i != j:
            near[i].add(j)
            near[j].add(i)
    waiting = {row: set(columns) for row, columns in multipliers.items()}
    follows: dict[int, list[int]] = {}
    for row, columns in multipliers.items():
        for column in columns:
            follows.setdefault(column, []).append(row)
    heap = [(len(near[i]), i) for i in range(unknowns) if not waiting.get(i)]
    heapq.heapify(heap)
    done = np.zeros(unknowns, dtype=bool)
    order, columns_of = [], []
    while heap:
        degree, i = heapq.heappop(heap)
        if done[i] or degree != len(near[i]):
            continue
        done[i] = True
        order.append(i)
        columns_of.append(sorted(near[i]))
        for j in near[i]:
            near[j] |= near[i]
            near[j] -= {i, j}
        for row in follows.get(i, []):
            waiting[row].discard(i)
            if not waiting[row]:
                heapq.heappush(heap, (len(near[row]), row))
        for j in near[i]:
            if not waiting.get(j):
                heapq.heappush(heap, (len(near[j]), j))
    return _number(unknowns, order, columns_of)


def _number(unknowns: int, order: list[int], columns_of: list[list[int]]) -> Pattern:
    """Give every entry its index, and list the products of the elimination."""
    place = np.empty(unknowns, dtype=np.int64)
    place[order] = np.arange(unknowns)
    entries: dict[tuple[int, int], int] = {(i, i): int(place[i]) for i in range(unknowns)}
    start, row, column = [unknowns], list[int](), list[int]()
    for k, (i, near) in enumerate(zip(order, columns_of, strict=True)):
        for j in sorted(near, key=lambda j: int(place[j])):
            entries[(i, j)] = entries[(j, i)] = unknowns + len(row)
            row.append(int(place[j]))
            column.append(k)
        start.append(unknowns + len(row))
    starts, rows, columns = (np.array(part, dtype=np.int64) for part in (start, row, column))
    sizes = np.diff(starts)
    product_start = np.concatenate([[0], np.cumsum(sizes * (sizes + 1) // 2)])
    target, left, right = np.empty((3, product_start[-1]), dtype=np.int64)
    _products(starts, rows, product_start, target, left, right)
    factors = Factors(
        values=np.zeros(start[-1]),
        scaled=np.zeros(start[-1]),
        start=starts,
        row=rows,
        column=columns,
        product_start=product_start,
        target=target,
        left=left,
        right=right,
        entry=np.zeros(2, dtype=np.int64),
    )
    return Pattern(np.array(order, dtype=np.int64), place, entries, factors)


@compiled
def _products(start: Ints, row: Ints, first: Ints, target: Ints, left: Ints, right: Ints) -> None:
    """The products of each step, one for every pair of entries of its column; those of step k begin at first[k]."""
    count = start.size - 1
    for k in range(count):
        n = first[k]
        for a in range(start[k], start[k + 1]):
            i = row[a - count]
            # the pair's own entry is in column i, whose rows are in the same order
            e = start[i]
            for b in range(a, start[k + 1]):
                j = row[b - count]
                if j != i:
                    while row[e - count] != j:
                        e += 1
                target[n] = i if j == i else e
                left[n] = a
                right[n] = b
                n += 1


@compiled
def factorise(f: Factors, z: Floats) -> None:
    """L D Lᵀ in place, the diagonal becomes the inverse pivots; z is eliminated along, free of charge.

    Each pivot waits for the one before, so the products are formed before the division is done.
    """
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
def factorise_and_solve(f: Factors, z: Floats) -> None:
    """Make the factors, and solve with them in place."""
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
    scaled, row, column = f.scaled, f.row, f.column
    count = z.size
    for a in range(row.size):
        z[row[a]] -= scaled[count + a] * z[column[a]]
    _go_back(f, z)


@compiled
def _go_back(f: Factors, z: Floats) -> None:
    """The way back, for a z that was eliminated along with the matrix."""
    values, scaled, row, column = f.values, f.scaled, f.row, f.column
    count = z.size
    for k in range(count):
        z[k] *= values[k]
    for a in range(row.size - 1, -1, -1):
        z[column[a]] -= scaled[count + a] * z[row[a]]
