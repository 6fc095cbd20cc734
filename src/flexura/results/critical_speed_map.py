"""Critical-speed map of a rotor: undamped critical speeds over the stiffness of its bearings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.unit_conversions import unit_and_factor
from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]


class CriticalSpeedMap(Result):
    """Forward critical speeds in rad/s: one row for each stiffness, one column for each critical speed."""

    title: str
    stiffnesses: Annotated[Array, Labels("stiffness"), Unit("N/m")]
    speeds: Annotated[Array, Axes("stiffness", "order"), Unit("rad/s")]

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None, unit: str = "rpm") -> Any:
        """Critical speeds, in this unit, over the stiffness, on a logarithmic scale."""
        shown, by = unit_and_factor("rad/s", unit)
        lines = {
            f"critical speed {k + 1}": (self.stiffnesses, by * self.speeds[:, k]) for k in range(self.speeds.shape[1])
        }
        drawer = figure_registry.drawer("curves")
        words = "stiffness of the bearings [N/m]", f"critical speed [{shown}]"
        return drawer(lines, *words, self.title, logarithmic=True, path=path)

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
        lines = (f"  {line}" for line in found.lines())
        return "\n".join([f"{self.title or 'Critical speeds'}: {found.text}", *lines])
