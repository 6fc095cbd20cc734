"""What is left of motions over a parameter, looked at once a period."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.results import pictures
from flexura.results.motion import Motion

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Bifurcation:
    """Motions at the same moment of many periods, for each value of a parameter.

    A motion that repeats is one point at its value, one that repeats after two periods is two, and chaos is a cloud.
    """

    title: str
    parameter: str
    values: Array
    motions: tuple[Motion, ...]

    def points(self, signal: str) -> tuple[Array, Array]:
        """The values of the parameter, each as often as it was looked at, and those of a signal."""
        seen = [motion[signal] for motion in self.motions]
        return np.repeat(self.values, [len(points) for points in seen]), np.concatenate(seen)

    def period(self, signal: str, number: int, tolerance: float = 1e-4) -> int:
        """After how many periods a signal repeats at one of the values, to a part of its size; 0 where it does not."""
        points = self.motions[number][signal]
        near = tolerance * max(np.abs(points).max(), np.ptp(self.points(signal)[1]))
        for periods in range(1, len(points) // 2 + 1):
            if np.abs(points[periods:] - points[:-periods]).max() <= near:
                return periods
        return 0

    def unit(self, signal: str) -> str:
        """The unit of a signal."""
        return self.motions[0].unit(signal)

    def plot(self, *signals: str, path: str | None = None, **options: Any) -> Any:
        """Signals over the parameter, a dot a period; written to ``path`` if given."""
        return pictures.finish(pictures.drawer("bifurcation")(self, *signals, **options), path)

    def __repr__(self) -> str:
        return f"<Bifurcation: {len(self.motions)} motions over {self.parameter}>"
