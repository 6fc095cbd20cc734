"""Bifurcation diagrams: motions over a parameter, sampled once per period."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.model.mentions import SIGNAL, parse
from flexura.results import figure_registry
from flexura.results.figures import figure
from flexura.results.marks import Axes, Labels
from flexura.results.motion import Motion
from flexura.results.result import Result
from flexura.results.summary import MOST_ROWS, Summary

Array = NDArray[np.float64]


class Bifurcation(Result):
    """Motions at the same moment of many periods, for each value of a parameter.

    A motion that repeats is one point at its value, one that repeats after two periods is two, and chaos is a cloud.
    """

    title: str
    parameter: str
    values: Annotated[Array, Labels("value")]
    motions: Annotated[tuple[Motion, ...], Axes("value")]
    parameter_unit: str = ""
    """unit of the parameter; empty for a pure number and where it is not known"""

    def points(self, signal: str) -> tuple[Array, Array]:
        """Values of the parameter, repeated for each sample, and those of a signal."""
        seen = [motion[signal] for motion in self.motions]
        return np.repeat(self.values, [len(points) for points in seen]), np.concatenate(seen)

    def period(self, signal: str, number: int, tolerance: float = 1e-4) -> int:
        """Number of periods after which a signal repeats at one of the values, to a part of its size; 0 for none.

        Its size is the largest of its values and, where it has a rate, of its rates times the period over 2π: a signal
        may be sampled where it is zero.
        """
        motion = self.motions[number]
        points, (plain, order, force) = motion[signal], parse(signal)
        size = float(np.abs(points).max())
        if not force and order < 2 and len(points) > 1:
            swing = np.abs(motion[plain + (order + 1) * "'"]).max() * float(motion.t[1] - motion.t[0]) / (2.0 * np.pi)
            size = max(size, float(swing))
        near = tolerance * size
        for periods in range(1, len(points) // 2 + 1):
            if np.abs(points[periods:] - points[:-periods]).max() <= near:
                return periods
        return 0

    def unit(self, signal: str) -> str:
        """The unit of a signal."""
        return self.motions[0].unit(signal)

    @figure("plot", Annotated[Sequence[str], Unit("", "signals to draw over the parameter"), SIGNAL])
    def plot(self, *signals: str, path: str | None = None, **options: Any) -> Any:
        """Signals over the parameter, a dot for each period; written to ``path`` if given."""
        return figure_registry.finish(figure_registry.drawer("bifurcation")(self, *signals, **options), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Ranges of signals and the number of periods after which they repeat, value by value."""
        named = tuple(dict.fromkeys(signals)) or self.motions[0].coordinates[:1]
        rows = tuple(
            (f"{value:.9g}", name, f"{seen.min() + 0.0:.6g}", f"{seen.max() + 0.0:.6g}", str(self.period(name, number)))
            for name in named
            for number, value in enumerate(self.values)
            for seen in [self.motions[number][name]]
        )
        heads = (self.parameter, "signal", "lowest", "highest", "repeats after")
        right = (heads[0], *heads[2:])
        return Summary(f"{len(self.motions)} motions", heads, rows[:MOST_ROWS], right)

    def __repr__(self) -> str:
        return f"<Bifurcation: {len(self.motions)} motions over {self.parameter}>"
