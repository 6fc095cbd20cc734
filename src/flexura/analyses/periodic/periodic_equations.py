"""Linear equations with periodic coefficients, q̈ + P(t) q̇ + Q(t) q = r(t), by their Fourier series."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.results import fourier
from flexura.results.fourier import Array, Complex


@dataclass(frozen=True, eq=False)
class PeriodicEquations:
    """Equations [Schwab2002 (4.5)]; coefficients of harmonics -h … h are on the first axis."""

    frequency: float
    """ω = 2π/T in rad/s"""
    P: Complex
    Q: Complex
    r: Complex
    mass: Array
    """the mean of M, a measure of motions that is independent of the units of coordinates"""

    @staticmethod
    def sampled(
        M: Array, C: Array, K: Array, forcing: Array, period: float, rounding: float = 0.0
    ) -> PeriodicEquations:
        """Equations from M q̈ + C q̇ + K q = f at equally spaced times over a period [Schwab2002 (4.4)].

        A forcing nowhere larger than ``rounding`` counts as zero.
        """
        n = M.shape[-1]
        if np.abs(forcing).max() <= rounding:
            forcing = np.zeros_like(forcing)
        solved = np.linalg.solve(M, np.concatenate([C, K, forcing[:, :, None]], axis=2))
        series = fourier.coefficients(solved)
        return PeriodicEquations(
            frequency=2.0 * np.pi / period,
            P=series[:, :, :n],
            Q=series[:, :, n : 2 * n],
            r=series[:, :, 2 * n],
            mass=M.mean(axis=0),
        )

    @property
    def size(self) -> int:
        """Number n of coordinates."""
        return int(self.Q.shape[-1])

    @property
    def period(self) -> float:
        """T in s."""
        return 2.0 * np.pi / self.frequency

    @cached_property
    def unresolved(self) -> float:
        """Size of the last coefficients of all series, relative to the largest."""
        return max(self.unresolved_free, fourier.tail(self.r))

    @cached_property
    def unresolved_free(self) -> float:
        """Size of the last coefficients without the forcing; damping counts by its forces at the frequency ω."""
        return fourier.tail(np.concatenate([self.Q, self.frequency * self.P], axis=2))

    def harmonics(self, tolerance: float) -> int:
        """Highest harmonic of P and Q that is larger than a tolerance relative to the largest."""
        sizes = np.abs(np.concatenate([self.Q, self.frequency * self.P], axis=2)).max(axis=(1, 2))
        m = len(sizes) // 2
        return int(np.flatnonzero(sizes[m:] > tolerance * sizes.max(initial=0.0)).max(initial=0))

    def magnitude(self, q: Complex) -> Array:
        """Size of each harmonic of a motion, √(q*ᵀ M q)."""
        return np.asarray(np.sqrt(np.maximum(np.einsum("ki,ij,kj->k", q.conj(), self.mass, q).real, 0.0)))

    def homogeneous(self, t: Array) -> Array:
        """A(t) of ẏ = A y with y = (q, q̇) [Schwab2002 (4.8)], at any times."""
        P, Q = (fourier.evaluated(x, self.frequency * t) for x in (self.P, self.Q))
        return _first_order(P, Q)

    @cached_property
    def first_order(self) -> Complex:
        """Coefficients of A(t)."""
        found: Complex = _first_order(self.P, self.Q).astype(complex)
        unit = np.zeros(len(self.P))
        unit[len(self.P) // 2] = 1.0
        n = self.size
        found[:, :n, n:] = unit[:, None, None] * np.eye(n)
        return found


def _first_order(P: Array | Complex, Q: Array | Complex) -> Array:
    n = P.shape[-1]
    unit = np.broadcast_to(np.eye(n), P.shape)
    return np.concatenate([np.concatenate([0.0 * unit, unit], axis=2), np.concatenate([-Q, -P], axis=2)], axis=1)
