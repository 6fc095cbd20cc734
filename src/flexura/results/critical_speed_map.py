"""Critical-speed map of a rotor: undamped critical speeds over the stiffness of its bearings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]


class CriticalSpeedMap(Result):
    """Forward critical speeds in rad/s: a row for each stiffness, a column for each critical speed."""

    title: str
    stiffnesses: Annotated[Array, Labels("stiffness"), Unit("N/m")]
    speeds: Annotated[Array, Axes("stiffness", "order"), Unit("rad/s")]

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None) -> Any:
        """Critical speeds in rpm over the logarithm of the stiffness."""
        lines = {
            f"critical speed {k + 1}": (np.log10(self.stiffnesses), self.speeds[:, k] * 30.0 / np.pi)
            for k in range(self.speeds.shape[1])
        }
        drawer = figure_registry.drawer("curves")
        return drawer(lines, "log10 of the stiffness [N/m]", "critical speed [rpm]", self.title, path=path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Critical speeds in rpm for each stiffness."""
        heads = ("stiffness [N/m]", *(f"critical speed {k + 1} [rpm]" for k in range(self.speeds.shape[1])))
        rows = tuple(
            (f"{k:.6g}", *(f"{w * 30.0 / np.pi:.6g}" for w in row))
            for k, row in zip(self.stiffnesses, self.speeds, strict=True)
        )
        return Summary(f"{len(self.stiffnesses)} stiffnesses", heads, rows, heads)

    def __repr__(self) -> str:
        return f"<CriticalSpeedMap: {self.summary().text}>"

    def __str__(self) -> str:
        found = self.summary()
        lines = ("  " + "  ".join(row) for row in (found.heads, *found.rows))
        return "\n".join([f"{self.title or 'Critical speeds'}: {found.text}", *lines])
