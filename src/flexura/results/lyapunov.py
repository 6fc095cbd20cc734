"""How fast neighbouring motions part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.results import pictures

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
        """The standard error of the exponent, from equal parts of the time: eight, or more where it is long."""
        parts = int(np.clip(len(self.t) // 16, 8, 32))
        at = np.interp(np.linspace(self.t[0], self.t[-1], parts + 1), self.t, self.growth)
        rates = np.diff(at) / (self.t[-1] - self.t[0]) * parts
        return float(np.std(rates, ddof=1) / np.sqrt(parts))

    @property
    def running(self) -> Array:
        """The exponent as it was found up to each of the times after the first, in 1/s."""
        return np.asarray((self.growth[1:] - self.growth[0]) / (self.t[1:] - self.t[0]))

    @property
    def chaotic(self) -> bool:
        """Whether neighbours part, beyond doubt."""
        return self.exponent > 3.0 * self.error

    def plot(self, path: str | None = None) -> Any:
        """How the exponent settles over time, with its standard error; written to ``path`` if given."""
        return pictures.finish(pictures.drawer("lyapunov")(self), path)

    def __str__(self) -> str:
        verdict = "neighbouring motions part" if self.chaotic else "neighbouring motions stay together"
        return f"{self.title or 'Lyapunov'}: exponent {self.exponent:.4g} ± {self.error:.1g} 1/s, {verdict}"
