"""Contract of periodic motions: harmonics, amplitudes, stability."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import zip_longest
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.model.mentions import SIGNAL
from flexura.results import figure_registry, fourier
from flexura.results.figures import figure
from flexura.results.floquet import Floquet
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import MOST_ROWS, Summary

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

EXPONENTS = Annotated[bool, Unit("", "draw exponents and multipliers")]
HARMONICS = Annotated[Sequence[str], Unit("", "signals whose harmonics to draw"), SIGNAL]
SHOWN = 5
"""Harmonics in a table."""


class Repeating(Result, abstract=True):
    """Motion that repeats after a ``period``."""

    period: Annotated[float, Unit("s")]
    coordinates: Annotated[tuple[str, ...], Labels("coordinate")]
    """names of the independent coordinates"""
    coefficients: Annotated[Complex, Axes("harmonic", "coordinate")]
    """of the independent coordinates, one row for each of the harmonics -m … m"""

    @property
    @abstractmethod
    def title(self) -> str:
        """The title of the model."""

    @property
    @abstractmethod
    def floquet(self) -> Floquet:
        """Exponents and multipliers of small disturbances, from the monodromy matrix."""

    @abstractmethod
    def unit(self, signal: str) -> str:
        """The unit of a signal."""

    @abstractmethod
    def series(self, signal: str, quasistatic: bool = False) -> Complex:
        """The complex harmonics 0 … m of a signal."""

    @abstractmethod
    def judged(self, method: Any) -> Floquet:
        """Exponents by a method."""

    @property
    def frequency(self) -> float:
        """ω = 2π/T in rad/s."""
        return 2.0 * np.pi / self.period

    @property
    def orders(self) -> Annotated[NDArray[np.int64], Labels("harmonic")]:
        """Orders of the harmonics of ``coefficients``."""
        return np.arange(-self.harmonics, self.harmonics + 1)

    @property
    def harmonics(self) -> int:
        """The highest harmonic m."""
        return len(self.coefficients) // 2

    def amplitudes(self, signal: str, quasistatic: bool = False) -> Array:
        """Sizes of the harmonics 0 … m of a signal."""
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

    def stability(self, method: Any = None) -> Floquet:
        """Exponents and multipliers by a method: ``Hill()``, ``DirectIntegration()``, ``Averaging()``."""
        return self.floquet if method is None else self.judged(method)

    @property
    def exponents(self) -> Annotated[Complex, Axes("root"), Unit("rad/s")]:
        """λ in rad/s, the least stable first."""
        return self.floquet.exponents

    @property
    def multipliers(self) -> Annotated[Complex, Axes("root")]:
        """Factor of each disturbance after a period."""
        return self.floquet.multipliers

    @property
    def stable(self) -> bool:
        """True if no disturbance grows."""
        return self.floquet.stable

    @property
    def verdict(self) -> str:
        """Stability as text."""
        kind = "" if self.stable else f", beyond a {self.floquet.kind}"
        return f"{'stable' if self.stable else 'unstable'}: growth {self.floquet.growth:.4g} 1/s{kind}"

    @figure("exponents", EXPONENTS, "_exponents.png", default=False)
    def plot_exponents(self, path: str | None = None) -> Any:
        """The exponents in the complex plane, and the multipliers in the unit circle."""
        return figure_registry.finish(figure_registry.drawer("exponents")(self.floquet, self.title), path)

    @figure("spectrum", HARMONICS, "_harmonics.png")
    def plot_harmonics(self, *signals: str, path: str | None = None) -> Any:
        """The harmonics of signals; of small vibrations, beside those that the mean stiffness alone would allow."""
        return figure_registry.finish(figure_registry.drawer("harmonics")(self, *signals), path)

    def _listed(self, size: str, signals: Sequence[str]) -> Summary:
        """Table of the amplitudes of signals, under the heading ``size``, and of their first harmonics."""
        rows = []
        for name in (tuple(dict.fromkeys(signals)) or self.coordinates)[:MOST_ROWS]:
            sizes = self.amplitudes(name)[: SHOWN + 1]
            parts = (f"{part:.4g}" for _, part in zip_longest(range(SHOWN + 1), sizes, fillvalue=0.0))
            rows.append((name, self.unit(name) or "1", f"{self.amplitude(name):.6g}", *parts))
        heads = (size, "mean", *(f"{order}ω" for order in range(1, SHOWN + 1)))
        said = f"{self.period:.6g} s, {self.harmonics} harmonics, {self.floquet.verdict}"
        return Summary(said, ("signal", "unit", *heads), tuple(rows), heads)
