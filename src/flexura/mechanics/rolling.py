"""Linear equations of systems that roll: fewer rates than positions.

The slips that are held restrict the rates ẋ = H q̇_d, not the positions Δx = F q with q = (q_d, q_k): the kinematic
coordinates q_k follow the motion by q̇_k = A q̇_d + B q. With D_J the slopes of held strains, held slips, drives and
independent coordinates, and D_L those with the kinematic coordinates in place of the slips [Schwab2002 (A.98)-(A.118)],

    Δẋ = H q̇_d + P q,    Δẍ = H q̈_d + T q̇_d + Q q
    P = -D_J⁻¹ (D_J ẋ)_x F,    T = -D_J⁻¹ (D̈_J)_ẋ H,    Q = -D_J⁻¹ [(D̈_J)_x F + (D̈_J)_ẋ P]

and the balance of forces is Hᵀ(M Δẍ + R_ẋ Δẋ + R_x Δx) = 0. Quasi-derivatives of slips are not symmetric, so that
(D̈_J)_ẋ is not twice (D_J ẋ)_x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.mechanics.linear_arrays import LinearArrays
from flexura.mechanics.linear_tables import Tables
from flexura.model.names import Address

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Rolling:
    """M q̈_d + C q̇_d + K q = force, q̇_k = A q̇_d + B q; columns of q: independent, then kinematic coordinates."""

    kinematic: tuple[Address, ...]
    mass: Matrix
    damping: Matrix
    stiffness: Matrix
    A: Matrix
    B: Matrix
    H: Matrix
    """over the coordinates that are not fixed, for the independent coordinates"""


def rolling(arrays: LinearArrays, tables: Tables, kinematic: tuple[Address, ...]) -> Rolling:
    """At the state of the tables."""
    layout, columns = arrays.layout, arrays.columns
    n = len(arrays.independent)
    slips = {layout.strains[k] for k in layout.rolling}
    lean = [address for address in arrays.rows if address not in slips]
    D_J, D_L = (_rows(arrays, tables.slope, rows, 1.0) for rows in (arrays.rows, [*lean, *kinematic]))
    G = np.asarray(np.linalg.inv(D_J), dtype=np.float64)
    H = G[:, len(G) - n :]
    F = np.asarray(np.linalg.inv(D_L), dtype=np.float64)[:, len(G) - n - len(kinematic) :]
    # small rotations that are coordinates change with the nominal motion, not with themselves
    first = _rows(arrays, tables.rate_x, arrays.rows, 0.0, tables.transport)
    second_x = _rows(arrays, tables.second_x, arrays.rows, 0.0, tables.transport_rate)
    second_v = _rows(arrays, tables.second_v, arrays.rows, 0.0, 2.0 * tables.transport)
    P = -G @ first @ F
    T = -G @ second_v @ H
    Q = -G @ (second_x @ F + second_v @ P)
    grid = np.ix_(columns, columns)
    M, R_v, R_x = (table[grid] for table in (tables.mass, tables.force_v, tables.force_x))
    own = _rows(arrays, tables.slope, list(kinematic), 1.0)
    return Rolling(
        kinematic=kinematic,
        mass=H.T @ M @ H,
        damping=H.T @ (R_v @ H + M @ T),
        stiffness=H.T @ (R_x @ F + R_v @ P + M @ Q),
        A=own @ H,
        B=own @ P + _rows(arrays, tables.rate_x, list(kinematic), 0.0, tables.transport) @ F,
        H=H,
    )


def _rows(
    arrays: LinearArrays, table: Matrix, rows: list[Address], unit: float, internal: Matrix | None = None
) -> Matrix:
    """The rows of strains in a table over the coordinates that are not fixed, unit rows for coordinates."""
    layout, columns = arrays.layout, arrays.columns
    found = np.zeros((len(rows), columns.size))
    for row, address in zip(found, rows, strict=True):
        if address.kind == "coordinate":
            row[columns == layout.coordinate_index[address]] = unit
        else:
            source = (
                internal
                if internal is not None and address.internal and address not in arrays.rows[: arrays.held]
                else table
            )
            row[:] = source[layout.strain_index[address]][columns]
    return found
