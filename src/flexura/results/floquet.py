"""How small disturbances of a periodic motion grow or die out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.complex128]

_REAL = 1e-4
"""A multiplier whose angle with the real axis is smaller is real; two that meet there are only known so well."""

_TRIVIAL = 1e-4
"""A multiplier farther from 1 than this is not the trivial one."""


@dataclass(frozen=True, eq=False, repr=False)
class Floquet:
    """Characteristic exponents λ and multipliers exp(λT) of a periodic motion, the least stable first.

    A solution is exp(λt) times a periodic function. Exponents are known but for multiples of iω, and given with
    |Im λ| ≤ ω/2.
    """

    period: float
    exponents: Complex
    """λ in rad/s"""
    method: str
    """how they were computed, in words"""
    neutral: float
    """growth below this, in 1/s, may be rounding"""

    @property
    def multipliers(self) -> Complex:
        """What is left of each solution after a period."""
        return np.exp(self.exponents * self.period)

    @property
    def growth(self) -> float:
        """The largest real part of the exponents, in 1/s."""
        return float(self.exponents.real.max(initial=-np.inf))

    @property
    def stable(self) -> bool:
        """Whether no disturbance grows."""
        return self.growth <= self.neutral

    @property
    def critical(self) -> complex:
        """The multiplier of the least stable solution."""
        return complex(self.multipliers[0])

    @property
    def kind(self) -> str:
        """How stability is lost where the critical multiplier passes the unit circle."""
        return bifurcation(self.critical)

    def with_trivial(self) -> Floquet:
        """Exponents of a motion that nothing drives in time: the one nearest to zero is zero but for errors.

        Its distance from zero measures the error of all of them, and growth below twice that is taken for rounding.
        """
        distance = float(np.abs(self.exponents).min(initial=np.inf))
        if distance * self.period > _TRIVIAL:
            return self
        return replace(self, neutral=max(self.neutral, 2.0 * distance))

    def __repr__(self) -> str:
        return f"<Floquet: {'stable' if self.stable else 'unstable'}, growth {self.growth:.4g} 1/s>"

    def __str__(self) -> str:
        lines = [f"{'stable' if self.stable else 'unstable'}, period {self.period:g} s ({self.method})"]
        for value, multiplier in zip(self.exponents[:12], self.multipliers[:12], strict=True):
            there = f"{multiplier.real: .6g} {multiplier.imag:+.6g}i"
            lines.append(f"  {value.real: .6g} {value.imag:+.6g}i 1/s  multiplier {there}")
        return "\n".join(lines)


def bifurcation(multiplier: complex) -> str:
    """The name of what happens where this multiplier passes the unit circle.

    At +1 a fold (with symmetry a pitchfork, or a transcritical exchange), at -1 a flip, as a complex pair a
    Neimark–Sacker bifurcation.
    """
    if abs(multiplier.imag) > _REAL * abs(multiplier):
        return "Neimark–Sacker"
    return "fold" if multiplier.real > 0.0 else "flip"
