"""Minimal coordinates: positions, rates and accelerations as functions of the independent coordinates.

The transfer functions x = F(q) of zeroth to second order, the reduced equations of motion and the forces of the
constraints, following [Schwab2002 (2.2)-(2.9), (A.23)-(A.37)] with dense matrices: the reference against which
the compiled formulation is tested, and the computation of a consistent start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats, Ints
from flexura.errors import AnalysisError
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.dense_equations import dense_equations
from flexura.mechanics.motion.equations_of_motion import drive, track
from flexura.mechanics.preparation.signal_slopes import SignalIndex, Slopes, held
from flexura.mechanics.preparation.sparse_solution import solved
from flexura.model.names import Address

Matrix = NDArray[np.float64]

_STRIDE, _MOST_PIECES = 0.5, 5000
"""Largest change of position in one piece, in radians or halves of the model's size, and largest number of pieces."""
_FOLLOWED = 0.1
"""Correction below which the next increment may follow."""
_TRIALS = 60
"""Corrections in one increment before it counts as failed."""


@dataclass
class Transfer:
    """Transfer functions for one choice of independent coordinates."""

    layout: Layout
    system: System
    independent: tuple[Address, ...]
    rolling: bool = True
    """true if held slips are included: for rates, not for positions"""
    _last: tuple[bytes, bytes, Slopes] | None = field(default=None, init=False, repr=False, compare=False)

    @cached_property
    def held(self) -> list[Address]:
        """Constrained signals."""
        return held(self.layout, self.rolling)

    @cached_property
    def signals(self) -> SignalIndex:
        """The held strains and the independent coordinates."""
        return SignalIndex.of(self.layout, [*self.held, *self.independent])

    @cached_property
    def rows_held(self) -> Ints:
        """Rows of the held strains in the system."""
        kept = {self.layout.strain_index[address] for address in self.held}
        return np.array([r for r, k in enumerate(self.system.rows.strain) if int(k) in kept], dtype=np.int64)

    def slopes_at(self, x: Floats) -> Slopes:
        """Slopes of signals in a position; those of the last position are cached."""
        place, numbers = x.tobytes(), self.system.number.tobytes()
        if self._last is None or self._last[:2] != (place, numbers):
            self._last = place, numbers, Slopes(self.layout, self.system, x)
        return self._last[2]

    def values(self, x: Floats, addresses: Sequence[Address]) -> Floats:
        """The values of signals at a position."""
        return Slopes(self.layout, self.system, x).values(x, SignalIndex.of(self.layout, addresses))

    def rows(self, x: Floats, addresses: Sequence[Address]) -> Matrix:
        """∂(signals)/∂(free coordinates)."""
        return Slopes(self.layout, self.system, x).of(addresses, scaled=False)

    def rates_of(self, x: Floats, v: Floats, addresses: Sequence[Address]) -> Floats:
        """The rates of signals at a state."""
        return Slopes(self.layout, self.system, x).rates(v, SignalIndex.of(self.layout, addresses))

    def slopes(self, x: Floats) -> Matrix:
        """D_I: ∂(held strains, independent coordinates)/∂(free coordinates)."""
        return self.rows(x, [*self.held, *self.independent])

    def position(self, q: Floats, t: float, x: Floats) -> Floats:
        """x = F(q) by Newton's method from a guess [Schwab2002 (A.43)]; long distances are divided into increments."""
        x = x.copy()
        free, rows, kept = self.layout.free, self.system.rows, self.rows_held
        wanted = np.concatenate([np.zeros(len(kept)), q])
        pieces, done, trials = self._pieces(t, x), 0, 0
        for _ in range(200 + 20 * len(pieces)):
            drive(self.system, t, x, np.zeros_like(x), np.zeros_like(x))
            if done < len(pieces):
                x[self.system.driven.coordinate] = pieces[done]
            slopes = Slopes(self.layout, self.system, x)
            wanted[: len(kept)] = rows.position[kept]
            residual = slopes.values(x, self.signals) - wanted
            if not residual.any() and done >= len(pieces):
                track(self.system, x, np.zeros_like(x))
                return x
            matrix = slopes.matrix(self.signals)
            if not np.all(np.isfinite(matrix if isinstance(matrix, np.ndarray) else matrix.data)):
                size = np.inf
                break
            correction = solved(matrix, -residual)
            size = np.abs(correction / slopes.scale).max(initial=0.0)
            x[free] += correction * (0.3 / size if size > 0.3 else 1.0)
            track(self.system, x, np.zeros_like(x))
            if done < len(pieces):
                done, trials = (done + 1, 0) if size < _FOLLOWED else (done, trials + 1)
                if trials > _TRIALS:
                    size = np.inf
                    break
                continue
            if size < 1e-14:
                return x
            if size < 1e-9 and np.abs(residual).max(initial=0.0) < 1e-13 * self.layout.size:
                return x
        if size < 1e-8:
            return x
        names = ", ".join(str(a) for a in self.independent)
        raise AnalysisError(
            f"the links cannot be assembled with the given values of {names or 'the inputs'}; "
            "check the start values and the inputs at the start, or draw the model nearer to that position"
        )

    def _pieces(self, t: float, x: Floats) -> Floats:
        """Increments of the driven coordinates: in one step, a link turned far could come out in another assembly."""
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
        slopes = self.slopes_at(x)
        wanted = np.concatenate([self.system.rows.velocity, rates])
        right = wanted - self._known_rates(slopes, v)
        # at rest no factorisation is needed
        if right.any():
            v[self.layout.free] = solved(slopes.matrix(self.signals), right)
        return v

    def acceleration(self, second: Floats, t: float, x: Floats, v: Floats) -> Floats:
        """ẍ = F′q̈ + g [Schwab2002 (A.31)-(A.32)]."""
        a = np.zeros_like(x)
        drive(self.system, t, x, v, a)
        call_level(self.system, self.system.motion, x, v)
        slopes = Slopes(self.layout, self.system, x)
        wanted = np.concatenate([self.system.rows.acceleration, second])
        convection = np.zeros(self.signals.number)
        sources = self.system.slopes.convection[self.signals.strain]
        convection[self.signals.on_strains] = self.system.motion.out[sources]
        right = wanted - convection - self._known_rates(slopes, a)
        a[self.layout.free] = solved(slopes.matrix(self.signals), right)
        return a

    def _known_rates(self, slopes: Slopes, v: Floats) -> Floats:
        """Contributions of driven coordinates to the rates of the held strains and independent coordinates."""
        driven = v.copy()
        driven[self.layout.free] = 0.0
        return slopes.rates(driven, self.signals) if driven.any() else np.zeros(self.signals.number)

    def first_order(self, x: Floats) -> Matrix:
        """F′: the columns of D_I⁻¹ that belong to the independent coordinates [Schwab2002 (A.27)]."""
        matrix = self.slopes(x)
        count = len(self.independent)
        return np.asarray(np.linalg.solve(matrix, np.eye(len(matrix))[:, len(matrix) - count :]), dtype=np.float64)

    def reduced(self, t: float, x: Floats, v: Floats) -> tuple[Matrix, Floats]:
        """M̄ and q̈ of the reduced equations of motion [Schwab2002 (A.35)]."""
        dense = dense_equations(self.layout, self.system, t, x, v)
        transfer = self.first_order(x)
        matrix = self.slopes(x)
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
