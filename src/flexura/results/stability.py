"""Stability of periodic motions over one parameter, and over two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.results import pictures
from flexura.results.floquet import bifurcation

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class Limit:
    """Where stability is lost or regained as a parameter rises."""

    value: float
    multiplier: complex
    """of the solution that is neither stable nor unstable there"""
    lost: bool
    """whether the motion is unstable beyond"""

    @property
    def kind(self) -> str:
        """Fold, flip or Neimark–Sacker."""
        return bifurcation(self.multiplier)


@dataclass(frozen=True, eq=False, repr=False)
class Stability:
    """Characteristic exponents of a periodic motion over a parameter, a row a value, the least stable first."""

    title: str
    parameter: str
    values: Array
    periods: Array
    """the period at each value, in s"""
    exponents: Complex
    """λ in rad/s"""
    growth: Array
    """the largest real part, in 1/s; zero where it is rounding"""
    limits: tuple[Limit, ...]

    @property
    def unstable(self) -> bool:
        """Whether something grows at the first value."""
        return bool(self.growth[0] > 0.0)

    @property
    def zones(self) -> list[tuple[float, float]]:
        """From where to where the motion is unstable."""
        edges = [limit.value for limit in self.limits]
        if self.unstable:
            edges.insert(0, float(self.values[0]))
        if len(edges) % 2:
            edges.append(float(self.values[-1]))
        return list(zip(edges[::2], edges[1::2], strict=True))

    def plot(self, path: str | None = None, **options: Any) -> Any:
        """The growth over the parameter, with zones of instability and their limits."""
        return pictures.finish(pictures.drawer("stability")(self, **options), path)

    def plot_exponents(self, path: str | None = None, **options: Any) -> Any:
        """The exponents in space: parameter, imaginary and real part."""
        return pictures.finish(pictures.drawer("exponents_over")(self, **options), path)

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


@dataclass(frozen=True, eq=False, repr=False)
class StabilityChart:
    """Growth over two parameters: a row a value of the second, a column a value of the first."""

    title: str
    parameters: tuple[str, str]
    values: tuple[Array, Array]
    growth: Array
    limits: tuple[tuple[Limit, ...], ...]
    """along the first parameter, for each value of the second"""

    def plot(self, path: str | None = None, **options: Any) -> Any:
        """Where the motion is unstable, and how fast disturbances grow there."""
        return pictures.finish(pictures.drawer("stability_chart")(self, **options), path)

    def __repr__(self) -> str:
        wide, high = (len(values) for values in self.values)
        return f"<StabilityChart: {wide} values of {self.parameters[0]}, {high} of {self.parameters[1]}>"
