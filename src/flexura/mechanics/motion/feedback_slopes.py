"""Derivatives of loads and states that depend on signals, for linear equations and for statics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Ints
from flexura.mechanics.core.law_calls import SLOPE, follow_signals
from flexura.mechanics.core.system import System

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Fed:
    """Δu = by_x Δx + by_v Δẋ of the loads and rates of states u that depend on signals, over all coordinates."""

    by_x: Matrix
    by_v: Matrix
    work: Matrix
    """∂(loaded quantity)/∂x: the force of u is workᵀu"""

    @property
    def balance(self) -> tuple[Matrix, Matrix]:
        """(∂R/∂ẋ, ∂R/∂x) of R = M ẍ + h + D′ᵀσ - f, with constant directions of the loads."""
        return -self.work.T @ self.by_v, -self.work.T @ self.by_x


def slopes_of(s: System) -> Matrix:
    """∂u/∂(signal) at the state of the last stresses: one row for each load, one column for each signal."""
    f, registers = s.feedback, s.program.registers
    follow_signals(s.program, f.laws, f.span, SLOPE)
    by_value = np.zeros((len(f.load), len(f.signal)))
    for load, signal, register in f.slope:
        by_value[load, signal] = registers[register]
    return by_value


def fed(s: System, by_value: Matrix, slope: Matrix, rate_x: Matrix) -> Fed:
    """Derivatives over all coordinates, from those by signals and from ∂ε/∂x and ∂(D′ẋ)/∂x of all strains."""
    f = s.feedback
    rated = f.signal[:, 2] == 1
    rows, moved = _rows(f.signal, slope), _rows(f.signal, rate_x, unit=0.0)
    plain, rates = by_value * ~rated, by_value * rated
    return Fed(plain @ rows + rates @ moved, rates @ rows, _rows(f.load, slope).reshape(-1, slope.shape[1]))


def _rows(signals: Ints, table: Matrix, unit: float = 1.0) -> Matrix:
    """Rows of strains in a table over the coordinates, and unit rows for coordinates."""
    rows = np.zeros((len(signals), table.shape[1]))
    for row, (strain, which, *_) in zip(rows, signals, strict=True):
        if strain:
            row[:] = table[which]
        else:
            row[which] = unit
    return rows
