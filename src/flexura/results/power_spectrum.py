r"""The power spectral density of a signal, averaged over segments, and its bands of a third of an octave.

A signal is cut into overlapping segments of n samples at the rate f_s. Of each, less its mean, with the weights w_j,

.. math:: G_k = \frac{2}{f_s \sum_j w_j^2}\,\Bigl|\sum_j w_j x_j e^{-2\pi i jk/n}\Bigr|^2 , \qquad f_k = k f_s/n ,

one-sided, and the mean over all segments is the density [Welch1967]. The bands are those of IEC 61260: with
:math:`G = 10^{3/10}` their middle frequencies are :math:`1000\,G^{x/3}` Hz, and their edges :math:`G^{\pm 1/6}` times
these [IEC61260].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels
from flexura.results.motion import Motion
from flexura.results.result import Result
from flexura.results.spectrum import Window, require_even
from flexura.results.summary import Summary

Array = NDArray[np.float64]

_OCTAVE = 10.0**0.3
_NOMINAL = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0)
"""Names of the bands of a decade [IEC61260]."""


@dataclass(frozen=True)
class Band:
    """A band of a third of an octave."""

    nominal: Annotated[float, Unit("Hz")]
    low: Annotated[float, Unit("Hz")]
    high: Annotated[float, Unit("Hz")]
    mean_square: float

    @property
    def rms(self) -> float:
        """Root of the mean square."""
        return float(np.sqrt(self.mean_square))

    def level(self, reference: float) -> float:
        """Level in dB: 20 lg of the root mean square over a reference, such as 1e-6 m/s²."""
        return float(10.0 * np.log10(self.mean_square / reference**2))


class PowerSpectrum(Result):
    """Power spectral density of a signal, in its unit squared per Hz, over the frequencies in Hz."""

    title: str
    signal: str
    unit: str
    frequency: Annotated[Array, Labels("frequency"), Unit("Hz")]
    density: Annotated[Array, Axes("frequency")]
    segments: int
    """number of segments over which it is averaged"""

    @property
    def resolution(self) -> float:
        """Distance of the frequencies, Hz."""
        return float(self.frequency[1])

    @property
    def autospectrum(self) -> Array:
        """Mean square in each line of the spectrum: density times resolution."""
        lines: Array = self.density * self.resolution
        return lines

    @property
    def mean_square(self) -> float:
        """Mean square of the signal, less that of its mean."""
        return float(self.autospectrum.sum())

    def bands(self) -> tuple[Band, ...]:
        """Bands of a third of an octave within the frequencies; lines at their edges count in part."""
        highest = self.frequency[-1]
        first = int(np.ceil(3.0 * np.log(self.resolution / 1000.0) / np.log(_OCTAVE)))
        last = int(np.floor(3.0 * np.log(highest / 1000.0) / np.log(_OCTAVE)))
        found = []
        for x in range(first, last + 1):
            middle = 1000.0 * _OCTAVE ** (x / 3.0)
            low, high = middle * _OCTAVE ** (-1.0 / 6.0), middle * _OCTAVE ** (1.0 / 6.0)
            if high <= highest and high - low >= self.resolution:
                nominal = _NOMINAL[x % 10] * 10.0 ** (3 + x // 10)
                found.append(Band(nominal, low, high, self.within(low, high)))
        return tuple(found)

    def within(self, low: float, high: float) -> float:
        """Mean square between two frequencies [Hz]; each line extends over half of the spacing on both sides."""
        half = 0.5 * self.resolution
        left, right = np.maximum(self.frequency - half, 0.0), self.frequency + half
        covered = np.clip(np.minimum(right, high) - np.maximum(left, low), 0.0, None) / (right - left)
        return float(covered @ self.autospectrum)

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None) -> Any:
        """Density over frequency."""
        line = {self.signal: (self.frequency[1:], self.density[1:])}
        unit = f"density [({self.unit or '1'})²/Hz]"
        return figure_registry.drawer("curves")(line, "frequency [Hz]", unit, path=path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """The bands with the largest mean squares."""
        highest = sorted(self.bands(), key=lambda band: -band.mean_square)[:5]
        rows = tuple((f"{band.nominal:g}", f"{band.rms:.6g}") for band in highest)
        heads = ("third of an octave [Hz]", f"rms [{self.unit or '1'}]")
        return Summary(f"power spectrum of {self.signal}", heads, rows, heads)

    def __repr__(self) -> str:
        return f"<PowerSpectrum of {self.signal}: to {self.frequency[-1]:g} Hz in steps of {self.resolution:g}>"


def power_spectrum(
    motion: Motion,
    signal: str,
    *,
    samples: int | None = None,
    overlap: float = 0.5,
    window: Window = "hann",
    after: float = 0.0,
) -> PowerSpectrum:
    """Power spectral density of a signal of a motion, from a time on.

    Segments of so many ``samples``, all of them by default, overlap by a part of their length.
    """
    later = motion.t >= after
    t, values = motion.t[later], motion[signal][later]
    require_even("power_spectrum", t)
    n = len(t) if samples is None else samples
    if not 8 <= n <= len(t):
        what = f"segments of {n} samples do not fit into {len(t)}"
        raise ModelError("power_spectrum.samples", what, f"give 8 to {len(t)}, or simulate with more samples")
    if not 0.0 <= overlap < 1.0:
        raise ModelError("power_spectrum.overlap", f"{overlap:g} is out of range", "give a part of one, such as 0.5")
    rate = (len(t) - 1) / (t[-1] - t[0])
    weights = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(n) / n) if window == "hann" else np.ones(n)
    begins = range(0, len(t) - n + 1, n - int(n * overlap))
    density = np.mean([_density(values[begin : begin + n], weights, rate) for begin in begins], axis=0)
    frequency = np.arange(len(density)) * rate / n
    return PowerSpectrum(motion.title, signal, motion.unit(signal), frequency, density, len(begins))


def _density(x: Array, weights: Array, rate: float) -> Array:
    """One-sided density of a segment."""
    power: Array = np.abs(np.fft.rfft(weights * (x - x.mean()))) ** 2 / (rate * (weights @ weights))
    power[1 : (len(x) + 1) // 2] *= 2.0
    return power
