"""Sweep: periodic motions at given values of a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.model.mentions import SIGNAL
from flexura.results import figure_registry
from flexura.results.cycle import Cycle
from flexura.results.figures import figure
from flexura.results.marks import Axes, Labels, Named
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.result import Result
from flexura.results.summary import MOST_ROWS, Summary

Array = NDArray[np.float64]

AMPLITUDES = Annotated[Sequence[str], Unit("", "signals whose amplitudes to draw over the parameter"), SIGNAL]
HARMONICS = Annotated[Sequence[str], Unit("", "signals whose harmonics to draw over the parameter"), SIGNAL]


class Sweep(Result):
    """Periodic motions, one for each value of a parameter: ``sweep.amplitude("B.x")`` is an array over the values."""

    title: str
    parameter: str
    values: Annotated[Array, Labels("value")]
    motions: Annotated[tuple[PeriodicMotion | Cycle, ...], Axes("value")]
    parameter_unit: str = ""
    """unit of the parameter; empty for a pure number and where it is not known"""

    def __len__(self) -> int:
        return len(self.motions)

    def __getitem__(self, number: int) -> PeriodicMotion | Cycle:
        return self.motions[number]

    @property
    def stable(self) -> Annotated[NDArray[np.bool_], Axes("value")]:
        """True if no disturbance grows, motion by motion."""
        return np.array([motion.stable for motion in self.motions])

    def unit(self, signal: str) -> Annotated[str, Named("unit")]:
        """The unit of a signal."""
        return self.motions[0].unit(signal)

    def amplitude(self, signal: str) -> Annotated[Array, Axes("value")]:
        """Half of the range of a signal; for small vibrations without the nominal motion."""
        return np.array([motion.amplitude(signal) for motion in self.motions])

    def amplitudes(
        self, signal: str, highest: int = 5
    ) -> Annotated[Array, Axes("value", "harmonic"), Named("harmonics")]:
        """Sizes of the harmonics 0 … highest of a signal, one row for each value; zero if a harmonic is missing."""
        found = np.zeros((len(self), highest + 1))
        for row, motion in zip(found, self.motions, strict=True):
            sizes = motion.amplitudes(signal)[: highest + 1]
            row[: len(sizes)] = sizes
        return found

    @figure("plot", AMPLITUDES)
    def plot(self, *signals: str, path: str | None = None, **options: Any) -> Any:
        """Amplitudes of signals over the parameter; written to ``path`` if given."""
        return figure_registry.finish(figure_registry.drawer("sweep")(self, *signals, **options), path)

    @figure("spectrum", HARMONICS, "_harmonics.png", each="number")
    def plot_harmonics(self, signal: str, highest: int = 5, path: str | None = None, **options: Any) -> Any:
        """The harmonics 1 … highest of a signal over the parameter."""
        return figure_registry.finish(figure_registry.drawer("sweep_harmonics")(self, signal, highest, **options), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """The largest amplitudes of signals, and the values at which they occur."""
        rows = []
        for name in (tuple(dict.fromkeys(signals)) or self.motions[0].coordinates)[:MOST_ROWS]:
            sizes = self.amplitude(name)
            top = int(sizes.argmax())
            rows.append((name, self.unit(name) or "1", f"{sizes[top]:.6g}", f"{self.values[top]:.6g}"))
        heads = ("largest amplitude", f"at {self.parameter}")
        unstable = int(np.count_nonzero(~self.stable))
        return Summary(f"{len(self)} motions, {unstable} unstable", ("signal", "unit", *heads), tuple(rows), heads)

    def __repr__(self) -> str:
        return f"<Sweep: {len(self)} motions over {self.parameter}>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Sweep'}: {len(self)} periodic motions over {self.parameter}"]
        for name in self.motions[0].coordinates[:12]:
            sizes = self.amplitude(name)
            top = int(sizes.argmax())
            lines.append(f"  {name:24} ± {sizes[top]:.6g} {self.unit(name)} at most, at {self.values[top]:.6g}")
        return "\n".join(lines)
