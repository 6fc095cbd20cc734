"""Basis of the rows of signals, extended signal by signal, by dense factors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr, svd

from flexura.mechanics.core.constitution import DRIVEN
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.preparation.signal_slopes import Slopes
from flexura.model.names import Address

Matrix = NDArray[np.float64]

SMALL = 1e-7
"""Sine of the angle to the other rows below which a held strain is redundant: pivots are proportional to its square."""


def release_cost(layout: Layout, signal: Address) -> float:
    """Priority of a held strain against being released: rotations are released before displacements, inputs last."""
    if layout.strain_class[layout.strain_index[signal]] == DRIVEN:
        return 1e6
    return 1e4 if signal.internal else 10.0 if layout.unit(signal) == "m" else 1.0


class RowBasis(Protocol):
    """Rows of signals that are independent of each other."""

    def hold(self, signals: Sequence[Address]) -> list[int]:
        """Start with held strains; returns the number of redundant ones."""

    def dependent(self, signals: Sequence[Address]) -> list[Address]:
        """Constrained strains that are dependent."""

    def surplus(self, signals: Sequence[Address], excess: int) -> list[Address]:
        """Redundant held strains, in the number of the excess: without them the others are independent."""

    def extend(self, signals: Sequence[Address], wanted: int, least: float) -> list[Address]:
        """Add at most ``wanted`` signals whose rows have at least this sine of the angle to the basis."""


class DenseBasis:
    """Orthonormal rows; the most independent signals are chosen first."""

    def __init__(self, slopes: Slopes) -> None:
        self.slopes = slopes
        self.rows: Matrix = np.zeros((0, slopes.scale.size))

    def hold(self, signals: Sequence[Address]) -> list[int]:
        """Start with held strains, by a rank-revealing factorisation."""
        rows = self.slopes.of(signals)
        if not rows.size:
            return list(range(len(signals)))
        q, r, order = qr(rows.T, mode="economic", pivoting=True)
        sizes = np.abs(np.diag(r))
        rank = int(np.sum(sizes > SMALL * max(sizes.max(), 1.0)))
        self.rows = q[:, :rank].T
        return [int(k) for k in order[rank:]]

    def dependent(self, signals: Sequence[Address]) -> list[Address]:
        """Signals in the smallest combinations, as many as ``hold`` finds redundant."""
        excess = len(DenseBasis(self.slopes).hold(signals))
        *_, right = svd(self.slopes.of(signals).T)
        combination = np.abs(right[len(signals) - excess :]).max(axis=0, initial=0.0)
        return [a for a, c in zip(signals, combination, strict=True) if c > 1e-6]

    def surplus(self, signals: Sequence[Address], excess: int) -> list[Address]:
        """Signals that a rank-revealing factorisation takes last."""
        weights = np.array([release_cost(self.slopes.layout, a) for a in signals])
        _, _, order = qr(self.slopes.of(signals).T * weights, mode="economic", pivoting=True)
        return [signals[k] for k in sorted(order[len(signals) - excess :])]

    def extend(self, signals: Sequence[Address], wanted: int, least: float) -> list[Address]:
        """Choose the most independent signals first, by the sine of the angle."""
        rows = self.slopes.of(signals)
        rows /= np.maximum(np.linalg.norm(rows, axis=1), 1e-300)[:, None]
        rest = rows - (rows @ self.rows.T) @ self.rows
        rest -= (rest @ self.rows.T) @ self.rows
        q, r, order = qr(rest.T, mode="economic", pivoting=True)
        count = min(int(np.sum(np.abs(np.diag(r)) > least)), wanted)
        self.rows = np.vstack([self.rows, q[:, :count].T])
        return [signals[i] for i in order[:count]]
