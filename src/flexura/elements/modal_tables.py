"""Constants of a substructure as numbers of an element: those that are not zero, by name.

Symmetric parts have many zeros. An entry (i, k, l) of the table ``G1`` is the number ``G1_i_k_l``; zero entries
have none, so that the kernels do not compute with them. The last index or the last two count the coordinates q.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.algebra import Vector, atom

Row = dict[tuple[int, ...], Any]
"""Entries by what is left of their indices."""

PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
"""Entries of a symmetric tensor."""

_LAST = {"shift": 1, "shift2": 2, "I1": 1, "I2": 2, "G": 1, "G1": 1, "M": 1, "tie": 1, "tie2": 2}
"""Number of indices of an entry that count the coordinates of its row."""

_ZERO = 3e-9
"""Entries, in units of the largest possible or of the largest there is, that are zero."""


def tables(content: Mapping[str, NDArray[np.float64]], stiffening: bool) -> dict[str, float]:
    """Numbers of all tables of a substructure."""
    c, size = content, len(content["stiffness"])
    if not size:
        return {}
    mass, turning = float(c["mass"]), float(np.trace(c["inertia"]))
    unit = np.sqrt(np.diag(c["modal_mass"] + mass * c["shift"].T @ c["shift"]))
    unit = np.maximum(unit, 1e-6 * unit.max())  # shapes without mass
    both, stiffens = np.outer(unit, unit), stiffening and "ties_2" in c
    found: dict[str, float] = {}

    def put(name: str, array: Any, largest: Any, upper: bool = False) -> None:
        if upper:  # symmetric in the last two: one of each pair, doubled
            array = np.triu(array) + np.triu(np.swapaxes(array, -1, -2), 1)
        kept = np.abs(array) > _ZERO * largest
        for at in zip(*np.nonzero(kept), strict=True):
            found["_".join([name, *map(str, at)])] = float(array[at])

    put("shift", c["shift"], np.sqrt(1.0 / mass) * unit)
    put("I1", np.array([c["inertia_1"][:, i, j] for i, j in PAIRS]), np.sqrt(turning) * unit)
    second = c["inertia_2"] + (c["stiffening"] if stiffens else 0.0)
    put("I2", np.array([second[:, :, i, j] for i, j in PAIRS]), both, upper=True)
    put("G", c["coupling"], np.sqrt(turning) * unit)
    put("G1", c["coupling_1"], both)
    put("M", np.tril(c["modal_mass"]), both)
    put("tie", c["ties"], _largest(c["ties"], unit))
    if stiffens:
        put("shift2", c["centre_2"], _largest(c["centre_2"], both), upper=True)
        put("tie2", c["ties_2"], _largest(c["ties_2"], both), upper=True)
    return found


def _largest(array: NDArray[np.float64], units: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest entry in units of the coordinates, back in those of each entry."""
    return np.asarray(np.abs(array / units).max(initial=0.0) * units)


def without_rounding(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """A positive semidefinite matrix with zeros for entries that are rounding beside their bound, the diagonal."""
    root = np.sqrt(np.diag(matrix))
    return np.where(np.abs(matrix) > _ZERO * np.outer(root, root), matrix, 0.0)


def table_of(numbers: Mapping[str, Any], name: str) -> dict[tuple[int, ...], Row]:
    """Entries of a table, by their first indices and then by those that count coordinates."""
    found: dict[tuple[int, ...], Row] = {}
    for key, value in numbers.items():
        head, *indices = key.split("_")
        if head == name and indices:
            at = tuple(map(int, indices))
            found.setdefault(at[: -_LAST[name]], {})[at[-_LAST[name] :]] = value
    return found


def linear(row: Row, q: Vector) -> Any:
    """Σ row_k q_k"""
    return sum((value * q[k] for (k,), value in row.items()), 0.0)


def quadratic(row: Row, q: Vector) -> Any:
    """Σ row_kl q_k q_l over k ≤ l"""
    inner: dict[int, Any] = {}
    for (k, l), value in row.items():
        inner[k] = inner.get(k, 0.0) + value * q[l]
    return sum((q[k] * atom(part) for k, part in inner.items()), 0.0)
