"""Periodic motions at many values of a parameter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.results import pictures
from flexura.results.cycle import Cycle
from flexura.results.periodic_motion import PeriodicMotion

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """Periodic motions, one for each value of a parameter: ``sweep.amplitude("B.x")`` is an array over the values."""

    title: str
    parameter: str
    values: Array
    motions: tuple[PeriodicMotion | Cycle, ...]

    def __len__(self) -> int:
        return len(self.motions)

    def __getitem__(self, number: int) -> PeriodicMotion | Cycle:
        return self.motions[number]

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether no disturbance grows, motion by motion."""
        return np.array([motion.stable for motion in self.motions])

    def unit(self, signal: str) -> str:
        """The unit of a signal."""
        return self.motions[0].unit(signal)

    def amplitude(self, signal: str) -> Array:
        """Half of the range of a signal, of small vibrations without the nominal motion."""
        return np.array([motion.amplitude(signal) for motion in self.motions])

    def amplitudes(self, signal: str, highest: int = 5) -> Array:
        """The sizes of the harmonics 0 … highest of a signal, a row a value; what a motion does not have is zero."""
        found = np.zeros((len(self), highest + 1))
        for row, motion in zip(found, self.motions, strict=True):
            sizes = motion.amplitudes(signal)[: highest + 1]
            row[: len(sizes)] = sizes
        return found

    def plot(self, *signals: str, path: str | None = None, **options: Any) -> Any:
        """Amplitudes of signals over the parameter; written to ``path`` if given."""
        return pictures.finish(pictures.drawer("sweep")(self, *signals, **options), path)

    def plot_harmonics(self, signal: str, highest: int = 5, path: str | None = None, **options: Any) -> Any:
        """The harmonics 1 … highest of a signal over the parameter."""
        return pictures.finish(pictures.drawer("sweep_harmonics")(self, signal, highest, **options), path)

    def __repr__(self) -> str:
        return f"<Sweep: {len(self)} motions over {self.parameter}>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Sweep'}: {len(self)} periodic motions over {self.parameter}"]
        for name in self.motions[0].coordinates[:12]:
            sizes = self.amplitude(name)
            top = int(sizes.argmax())
            lines.append(f"  {name:24} ± {sizes[top]:.6g} {self.unit(name)} at most, at {self.values[top]:.6g}")
        return "\n".join(lines)
