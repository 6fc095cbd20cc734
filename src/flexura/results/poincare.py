"""A section of Poincaré: a motion, looked at from time to time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.results import pictures
from flexura.results.motion import Motion

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Poincare:
    """A motion once a period, or wherever a signal crosses a value, or just before impacts.

    Once a period, a motion that repeats is a point, one that is made of two frequencies a closed curve, and chaos a
    set with folds in folds. ``found["B.x"]`` is a signal at all of the looks, at the times ``found.t``.
    """

    motion: Motion
    when: str
    """in words"""

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.motion.title

    @property
    def t(self) -> Array:
        """The times of the looks."""
        return self.motion.t

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, signal: str) -> Array:
        return self.motion[signal]

    def unit(self, signal: str) -> str:
        """The unit of a signal."""
        return self.motion.unit(signal)

    def phase(self, period: float) -> Array:
        """Where in a period the looks are: 0 to 2π rad."""
        return np.asarray(2.0 * np.pi * np.mod(self.t / period, 1.0))

    def plot(self, x: str, y: str, path: str | None = None) -> Any:
        """One signal against another, a dot a look; written to ``path`` if given."""
        return pictures.finish(pictures.drawer("poincare")(self, x, y), path)

    def __repr__(self) -> str:
        return f"<Poincare: {len(self)} looks, {self.when}>"
