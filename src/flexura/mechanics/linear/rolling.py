"""Linear equations of systems with rolling constraints: fewer rates than positions.

The slips that are held restrict the rates ẋ = H q̇_d, not the positions Δx = F q with q = (q_d, q_k): the kinematic
coordinates q_k follow the motion by q̇_k = A q̇_d + B q. With D_J the slopes of held strains, held slips, drives and
independent coordinates, and D_L those with the kinematic coordinates in place of the slips [Schwab2002 (A.98)-(A.118)],

    Δẋ = H q̇_d + P q,    Δẍ = H q̈_d + T q̇_d + Q q
    P = -D_J⁻¹ (D_J ẋ)_x F,    T = -D_J⁻¹ (D̈_J)_ẋ H,    Q = -D_J⁻¹ [(D̈_J)_x F + (D̈_J)_ẋ P]

and the balance of forces is Hᵀ(M Δẍ + R_ẋ Δẋ + R_x Δx) = 0. Quasi-derivatives of slips are not symmetric, so that
(D̈_J)_ẋ is not twice (D_J ẋ)_x. Terms of the size of their rounding are set to zero: position, heading and
wheel angles then have exactly no effect, and zero roots are exactly zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.mechanics.linear.linear_arrays import LinearArrays
from flexura.mechanics.linear.linear_tables import Tables
from flexura.model.names import Address

Matrix = NDArray[np.float64]

_ROUNDING = 128.0 * float(np.finfo(np.float64).eps)
"""Rounding error of cancelling terms, relative to their sizes."""


@dataclass(frozen=True)
class Rolls:
    """Derivatives of all coordinates in a system with rolling constraints.

    Columns of values are the drives, the independent and the kinematic coordinates; those of rates are without the
    last. A driven slip has only a rate, and its column of values is zero.
    """

    kinematic: tuple[Address, ...]
    F: Matrix
    P: Matrix
    Q: Matrix
    H: Matrix
    T: Matrix
    sizes: tuple[Matrix, Matrix, Matrix]
    """of the terms in the sums P, Q and T"""


@dataclass(frozen=True)
class Rolling:
    """M q̈_d + C q̇_d + K q = force, q̇_k = A q̇_d + B q; columns as those of :class:`Rolls`."""

    mass: Matrix
    damping: Matrix
    stiffness: Matrix
    A: Matrix
    B: Matrix


def follow(arrays: LinearArrays, tables: Tables, kinematic: tuple[Address, ...]) -> Rolls:
    """F, P, Q, H and T over the coordinates that are not fixed, at the state of the tables."""
    layout, rows = arrays.layout, arrays.rows
    slips = {layout.strains[k] for k in layout.rolling}
    lean = [*(address for address in rows if address not in slips), *kinematic]
    D_J, D_L = (_rows(arrays, tables.slope, given, 1.0) for given in (rows, lean))
    G = _inverse(D_J)
    H = G[:, arrays.held :]
    # a driven slip has no value
    columns = [*rows[arrays.held :], *kinematic]
    valued = [c for c, address in enumerate(columns) if address not in slips]
    F = np.zeros((len(G), len(columns)))
    F[:, valued] = _inverse(D_L)[:, len(G) - len(valued) :]
    # small rotations as coordinates change with the nominal motion, not with themselves
    first = _rows(arrays, tables.rate_x, rows, 0.0, tables.transport)
    second_x = _rows(arrays, tables.second_x, rows, 0.0, tables.transport_rate)
    second_v = _rows(arrays, tables.second_v, rows, 0.0, 2.0 * tables.transport)
    # sizes of the terms
    g, f, h, by_x, by_v = (np.abs(matrix) for matrix in (G, F, H, second_x, second_v))
    p = g @ np.abs(first) @ f
    t, q = g @ by_v @ h, g @ (by_x @ f + by_v @ p)
    P = _cleaned(-G @ first @ F, p)
    T = _cleaned(-G @ second_v @ H, t)
    Q = _cleaned(-G @ (second_x @ F + second_v @ P), q)
    return Rolls(kinematic, F, P, Q, H, T, (p, q, t))


def reduce(arrays: LinearArrays, tables: Tables, rolls: Rolls) -> Rolling:
    """Equations in the independent coordinates."""
    grid = np.ix_(arrays.columns, arrays.columns)
    M, R_v, R_x = (table[grid] for table in (tables.mass, tables.force_v, tables.force_x))
    own = rolls.H[:, len(arrays.drives) :]
    kinematic = list(rolls.kinematic)
    D = _rows(arrays, tables.slope, kinematic, 1.0)
    D_x = _rows(arrays, tables.rate_x, kinematic, 0.0, tables.transport)
    F, P, Q, H, T = rolls.F, rolls.P, rolls.Q, rolls.H, rolls.T
    p, q, t = rolls.sizes
    o, m, r_v, r_x, d, h, f = (np.abs(matrix) for matrix in (own.T, M, R_v, R_x, D, H, F))
    return Rolling(
        mass=_cleaned(own.T @ M @ H, o @ m @ h),
        damping=_cleaned(own.T @ (R_v @ H + M @ T), o @ (r_v @ h + m @ t)),
        stiffness=_cleaned(own.T @ (R_x @ F + R_v @ P + M @ Q), o @ (r_x @ f + r_v @ p + m @ q)),
        A=_cleaned(D @ H, d @ h),
        B=_cleaned(D @ P + D_x @ F, d @ p + np.abs(D_x) @ f),
    )


def carried(
    arrays: LinearArrays, tables: Tables, rolls: Rolls, found: Rolling, turning: Matrix
) -> tuple[Rolls, Rolling]:
    """Equations in coordinates that move with a steady motion ẋ = L x + b, with ``turning`` L.

    Small rotations about global axes vary periodically in a turning motion; in moving axes they do not, and the
    equations are the same at all times. With values w, rates r = r̄ + N w of coordinates at rest and moving,

        N = (Ḋ + D L) F,    r̈ = r̄˙ + N w˙ + (Ḋ + D L) Δẋ + (Ḋ L + D̈) Δx    of these rows D.
    """
    grid, u, n = np.ix_(arrays.columns, arrays.columns), len(arrays.drives), len(arrays.independent)
    L = turning[grid]
    coordinates = [*arrays.independent, *rolls.kinematic]
    D = _rows(arrays, tables.slope, coordinates, 1.0)
    D_t = _rows(arrays, tables.rate_x, coordinates, 0.0, tables.transport)
    D_tt = _rows(arrays, tables.second_x, coordinates, 0.0, tables.transport_rate)
    turned, size = D_t + D @ L, np.abs(D_t) + np.abs(D) @ np.abs(L)
    turned = _cleaned(turned, size)
    # strains are the same in all axes; a position without effect is left unchanged
    needed = np.abs(np.vstack([found.stiffness, found.B])).max(axis=0)[u:] > 0.0
    needed[:n] = True
    if any(address.kind == "coordinate" for address in arrays.independent):
        needed[:] = True
    moving = [needed[i] and (a.internal or a.kind == "coordinate") for i, a in enumerate(coordinates)]
    own = np.array(moving, dtype=bool)[:, None]
    turned = np.where(own, turned, 0.0)
    N = _cleaned(turned @ rolls.F, size @ np.abs(rolls.F))
    W = _cleaned(np.where(own, D_t @ L + D_tt, 0.0), np.abs(D_t) @ np.abs(L) + np.abs(D_tt))
    return _moved(rolls, found, N, turned[:n], W[:n], u)


def _moved(rolls: Rolls, found: Rolling, N: Matrix, U: Matrix, W: Matrix, drives: int) -> tuple[Rolls, Rolling]:
    """Equations with other rates, r = r̄ + N w."""
    n = len(found.mass)
    F, H = rolls.F, rolls.H
    own = slice(drives, drives + n)
    P = _sum(rolls.P, (H[:, own], N[:n]))
    A = found.A
    B = _sum(found.B - N[n:], (A[:, own], N[:n]))
    # r̈ of coordinates at rest, by the rates and values of moving ones
    by_rate = _sum(N[:n, : drives + n], (N[:n, drives + n :], A), (U, H))
    by_value = _sum(np.zeros((n, F.shape[1])), (N[:n, drives + n :], B), (U, P), (W, F))
    T = _sum(rolls.T, (H[:, own], by_rate))
    Q = _sum(rolls.Q, (H[:, own], by_value), (rolls.T[:, own], N[:n]))
    M, C = found.mass[:, own], found.damping[:, own]
    return (
        Rolls(rolls.kinematic, F, P, Q, H, T, rolls.sizes),
        Rolling(
            mass=found.mass,
            damping=_sum(found.damping, (M, by_rate)),
            stiffness=_sum(found.stiffness, (C, N[:n]), (M, by_value)),
            A=A,
            B=B,
        ),
    )


def _sum(first: Matrix, *products: tuple[Matrix, Matrix]) -> Matrix:
    """Sum of a matrix and products of two, with entries of rounding size set to zero."""
    whole = first + sum(left @ right for left, right in products)
    size = np.abs(first) + sum(np.abs(left) @ np.abs(right) for left, right in products)
    return _cleaned(whole, size)


def _inverse(matrix: Matrix) -> Matrix:
    """Inverse with entries of rounding size set to zero."""
    inverse = np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    size = np.abs(inverse)
    return _cleaned(inverse, size @ np.abs(matrix) @ size)


def _cleaned(matrix: Matrix, size: Matrix) -> Matrix:
    """Matrix with entries of the size of the rounding of their terms set to zero."""
    return np.where(np.abs(matrix) > _ROUNDING * size, matrix, 0.0)


def _rows(
    arrays: LinearArrays, table: Matrix, rows: Sequence[Address], unit: float, internal: Matrix | None = None
) -> Matrix:
    """The rows of strains in a table over the coordinates that are not fixed, unit rows for coordinates."""
    layout, columns = arrays.layout, arrays.columns
    held = set(arrays.rows[: arrays.held])
    found = np.zeros((len(rows), columns.size))
    strains = [(r, layout.strain_index[a]) for r, a in enumerate(rows) if a.kind == "strain"]
    if strains:
        places, sources = np.array(strains).T
        found[places] = table[sources][:, columns]
    for r, address in enumerate(rows):
        if address.kind == "coordinate":
            found[r, columns == layout.coordinate_index[address]] = unit
        elif internal is not None and address.internal and address not in held:
            found[r] = internal[layout.strain_index[address]][columns]
    # directions are known to rounding only
    return _cleaned(found, 0.1 * np.abs(found).max(axis=1, keepdims=True, initial=0.0))
