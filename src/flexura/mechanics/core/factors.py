r"""Sparse symmetric factors with a static order: the linear algebra of every analysis.

The systems are :math:`\begin{pmatrix} A & D^T \\ D & 0 \end{pmatrix}` with A positive definite. Eliminated in an order
in which each multiplier comes after all the coordinates that its strain depends on, every leading block is regular
as long as the rows of D are independent: :math:`L D L^T` exists without pivoting, in every position of the mechanism,
and the order can be found once.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, Ints, Places, Record
from flexura.mechanics.core.kernel_calls import call_arrays


class Factors(Record, scratch=("values", "scaled")):
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
