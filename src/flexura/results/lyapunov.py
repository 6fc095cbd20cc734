"""How fast neighbouring motions part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lyapunov:
    """The largest exponent of Lyapunov: neighbours part as exp(exponent · t) where it is positive.

    ``growth`` has, at the times ``t``, the logarithm of how much the distance of neighbours has grown since the first.
    """

    title: str
    t: Array
    growth: Array

    @property
    def exponent(self) -> float:
        """In 1/s: the mean rate of growth."""
        return float((self.growth[-1] - self.growth[0]) / (self.t[-1] - self.t[0]))

    @property
    def error(self) -> float:
        """The standard error of the exponent, from eight equal parts of the time."""
        at = np.interp(np.linspace(self.t[0], self.t[-1], 9), self.t, self.growth)
        rates = np.diff(at) / (self.t[-1] - self.t[0]) * 8.0
        return float(np.std(rates, ddof=1) / np.sqrt(8.0))

    @property
    def chaotic(self) -> bool:
        """Whether neighbours part, beyond doubt."""
        return self.exponent > 3.0 * self.error

    def __str__(self) -> str:
        verdict = "neighbouring motions part" if self.chaotic else "neighbouring motions stay together"
        return f"{self.title or 'Lyapunov'}: exponent {self.exponent:.4g} ± {self.error:.1g} 1/s, {verdict}"
