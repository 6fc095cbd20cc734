r"""Spectrum of a signal: the amplitudes of its frequencies.

Of the samples :math:`x_j` at n equal distances over the span T, with the weights :math:`w_j` of a window,

.. math:: A_k = \frac{2}{\sum_j w_j}\,\Bigl|\sum_j w_j x_j e^{-2\pi i jk/n}\Bigr|, \qquad \omega_k = 2\pi k/T ,

one-sided, so that :math:`a\sin\omega_k t` has the amplitude a; the mean, k = 0, is not doubled. The sample at the end
of the span is left out: it is the first one of the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]
Window = Literal["hann", "none"]

_EVEN = 1e-6
"""Largest relative deviation of the spacing of times from its mean."""
_FEWEST = 8


class Spectrum(Result):
    """Amplitudes of a signal, in its unit, over the angular frequencies ``frequency`` in rad/s.

    The ``window`` is that of Hann, cos², under which a frequency is three of those listed wide and no wider; or there
    is none, which suits a span of whole periods and nothing else.
    """

    title: str
    signal: str
    unit: str
    frequency: Annotated[Array, Labels("frequency"), Unit("rad/s")]
    amplitude: Annotated[Array, Axes("frequency")]
    window: Window

    @property
    def resolution(self) -> float:
        """The distance of the frequencies, rad/s: 2π over the span."""
        return float(self.frequency[1])

    def peaks(self, count: int = 5) -> tuple[tuple[float, float], ...]:
        """The highest peaks, the highest first: angular frequency in rad/s and amplitude.

        Both are those of the sine that has the two highest values of the peak, whether its frequency is one of those
        listed or lies between two of them [Grandke1983].
        """
        a = self.amplitude
        inner = np.arange(1, len(a) - 1)
        tops = inner[(a[inner] > a[inner - 1]) & (a[inner] >= a[inner + 1])]
        # the mean and the lines within its width are not vibrations
        tops = tops[tops > (1 if self.window == "hann" else 0)]
        highest = tops[np.argsort(-a[tops], kind="stable")][:count]
        found = sorted((self._sine(int(k)) for k in highest), key=lambda peak: -peak[1])
        return tuple(found)

    def _sine(self, k: int) -> tuple[float, float]:
        """Sine with the amplitudes at k and at its higher neighbour."""
        a = self.amplitude
        side = 1 if a[k + 1] >= a[k - 1] else -1
        ratio = float(a[k + side] / a[k])
        if self.window == "hann":
            shift = (2.0 * ratio - 1.0) / (ratio + 1.0)
            loss = np.sinc(shift) / (1.0 - shift**2)
        else:
            shift = ratio / (1.0 + ratio)
            loss = np.sinc(shift)
        return float((k + side * shift) * self.resolution), float(a[k] / loss)

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None, **options: Any) -> Any:
        """Amplitudes over frequencies, on a logarithmic axis; up to ``highest`` rad/s; written to ``path`` if given."""
        return figure_registry.finish(figure_registry.drawer("spectra")(self, **options), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """The highest peaks."""
        heads = ("frequency [rad/s]", f"amplitude [{self.unit or '1'}]")
        rows = tuple((f"{frequency:.6g}", f"{amplitude:.6g}") for frequency, amplitude in self.peaks())
        return Summary(f"spectrum of {self.signal}", heads, rows, heads)

    def __repr__(self) -> str:
        return f"<Spectrum of {self.signal}: to {self.frequency[-1]:g} rad/s in steps of {self.resolution:g}>"


def require_even(where: str, t: Array) -> None:
    """Require enough times with equal spacing."""
    steps = np.diff(t)
    if len(t) <= _FEWEST:
        raise ModelError(where, f"{len(t)} samples are too few", "simulate with more samples, or begin earlier")
    if np.ptp(steps) > _EVEN * steps.mean():
        what = "the times are not equally spaced"
        raise ModelError(where, what, "simulate with samples=, or give times that are")


def measured(t: Array, values: Array, signal: str, unit: str, title: str, window: Window) -> Spectrum:
    """Spectrum of a signal at equally spaced times."""
    require_even("spectrum", t)
    if window not in ("hann", "none"):
        raise ModelError("spectrum.window", f"there is no window '{window}'", "choose 'hann' or 'none'")
    n = len(t) - 1
    weights = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(n) / n) if window == "hann" else np.ones(n)
    # the mean is removed before the window, which would spread it, and restored afterwards
    mean = values[:-1].mean()
    amplitude = 2.0 * np.abs(np.fft.rfft(weights * (values[:-1] - mean))) / weights.sum()
    amplitude[0] = abs(mean)
    if n % 2 == 0:
        amplitude[-1] /= 2.0
    frequency = 2.0 * np.pi / (t[-1] - t[0]) * np.arange(len(amplitude))
    return Spectrum(title, signal, unit, frequency, amplitude, window)
