"""What all motions that repeat have in common: harmonics, amplitudes, stability."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.results import fourier, pictures
from flexura.results.floquet import Floquet

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


class Repeating:
    """A motion that repeats after a ``period``; what it is made of is said by those who inherit."""

    period: float
    coefficients: Complex

    @property
    def title(self) -> str:
        """The title of the model."""
        raise NotImplementedError

    def series(self, signal: str, quasistatic: bool = False) -> Complex:
        """The complex harmonics 0 … m of a signal."""
        raise NotImplementedError

    def judged(self, method: Any) -> Floquet:
        """Exponents by a method, or by the best if none is given."""
        raise NotImplementedError

    @property
    def frequency(self) -> float:
        """ω = 2π/T in rad/s."""
        return 2.0 * np.pi / self.period

    @property
    def harmonics(self) -> int:
        """The highest harmonic m."""
        return len(self.coefficients) // 2

    def amplitudes(self, signal: str, quasistatic: bool = False) -> Array:
        """The size of the harmonics 0 … m of a signal."""
        found = 2.0 * np.abs(self.series(signal, quasistatic))
        found[0] /= 2.0
        return found

    def extremes(self, signal: str) -> tuple[float, float]:
        """The least and the largest value of a signal."""
        half = self.series(signal)
        return fourier.extremes(np.concatenate([half[:0:-1].conj(), half]))

    def amplitude(self, signal: str) -> float:
        """Half of the range of a signal."""
        least, most = self.extremes(signal)
        return 0.5 * (most - least)

    @cached_property
    def floquet(self) -> Floquet:
        """Exponents and multipliers of small disturbances, from the monodromy matrix."""
        return self.judged(None)

    def stability(self, method: Any = None) -> Floquet:
        """The same by a method: ``Hill()``, ``DirectIntegration()``, ``Averaging()``."""
        return self.floquet if method is None else self.judged(method)

    @property
    def exponents(self) -> Complex:
        """λ in rad/s, the least stable first."""
        return self.floquet.exponents

    @property
    def multipliers(self) -> Complex:
        """What is left of each disturbance after a period."""
        return self.floquet.multipliers

    @property
    def stable(self) -> bool:
        """Whether no disturbance grows."""
        return self.floquet.stable

    @property
    def verdict(self) -> str:
        """Stability in words."""
        kind = "" if self.stable else f", beyond a {self.floquet.kind}"
        return f"{'stable' if self.stable else 'unstable'}: growth {self.floquet.growth:.4g} 1/s{kind}"

    def plot_exponents(self, path: str | None = None) -> Any:
        """The exponents in the complex plane, and the multipliers in the unit circle."""
        return pictures.finish(pictures.drawer("exponents")(self.floquet, self.title), path)

    def plot_harmonics(self, *signals: str, path: str | None = None) -> Any:
        """The harmonics of signals; of small vibrations, beside those that the mean stiffness alone would allow."""
        return pictures.finish(pictures.drawer("harmonics")(self, *signals), path)
