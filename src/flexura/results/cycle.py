"""A periodic motion of the full equations."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.model.mentions import parse
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results import figure_registry, fourier
from flexura.results.figures import MOVING, OVER_PERIOD, TABLE, TRACE, figure
from flexura.results.floquet import Floquet
from flexura.results.marks import Axes, Labels, Named
from flexura.results.motion import Motion
from flexura.results.periodic_result import Repeating
from flexura.results.providers import provider
from flexura.results.summary import Summary

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


class CycleSource(Protocol):
    """Analysis that gives all signals of a cycle, and its stability by any method."""

    def observe(self) -> Motion: ...
    def floquet(self, method: Any) -> Floquet: ...


class Cycle(Repeating):
    """A motion that repeats after a ``period``: ``cycle["B.x"]`` is a signal at the times ``cycle.t``."""

    model: Model
    start: Annotated[tuple[Array, Array], Axes("every_coordinate"), Named("start_position", "start_rate")]
    """positions and rates of all coordinates at t = 0"""
    error: float
    """size of the last harmonics relative to the largest"""
    method: str
    positions: int
    """number of positions in a period at which the equations hold"""
    disturbances: Floquet
    """exponents of small disturbances, from the monodromy matrix"""
    recorded: Motion | None = None
    """one period as integrated; for harmonics it is observed on demand"""
    driven: bool = True
    """False if nothing depends on time, and one multiplier is 1"""

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.model.title

    @property
    def initial(self) -> dict[str, float]:
        """The independent coordinates and their rates at t = 0, as a model's ``start`` or that of ``Shooting``."""
        names = [*self.coordinates, *(f"{name}'" for name in self.coordinates)]
        return {name: float(self[name][0]) for name in names}

    # -- signals -----------------------------------------------------------------------------------------------

    @cached_property
    def motion(self) -> Motion:
        """One period, both ends included."""
        return self.source.observe() if self.recorded is None else self.recorded

    @cached_property
    def source(self) -> CycleSource:
        """Analysis that provides the signals of the cycle."""
        found: CycleSource = provider("cycle")(self)
        return found

    @property
    def floquet(self) -> Floquet:
        """Exponents and multipliers of small disturbances, from the monodromy matrix."""
        return self.disturbances

    @property
    def t(self) -> Annotated[Array, Labels("time")]:
        """The times of a period, both ends included."""
        return self.motion.t

    def __getitem__(self, signal: str) -> Annotated[Array, Axes("time"), Named("history")]:
        return self.motion[signal]

    def force(self, signal: str) -> Array:
        """The force that is dual to a signal."""
        return self.motion.force(signal)

    def unit(self, signal: str) -> Annotated[str, Named("unit")]:
        """The unit of a signal."""
        return self.motion.unit(signal)

    def series(self, signal: str, quasistatic: bool = False) -> Complex:
        """Complex harmonics 0 … m of a signal, without the steady advance of rotating coordinates."""
        plain, order, force = parse(signal)
        name = str(Names(self.model).resolve(plain))
        if name in self.coordinates and not force:
            own = self.coefficients[:, self.coordinates.index(name)]
            found = fourier.differentiated(own, self.frequency, order)[self.harmonics :]
            if order == 1 and self.recorded is not None:
                turned = self.recorded[name]
                found[0] += (turned[-1] - turned[0]) / self.period
            return found
        values = self[signal]
        turning = (values[-1] - values[0]) * np.arange(len(values) - 1) / (len(values) - 1)
        found = fourier.coefficients(values[:-1] - turning)
        return found[len(found) // 2 :][: self.harmonics + 1]

    def judged(self, method: Any) -> Floquet:
        """Exponents by a method."""
        return self.source.floquet(method)

    # -- pictures ----------------------------------------------------------------------------------------------

    @figure("csv", TABLE, ".csv")
    def write_csv(self, *signals: str, path: str | os.PathLike[str]) -> None:
        """Write signals over a period as columns under their names and units."""
        provider("csv")(self, path, *signals)

    @figure("plot", OVER_PERIOD)
    def plot(self, *signals: str, path: str | None = None, overlay: bool = False) -> Any:
        """Signals over a period; written to ``path`` if given."""
        return figure_registry.finish(figure_registry.drawer("histories")(self.motion, *signals, overlay=overlay), path)

    @figure("animate", MOVING, "", default="", trace=TRACE)
    def animate(self, path: str, trace: tuple[str, ...] | list[str] = (), **options: Any) -> Any:
        """A moving picture of one period."""
        return self.motion.animate(path, trace=trace, **options)

    # -- words -------------------------------------------------------------------------------------------------

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Amplitudes of signals and of their first harmonics."""
        return self._listed("amplitude", signals)

    def __repr__(self) -> str:
        return f"<Cycle: period {self.period:g} s, {self.harmonics} harmonics>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Cycle'}: {self.frequency:.6g} rad/s, period {self.period:.6g} s ({self.method})"]
        lines.append(f"  {self.verdict}")
        lines += [f"  {name:24} ± {self.amplitude(name):.6g}" for name in self.coordinates[:12]]
        return "\n".join(lines)
