"""Minimal coordinates: positions, rates and accelerations as functions of the independent coordinates.

The transfer functions x = F(q) of zeroth to second order, the reduced equations of motion and the forces of the
constraints, in the words of [Schwab2002 (2.2)-(2.9), (A.23)-(A.37)] with dense matrices: the reference against which
the compiled formulation is tested, and the way to a consistent start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats, Ints
from flexura.errors import AnalysisError
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.dense_equations import dense_equations
from flexura.mechanics.motion.equations_of_motion import drive, track
from flexura.mechanics.preparation.mobility import Slopes, held
from flexura.model.names import Address

Matrix = NDArray[np.float64]

_STRIDE, _MOST_PIECES = 0.5, 5000
"""How far links can follow at once, in radians or halves of the model's size, and in how many pieces at most."""
_FOLLOWED = 0.1
"""A correction after which the next piece may come."""


@dataclass
class Transfer:
    """The transfer functions for one choice of independent coordinates."""

    layout: Layout
    system: System
    independent: tuple[Address, ...]
    rolling: bool = True
    """whether slips are held: those of rates, not of positions"""

    @property
    def held(self) -> list[Address]:
        """What is held."""
        return held(self.layout, self.rolling)

    @property
    def rows_held(self) -> Ints:
        """The rows of the system of these."""
        kept = {self.layout.strain_index[address] for address in self.held}
        return np.array([r for r, k in enumerate(self.system.rows.strain) if int(k) in kept], dtype=np.int64)

    def _values(self, x: Floats, addresses: Sequence[Address], slopes: Slopes) -> Floats:
        values = []
        for a in addresses:
            if a.kind == "coordinate":
                values.append(x[self.layout.coordinate_index[a]])
            else:
                values.append(slopes.out[slopes.table.strain[self.layout.strain_index[a]]])
        return np.array(values)

    def values(self, x: Floats, addresses: Sequence[Address]) -> Floats:
        """The values of signals at a position."""
        return self._values(x, addresses, Slopes(self.layout, self.system, x))

    def rows(self, x: Floats, addresses: Sequence[Address]) -> Matrix:
        """∂(signals)/∂(free coordinates)."""
        return Slopes(self.layout, self.system, x).of(addresses, scaled=False)

    def rates_of(self, x: Floats, v: Floats, addresses: Sequence[Address]) -> Floats:
        """The rates of signals at a state."""
        return Slopes(self.layout, self.system, x).rates(v, addresses)

    def slopes(self, x: Floats) -> tuple[Slopes, Matrix]:
        """D_I: ∂(held strains, independent coordinates)/∂(free coordinates)."""
        slopes = Slopes(self.layout, self.system, x)
        return slopes, slopes.of([*self.held, *self.independent], scaled=False)

    def position(self, q: Floats, t: float, x: Floats) -> Floats:
        """x = F(q) by Newton from a guess [Schwab2002 (A.43)]; long ways are taken in pieces."""
        x = x.copy()
        free, rows, kept = self.layout.free, self.system.rows, self.rows_held
        wanted = np.concatenate([np.zeros(len(kept)), q])
        pieces, done = self._pieces(t, x), 0
        for _ in range(200 + 20 * len(pieces)):
            drive(self.system, t, x, np.zeros_like(x), np.zeros_like(x))
            if done < len(pieces):
                x[self.system.driven.coordinate] = pieces[done]
            slopes, matrix = self.slopes(x)
            wanted[: len(kept)] = rows.position[kept]
            residual = self._values(x, [*self.held, *self.independent], slopes) - wanted
            if not np.all(np.isfinite(matrix)):
                size = np.inf
                break
            correction, *_ = np.linalg.lstsq(matrix, -residual, rcond=1e-12)
            size = np.abs(correction / slopes.scale).max(initial=0.0)
            x[free] += correction * min(1.0, 0.3 / size if size else 1.0)
            track(self.system, x, np.zeros_like(x))
            if done < len(pieces):
                done += bool(size < _FOLLOWED)
                continue
            if size < 1e-14:
                return x
            if size < 1e-9 and np.abs(residual).max(initial=0.0) < 1e-13 * self.layout.size:
                return x
        if size < 1e-8:
            return x
        names = ", ".join(str(a) for a in self.independent)
        raise AnalysisError(
            f"no position found in which the links fit together with the given values of {names or 'the inputs'}; "
            "check the start values and the inputs at the start, or draw the model nearer to that position"
        )

    def _pieces(self, t: float, x: Floats) -> Floats:
        """Driven coordinates on their way: at once, a link that is turned far might come out reversed."""
        layout, driven, there = self.layout, self.system.driven.coordinate, x.copy()
        drive(self.system, t, there, np.zeros_like(x), np.zeros_like(x))
        stride = [_STRIDE * (0.5 * layout.size if layout.unit(layout.coordinates[c]) == "m" else 1.0) for c in driven]
        count = int(min(np.ceil((np.abs(there - x)[driven] / stride).max(initial=0.0)), _MOST_PIECES))
        part = np.arange(1, count)[:, None] / max(count, 1)
        return np.asarray((1.0 - part) * x[driven] + part * there[driven])

    def velocity(self, rates: Floats, t: float, x: Floats) -> Floats:
        """ẋ = F′q̇ [Schwab2002 (A.25)]; driven coordinates follow their signals."""
        v = np.zeros_like(x)
        drive(self.system, t, x, v, np.zeros_like(x))
        slopes, matrix = self.slopes(x)
        rows = self.system.rows
        wanted = np.concatenate([rows.velocity, rates])
        right = wanted - self._known_rates(slopes, v)
        # what is at rest is so without a factorisation
        if right.any():
            v[self.layout.free], *_ = np.linalg.lstsq(matrix, right, rcond=1e-12)
        return v

    def acceleration(self, second: Floats, t: float, x: Floats, v: Floats) -> Floats:
        """ẍ = F′q̈ + g [Schwab2002 (A.31)-(A.32)]."""
        a = np.zeros_like(x)
        drive(self.system, t, x, v, a)
        call_level(self.system, self.system.motion, x, v)
        slopes, matrix = self.slopes(x)
        out, table = self.system.motion.out, self.system.slopes
        wanted = np.concatenate([self.system.rows.acceleration, second])
        convection = [
            out[table.convection[self.layout.strain_index[address]]] if address.kind == "strain" else 0.0
            for address in [*self.held, *self.independent]
        ]
        right = wanted - np.array(convection) - self._known_rates(slopes, a)
        a[self.layout.free] = np.linalg.lstsq(matrix, right, rcond=1e-12)[0]
        return a

    def _known_rates(self, slopes: Slopes, v: Floats) -> Floats:
        """What the driven coordinates put into the rates of the held strains and independent coordinates."""
        driven = v.copy()
        driven[self.layout.free] = 0.0
        return slopes.rates(driven, [*self.held, *self.independent])

    def first_order(self, x: Floats) -> Matrix:
        """F′: the columns of D_I⁻¹ that belong to the independent coordinates [Schwab2002 (A.27)]."""
        _, matrix = self.slopes(x)
        count = len(self.independent)
        return np.asarray(np.linalg.solve(matrix, np.eye(len(matrix))[:, len(matrix) - count :]), dtype=np.float64)

    def reduced(self, t: float, x: Floats, v: Floats) -> tuple[Matrix, Floats]:
        """M̄ and q̈ of the reduced equations of motion [Schwab2002 (A.35)]."""
        dense = dense_equations(self.layout, self.system, t, x, v)
        transfer = self.first_order(x)
        _, matrix = self.slopes(x)
        demand = np.concatenate([dense.demand, -self._convection()])
        g = np.linalg.solve(matrix, demand)
        mass = transfer.T @ dense.mass @ transfer
        right = transfer.T @ (dense.force - dense.mass @ g)
        return mass, np.asarray(np.linalg.solve(mass, right), dtype=np.float64)

    def _convection(self) -> Floats:
        """D″ẋẋ of the independent coordinates, after ``accelerate``."""
        out, table = self.system.motion.out, self.system.slopes
        return np.array(
            [
                out[table.convection[self.layout.strain_index[a]]] if a.kind == "strain" else 0.0
                for a in self.independent
            ]
        )
