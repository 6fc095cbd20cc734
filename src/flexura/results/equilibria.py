"""Path of equilibria along a parameter, with its critical points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.model.mentions import SIGNAL
from flexura.model.model import Model
from flexura.results import figure_registry
from flexura.results.figures import figure
from flexura.results.marks import Axes, Named
from flexura.results.parameter_units import parameter_unit
from flexura.results.providers import provider
from flexura.results.result import Result
from flexura.results.state import State
from flexura.results.summary import Summary

Array = NDArray[np.float64]
Kind = Literal["limit", "branch", "oscillation"]

OVER_PARAMETER = Annotated[Sequence[str], Unit("", "signals to draw over the parameter"), SIGNAL]


@dataclass(frozen=True, eq=False)
class CriticalPoint:
    """An equilibrium at which a path turns back, other paths begin, or its stability changes.

    At a ``limit`` the parameter is largest or smallest, at a ``branch`` another path crosses, and at an
    ``oscillation`` (a Hopf bifurcation) a vibration begins to grow or to die out.
    """

    kind: Kind
    value: float
    """of the parameter"""
    state: State
    index: int
    """index of the following equilibrium of the path"""

    def __repr__(self) -> str:
        return f"<CriticalPoint: {self.kind} at {self.value:.9g}>"


class Equilibria(Result):
    """Equilibria along a parameter, in the order of the path: ``path["B.y"]`` by signal, ``path[3]`` by number."""

    model: Model
    parameter: str
    span: tuple[float, float]
    at: Annotated[float, Unit("s")]
    tolerance: float
    values: Annotated[Array, Axes("point"), Named("parameter_value")]
    states: Annotated[tuple[State, ...], Axes("point"), Named("state")]
    growing: Annotated[NDArray[np.int64], Axes("point")]
    """number of growing small motions"""
    critical: Annotated[tuple[CriticalPoint, ...], Axes("change"), Named("critical")]
    branches: tuple[Equilibria, ...] = ()
    """paths that begin at branch points, if requested"""
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

    @overload
    def __getitem__(self, key: int) -> State: ...
    @overload
    def __getitem__(self, key: str) -> Array: ...
    def __getitem__(self, key: int | str) -> State | Array:
        return np.array([state[key] for state in self.states]) if isinstance(key, str) else self.states[key]

    def force(self, signal: str) -> Annotated[Array, Axes("point")]:
        """The force that is dual to a signal, along the path."""
        return np.array([state.force(signal) for state in self.states])

    @property
    def stable(self) -> Annotated[NDArray[np.bool_], Axes("point")]:
        """True if no small motion grows, equilibrium by equilibrium."""
        return np.asarray(self.growing == 0)

    def switch(self, critical: CriticalPoint, sign: int = 1, step: float = 0.1, points: int = 200) -> Equilibria:
        """Path that crosses this one at a branch point, on the side of ``sign``, 1 or -1."""
        found: Equilibria = provider("branch of equilibria")(self, critical, sign, step, points)
        return found

    @figure("plot", OVER_PARAMETER, each="number")
    def plot(self, signal: str, path: str | None = None, others: Sequence[Equilibria] = (), **options: Any) -> Any:
        """A signal along the parameter: stable equilibria drawn full, unstable ones dashed.

        Paths that were followed from branch points, and ``others``, are drawn besides.
        """
        every = (*self.branches, *others)
        return figure_registry.finish(figure_registry.drawer("equilibria")(self, signal, others=every, **options), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Ends and critical points of the paths, with values of signals."""
        motion = self.states[0].motion
        shown = (tuple(dict.fromkeys(signals)) or motion.coordinates or tuple(motion.signals))[:3]
        rows = _along(self, shown, "")
        for number, branch in enumerate(self.branches, 1):
            rows += _along(branch, shown, str(number))
        said = f"{sum(map(len, (self, *self.branches)))} equilibria, {len(self.critical)} critical points"
        heads = (self.parameter, "what", "branch", *shown)
        return Summary(said, heads, tuple(rows), (self.parameter, *shown))

    def __repr__(self) -> str:
        return f"<Equilibria: {len(self)} over {self.parameter}, {len(self.critical)} critical points>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Equilibria'}: {len(self)} equilibria over {self.parameter}"]
        lines.append(f"  from {self.values[0]:.9g} to {self.values[-1]:.9g}")
        lines += [f"  {point.value:.9g}  {point.kind}" for point in self.critical]
        lines += [f"  note: {self.note}"] if self.note else []
        return "\n".join(lines)


def _along(path: Equilibria, signals: Sequence[str], name: str) -> list[tuple[str, ...]]:
    """Rows of a table: the start, the critical points and the end of a path."""
    points = [(float(path.values[0]), "start", path.states[0])]
    points += [(point.value, point.kind, point.state) for point in path.critical]
    points.append((float(path.values[-1]), "end", path.states[-1]))
    return [
        (f"{value:.9g}", what, name, *(f"{state[signal]:.6g}" for signal in signals)) for value, what, state in points
    ]
