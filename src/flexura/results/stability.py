"""Stability of periodic motions over one parameter, and over two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.floquet import bifurcation
from flexura.results.marks import Axes, Labels, Named
from flexura.results.result import Result
from flexura.results.summary import MOST_ROWS, Summary

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

EXPONENTS = Annotated[bool, Unit("", "draw the exponents in the complex plane over the parameter")]


@dataclass(frozen=True)
class Limit:
    """Limit of stability, which is lost or regained there with increasing parameter."""

    value: float
    multiplier: complex
    """of the solution that is neutrally stable there"""
    lost: bool
    """True if the motion is unstable above the limit"""

    @property
    def kind(self) -> str:
        """Fold, flip or Neimark–Sacker."""
        return bifurcation(self.multiplier)

    @property
    def row(self) -> tuple[str, str, str, str]:
        """Row of a table: value, change, kind, multiplier."""
        number = self.multiplier
        shown = f"{number.real:.5g}" if abs(number.imag) < 1e-4 else f"{number.real:.5g} {number.imag:+.5g}i"
        return f"{self.value:.9g}", f"stability {'lost' if self.lost else 'regained'}", self.kind, shown


class Stability(Result):
    """Characteristic exponents of a periodic motion over a parameter: a row for each value, the least stable first."""

    title: str
    parameter: str
    values: Annotated[Array, Labels("value")]
    periods: Annotated[Array, Axes("value"), Unit("s")]
    """the period at each value, in s"""
    exponents: Annotated[Complex, Axes("value", "root"), Unit("rad/s")]
    """λ in rad/s"""
    growth: Annotated[Array, Axes("value"), Unit("1/s")]
    """the largest real part, in 1/s; zero if it is rounding"""
    limits: Annotated[tuple[Limit, ...], Axes("limit"), Named("limit")]
    parameter_unit: str = ""
    """unit of the parameter; empty for a pure number and where it is not known"""

    @property
    def unstable(self) -> bool:
        """True if a disturbance grows at the first value."""
        return bool(self.growth[0] > 0.0)

    @property
    def zones(self) -> list[tuple[float, float]]:
        """Ranges of the parameter in which the motion is unstable."""
        edges = [limit.value for limit in self.limits]
        if self.unstable:
            edges.insert(0, float(self.values[0]))
        if len(edges) % 2:
            edges.append(float(self.values[-1]))
        return list(zip(edges[::2], edges[1::2], strict=True))

    @figure("draw", Annotated[bool, Unit("", "draw the growth rate over the parameter")], default=False)
    def plot(self, path: str | None = None, **options: Any) -> Any:
        """The growth over the parameter, with zones of instability and their limits."""
        return figure_registry.finish(figure_registry.drawer("stability")(self, **options), path)

    @figure("exponents", EXPONENTS, "_exponents.png", default=False)
    def plot_exponents(self, path: str | None = None, **options: Any) -> Any:
        """The exponents in space: parameter, imaginary and real part."""
        return figure_registry.finish(figure_registry.drawer("exponents_over")(self, **options), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Limits of stability."""
        start = (f"{self.values[0]:.9g}", "unstable" if self.unstable else "stable", "", "")
        heads = (self.parameter, "what", "kind", "multiplier")
        said = f"{len(self.values)} values, {len(self.limits)} limits of stability"
        return Summary(said, heads, (start, *(limit.row for limit in self.limits)), (self.parameter,))

    def __repr__(self) -> str:
        return f"<Stability: {len(self.values)} values of {self.parameter}, {len(self.limits)} limits>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Stability'}: {len(self.values)} values of {self.parameter}"]
        lines.append(f"  {self.values[0]:.9g}  {'unstable' if self.unstable else 'stable'}")
        lines += [
            f"  {limit.value:.9g}  stability {'lost' if limit.lost else 'regained'}, {limit.kind}"
            for limit in self.limits
        ]
        return "\n".join(lines)


class StabilityChart(Result):
    """Growth over two parameters: a row for each value of the second, a column for each value of the first."""

    title: str
    parameters: Annotated[tuple[str, str], Named("first_parameter", "second_parameter")]
    values: tuple[Annotated[Array, Labels("first")], Annotated[Array, Labels("second")]]
    growth: Annotated[Array, Axes("second", "first"), Unit("1/s")]
    limits: Annotated[tuple[tuple[Limit, ...], ...], Axes("second", "limit"), Named("limit")]
    """along the first parameter, for each value of the second"""
    parameter_units: Annotated[tuple[str, str], Named("first_unit", "second_unit")] = ("", "")
    """units of the parameters; empty for pure numbers and where they are not known"""

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None, **options: Any) -> Any:
        """Zones of instability, and the growth of disturbances in them."""
        return figure_registry.finish(figure_registry.drawer("stability_chart")(self, **options), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Limits of stability along the first parameter, for each value of the second."""
        first, second = self.parameters
        rows = tuple(
            (f"{value:.9g}", *limit.row)
            for value, row in zip(self.values[1], self.limits, strict=True)
            for limit in row
        )
        said = f"{self.growth.size} points, {int(np.count_nonzero(self.growth > 0.0))} unstable"
        return Summary(said, (second, first, "what", "kind", "multiplier"), rows[:MOST_ROWS], (first, second))

    def __repr__(self) -> str:
        wide, high = (len(values) for values in self.values)
        return f"<StabilityChart: {wide} values of {self.parameters[0]}, {high} of {self.parameters[1]}>"
