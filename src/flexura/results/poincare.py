"""Poincaré section: a motion sampled at certain events."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.model.mentions import SIGNAL
from flexura.results import figure_registry
from flexura.results.figures import TABLE, figure
from flexura.results.marks import Named
from flexura.results.motion import Motion
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]

AGAINST = Annotated[tuple[str, str] | None, Unit("", "two signals to draw against each other"), SIGNAL]


class Poincare(Result):
    """Motion sampled once a period, or when a signal crosses a value, or just before impacts.

    Sampled once a period, a periodic motion is a point, a quasi-periodic one with two frequencies a closed curve, and
    chaos a fractal set. ``found["B.x"]`` is a signal at all samples, at the times ``found.t``.
    """

    motion: Annotated[Motion, Named("")]
    when: str
    """description of the sampling"""

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.motion.title

    @property
    def t(self) -> Array:
        """Times of the samples."""
        return self.motion.t

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, signal: str) -> Array:
        return self.motion[signal]

    def unit(self, signal: str) -> str:
        """The unit of a signal."""
        return self.motion.unit(signal)

    def phase(self, period: float) -> Array:
        """Phase of the samples in a period: 0 to 2π rad."""
        return np.asarray(2.0 * np.pi * np.mod(self.t / period, 1.0))

    @figure("csv", TABLE, ".csv")
    def write_csv(self, *signals: str, path: str | os.PathLike[str]) -> None:
        """Write signals at all samples as columns under their names and units."""
        self.motion.write_csv(*signals, path=path)

    @figure("plot", AGAINST, default=None)
    def plot(self, x: str, y: str, path: str | None = None) -> Any:
        """One signal against another, one dot for each sample; written to ``path`` if given."""
        return figure_registry.finish(figure_registry.drawer("poincare")(self, x, y), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Ranges of signals over all samples."""
        return replace(self.motion.summary(signals), text=f"{len(self)} samples, {self.when}")

    def __repr__(self) -> str:
        return f"<Poincare: {len(self)} samples, {self.when}>"
