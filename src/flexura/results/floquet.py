"""Stability of a periodic motion: characteristic exponents and multipliers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.errors import AnalysisError
from flexura.laws.units import Unit
from flexura.results.marks import Axes
from flexura.results.result import Result
from flexura.results.summary import MOST_ROWS, Summary

Complex = NDArray[np.complex128]

_REAL = 1e-4
"""Angle with the real axis below which a multiplier counts as real: the accuracy of coinciding multipliers."""

_TRIVIAL = 1e-4
"""Distance from 1 above which a multiplier is not the trivial one."""


class Floquet(Result):
    """Characteristic exponents λ and multipliers exp(λT) of a periodic motion, the least stable first.

    A solution is exp(λt) times a periodic function. Exponents are unique up to multiples of iω, and given with
    |Im λ| ≤ ω/2.
    """

    period: Annotated[float, Unit("s")]
    exponents: Annotated[Complex, Axes("root"), Unit("rad/s")]
    """λ in rad/s"""
    method: str
    """the method of computation, as text"""
    neutral: float
    """growth below this, in 1/s, may be rounding"""

    @property
    def multipliers(self) -> Annotated[Complex, Axes("root")]:
        """Factor of each solution after a period."""
        return np.exp(self.exponents * self.period)

    @property
    def growth(self) -> float:
        """The largest real part of the exponents, in 1/s."""
        return float(self.exponents.real.max(initial=-np.inf))

    @property
    def stable(self) -> bool:
        """True if no disturbance grows."""
        return self.growth <= self.neutral

    @property
    def critical(self) -> complex:
        """The multiplier of the least stable solution."""
        return complex(self.multipliers[0])

    @property
    def kind(self) -> str:
        """Kind of the bifurcation at which the critical multiplier crosses the unit circle."""
        return bifurcation(self.critical)

    def with_trivial(self) -> Floquet:
        """Exponents of an autonomous motion: the one nearest to zero is zero except for errors.

        Its distance from zero measures the error of all exponents; growth below twice that counts as rounding.
        """
        distance = float(np.abs(self.exponents).min(initial=np.inf))
        if distance * self.period > _TRIVIAL:
            what = f"the multiplier 1 of a motion that nothing drives in time is missed by {distance * self.period:.1g}"
            raise AnalysisError(f"{what} ({self.method}): nothing is known of the stability; tighten the tolerance")
        return replace(self, neutral=max(self.neutral, 2.0 * distance))

    @property
    def verdict(self) -> str:
        """Stability as text."""
        if self.stable:
            return f"stable: growth {self.growth:.4g} 1/s"
        return f"unstable, beyond a {self.kind}: growth {self.growth:.4g} 1/s"

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Exponents and sizes of the multipliers."""
        heads = ("growth [1/s]", "frequency [rad/s]", "size of the multiplier")
        rows = tuple(
            (f"{value.real:.6g}", f"{value.imag:.6g}", f"{abs(multiplier):.6g}")
            for value, multiplier in zip(self.exponents, self.multipliers, strict=True)
        )
        return Summary(self.verdict, heads, rows[:MOST_ROWS], heads)

    def __repr__(self) -> str:
        return f"<Floquet: {'stable' if self.stable else 'unstable'}, growth {self.growth:.4g} 1/s>"

    def __str__(self) -> str:
        lines = [f"{'stable' if self.stable else 'unstable'}, period {self.period:g} s ({self.method})"]
        for value, multiplier in zip(self.exponents[:12], self.multipliers[:12], strict=True):
            there = f"{multiplier.real: .6g} {multiplier.imag:+.6g}i"
            lines.append(f"  {value.real: .6g} {value.imag:+.6g}i 1/s  multiplier {there}")
        return "\n".join(lines)


def bifurcation(multiplier: complex) -> str:
    """Name of the bifurcation at which this multiplier crosses the unit circle.

    At +1 a fold (with symmetry a pitchfork, or a transcritical exchange), at -1 a flip, as a complex pair a
    Neimark–Sacker bifurcation.
    """
    if abs(multiplier.imag) > _REAL * abs(multiplier):
        return "Neimark–Sacker"
    return "fold" if multiplier.real > 0.0 else "flip"
