"""Campbell diagram: the slowest eigenvalues over a parameter, with critical values and directions of whirl."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels, Named
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]

CIRCLES = 1e-3
"""Ratio of axes of the elliptic orbit below which a motion counts as a straight vibration."""


@dataclass(frozen=True)
class Crossing:
    """Critical speed: a frequency is ``order`` times the parameter."""

    value: float
    order: float
    branch: int
    eigenvalue: complex
    whirl: float

    @property
    def label(self) -> str:
        """Forward, backward, or neither."""
        return whirl_label(self.whirl)


class Campbell(Result):
    """Branches of eigenvalues over a parameter: a row for each value, a column for each branch."""

    title: str
    parameter: str
    values: Annotated[Array, Labels("value")]
    eigenvalues: Annotated[NDArray[np.complex128], Axes("value", "branch"), Unit("rad/s")]
    """NaN where a branch has ended because its motion no longer oscillates"""
    whirl: Annotated[Array, Axes("value", "branch")]
    """1 for circular forward whirl, -1 for backward, in between for an ellipse, 0 for a line or if not requested"""
    growth: Annotated[Array, Axes("value"), Unit("1/s")]
    """the largest real part of all eigenvalues, also of motions that do not oscillate; zero if it is rounding"""
    orders: Annotated[tuple[float, ...], Axes("order")]
    crossings: Annotated[tuple[Crossing, ...], Axes("crossing"), Named("crossing")]
    """by order, then by value"""
    limits: Annotated[Array, Axes("limit")]
    """values at which stability is lost or regained"""
    parameter_unit: str = ""
    """unit of the parameter; empty for a pure number and where it is not known"""

    @property
    def frequencies(self) -> Array:
        """The frequencies in rad/s."""
        return np.asarray(self.eigenvalues.imag)

    @property
    def unstable(self) -> bool:
        """True if a motion grows at the first value."""
        return bool(self.growth[0] > 0.0)

    @property
    def labels(self) -> tuple[str, ...]:
        """Forward, backward or neither, for each branch, by the majority of values."""
        turns = np.where(np.isfinite(self.frequencies), np.where(np.abs(self.whirl) < CIRCLES, 0.0, self.whirl), 0.0)
        return tuple(whirl_label(float(np.sign(branch).mean())) for branch in turns.T)

    def critical(self, order: float = 1.0, label: str | None = None) -> Array:
        """The values (speeds in rad/s) at which a frequency is ``order`` times the parameter, the lowest first.

        With a label, "forward" or "backward", only those of such motions.
        """
        if order not in self.orders:
            what = f"the order {order:g} was not computed"
            raise ModelError("order", what, f"orders are {self.orders}; give others to campbell(…, orders=…)")
        own = [c.value for c in self.crossings if c.order == order and label in {None, c.label}]
        return np.sort(np.array(own))

    def stability_limits(self) -> Array:
        """The values at which stability is lost or regained, the lowest first."""
        return self.limits

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None, **options: Any) -> Any:
        """Frequencies and growth over the parameter, with lines of equal order, critical values and limits.

        ``unit="rpm"`` and ``frequency_unit="Hz"`` are units to show them in.
        """
        return figure_registry.finish(figure_registry.drawer("campbell")(self, **options), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Critical values and limits of stability."""
        places = [(c.value, f"order {c.order:g}", str(c.branch), c.label) for c in self.crossings]
        places += [(float(value), "limit of stability", "", "") for value in self.limits]
        rows = tuple((f"{value:.9g}", *told) for value, *told in sorted(places))
        said = f"{self.eigenvalues.shape[1]} branches at {len(self.values)} values"
        return Summary(said, (self.parameter, "what", "branch", "whirl"), rows, (self.parameter, "branch"))

    def _with_unit(self, value: float) -> str:
        """Value of the parameter with its unit; a speed also in revolutions per minute."""
        text = f"{value:.9g} {self.parameter_unit}".rstrip()
        return f"{text} ({value * 30.0 / np.pi:.6g} rpm)" if self.parameter_unit == "rad/s" else text

    def __repr__(self) -> str:
        return f"<Campbell: {self.eigenvalues.shape[1]} branches at {len(self.values)} values of {self.parameter}>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Campbell diagram'}: {self.eigenvalues.shape[1]} branches over {self.parameter}"]
        places = sorted(self.crossings, key=lambda c: c.value)
        lines += [f"  {self._with_unit(c.value)}  order {c.order:g}, branch {c.branch}, {c.label}" for c in places]
        lines += [f"  {self._with_unit(value)}  limit of stability" for value in self.limits]
        return "\n".join(lines)


def whirl_label(whirl: float) -> str:
    """Name of a direction of whirl."""
    if abs(whirl) < CIRCLES:
        return "neither"
    return "forward" if whirl > 0.0 else "backward"
