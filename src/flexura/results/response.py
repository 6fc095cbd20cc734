"""Frequency response: complex amplitudes of signals under harmonic loads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean
from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels, Named
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


class Response(Result):
    """Signals y = Re(Y exp(iωt)) under loads cos ωt of unit size, one load at a time, after transients have decayed.

    ``response["B.x"]`` is the complex amplitude Y of a signal over the ``frequencies``, under the only or first load;
    ``response.of("B.x", "A.y")`` that under a load by name.
    """

    title: str
    loads: Annotated[tuple[str, ...], Labels("load")]
    signals: Annotated[tuple[str, ...], Labels("signal")]
    units: Annotated[tuple[str, ...], Axes("signal"), Named("unit")]
    """of the signals; amplitudes are per unit of the load"""
    frequencies: Annotated[Array, Labels("frequency"), Unit("rad/s")]
    amplitudes: Annotated[Complex, Axes("load", "signal", "frequency")]
    stable: bool
    """False if the nominal motion is unstable, so that this response does not occur"""

    def __getitem__(self, signal: str) -> Complex:
        return self.of(signal, self.loads[0])

    def of(self, signal: str, load: str) -> Complex:
        """Complex amplitude of a signal under a load, over the frequencies."""
        for name, known in ((signal, self.signals), (load, self.loads)):
            if name not in known:
                raise ModelError("response", f"there is no '{name}' in it", did_you_mean(name, known))
        return np.asarray(self.amplitudes[self.loads.index(load), self.signals.index(signal)])

    @property
    def magnitudes(self) -> Annotated[Array, Axes("load", "signal", "frequency")]:
        """Magnitudes of the amplitudes."""
        return np.abs(self.amplitudes)

    @property
    def phases(self) -> Annotated[Array, Axes("load", "signal", "frequency"), Unit("rad")]:
        """Phases of the amplitudes, continuous over the frequency; negative where a signal lags behind its load."""
        return np.unwrap(np.angle(self.amplitudes), axis=-1)

    @figure("draw", DRAWN, default=False)
    def plot(self, *signals: str, path: str | None = None) -> Any:
        """Magnitude and phase over the frequency, of all signals or of those named; written to ``path`` if given."""
        curves = {
            f"{signal} / {load}": self.of(signal, load) for load in self.loads for signal in signals or self.signals
        }
        return figure_registry.finish(figure_registry.drawer("bode")(self.frequencies, curves, self.title), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """The largest magnitude of each signal under each load, and its frequency."""
        rows = []
        for load, own in zip(self.loads, self.magnitudes, strict=True):
            for signal, unit, sizes in zip(self.signals, self.units, own, strict=True):
                top = int(sizes.argmax())
                w = float(self.frequencies[top])
                told = f"{sizes[top]:.6g}", f"{w:.6g}", f"{w / (2.0 * np.pi):.6g}", f"{sizes[0]:.6g}"
                rows.append((signal, unit or "1", load, *told))
        heads = ("largest", "at [rad/s]", "[Hz]", "at the first frequency")
        trouble = "" if self.stable else "the nominal motion is unstable, so that the response is not reached"
        said = f"{len(self.frequencies)} frequencies"
        return Summary(said, ("signal", "unit", "load", *heads), tuple(rows), heads, trouble=trouble)

    def __repr__(self) -> str:
        return (
            f"<Response of {', '.join(self.signals)} to {', '.join(self.loads)}: {len(self.frequencies)} frequencies>"
        )

    def __str__(self) -> str:
        lines = [f"{self.title or 'Response'}: {self.summary().text}, per unit load"]
        lines += [f"  {row[0]} / {row[2]}: at most {row[3]} {row[1]}, at {row[4]} rad/s" for row in self.summary().rows]
        return "\n".join(lines)
