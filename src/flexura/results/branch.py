"""Branch of periodic motions along a parameter, with the points at which their stability changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.model.mentions import SIGNAL
from flexura.model.model import Model
from flexura.results import figure_registry
from flexura.results.cycle import Cycle
from flexura.results.figures import figure
from flexura.results.marks import Axes, Named
from flexura.results.parameter_units import parameter_unit
from flexura.results.providers import provider
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]

AMPLITUDES = Annotated[Sequence[str], Unit("", "signals whose amplitudes to draw over the parameter"), SIGNAL]


class Doubling(Protocol):
    """Analysis that follows motions of twice the period."""

    def __call__(self, special: Special, step: float, points: int) -> Branch: ...


@dataclass(frozen=True, eq=False)
class Special:
    """Point at which a branch turns back or its stability changes."""

    kind: str
    """fold, flip, Neimark–Sacker, or crossing (of another branch)"""
    value: float
    """of the parameter"""
    cycle: Cycle
    index: int
    """index of the following point of the branch"""

    def __repr__(self) -> str:
        return f"<Special: {self.kind} at {self.value:.9g}>"


class Branch(Result):
    """Periodic motions along a parameter, in the order of the branch."""

    model: Model
    parameter: str
    span: tuple[float, float]
    period: float | str | None
    """in s, or as a formula of the parameter's ``value``; None if it was given as a function"""
    harmonics: int
    positions: int
    tolerance: float
    values: Annotated[Array, Axes("point"), Named("parameter_value")]
    cycles: Annotated[tuple[Cycle, ...], Axes("point"), Named("cycle")]
    growth: Annotated[Array, Axes("point")]
    """of the least stable disturbance, in a period: the logarithm of the magnitude of its multiplier"""
    specials: Annotated[tuple[Special, ...], Axes("change"), Named("special")]
    doubled: tuple[Branch, ...] = ()
    """branches of motions of twice the period that begin at flips, if requested"""
    note: str = ""
    """reason of the end, unless it is an end of the span"""

    @property
    def parameter_unit(self) -> str:
        """Unit of the parameter; empty for a pure number and where it is not known."""
        return parameter_unit(self.model, self.parameter)

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.model.title

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, number: int) -> Cycle:
        return self.cycles[number]

    @property
    def stable(self) -> Annotated[NDArray[np.bool_], Axes("point")]:
        """True if no disturbance grows, motion by motion."""
        return np.array([cycle.stable for cycle in self.cycles])

    def amplitude(self, signal: str) -> Annotated[Array, Axes("point")]:
        """Half of the range of a signal, motion by motion."""
        return np.array([cycle.amplitude(signal) for cycle in self.cycles])

    def switch(self, special: Special, step: float = 0.05, points: int = 200) -> Branch:
        """The branch of motions of twice the period that begins at a flip."""
        return self.doubling(special, step, points)

    @cached_property
    def doubling(self) -> Doubling:
        """The analysis that follows motions of twice the period."""
        found: Doubling = provider("doubling")(self)
        return found

    @figure("plot", AMPLITUDES, each="number")
    def plot(self, signal: str, path: str | None = None, others: Sequence[Branch] = (), **options: Any) -> Any:
        """The amplitude of a signal along the parameter: stable motions drawn full, unstable ones dashed.

        Branches of twice the period that were followed with it, and ``others``, are drawn besides.
        """
        every = (*self.doubled, *others)
        return figure_registry.finish(figure_registry.drawer("branch")(self, signal, others=every, **options), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Ends and special points of the branches, with amplitudes of signals."""
        shown = (tuple(dict.fromkeys(signals)) or self.cycles[0].coordinates)[:3]
        rows = _along(self, shown, "")
        for branch in self.doubled:
            rows += _along(branch, shown, "twice the period")
        sizes = tuple(f"± {name}" for name in shown)
        said = f"{sum(map(len, (self, *self.doubled)))} motions, {len(self.specials)} special points"
        return Summary(said, (self.parameter, "what", "branch", *sizes), tuple(rows), (self.parameter, *sizes))

    def __repr__(self) -> str:
        return f"<Branch: {len(self)} motions over {self.parameter}, {len(self.specials)} special points>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Branch'}: {len(self)} periodic motions over {self.parameter}"]
        lines.append(f"  from {self.values[0]:.9g} to {self.values[-1]:.9g}")
        lines += [f"  {special.value:.9g}  {special.kind}" for special in self.specials]
        lines += [f"  note: {self.note}"] if self.note else []
        return "\n".join(lines)


def _along(branch: Branch, signals: Sequence[str], name: str) -> list[tuple[str, ...]]:
    """Rows of a table: the start, the special points and the end of a branch."""
    points = [(float(branch.values[0]), "start", branch.cycles[0])]
    points += [(special.value, special.kind, special.cycle) for special in branch.specials]
    points.append((float(branch.values[-1]), "end", branch.cycles[-1]))
    return [
        (f"{value:.9g}", what, name, *(f"{cycle.amplitude(signal):.6g}" for signal in signals))
        for value, what, cycle in points
    ]
