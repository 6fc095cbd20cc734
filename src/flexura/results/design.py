"""Design: the parameters that are best for an objective, with the history of the search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.model.model import Model
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]


class Design(Result):
    """Best parameters for an objective: ``design["elements.rod.section.EI"]``, and ``design.model`` with all."""

    model: Model
    parameters: Annotated[tuple[str, ...], Labels("parameter")]
    values: Annotated[Array, Axes("parameter")]
    """of the parameters in the best design"""
    first: Annotated[Array, Axes("parameter")]
    """of the parameters at the start"""
    quantities: Annotated[tuple[str, ...], Labels("quantity")]
    """the objective, or the quantities whose squares it sums, then the constraints"""
    reached: Annotated[Array, Axes("quantity")]
    objective: float
    """value of the objective"""
    converged: bool
    message: str
    """reason why the search ended"""
    tried: Annotated[Array, Axes("evaluation", "parameter")]
    """parameters of all evaluations, in order"""
    history: Annotated[Array, Axes("evaluation", "quantity")]
    """quantities of all evaluations"""

    @property
    def evaluations(self) -> int:
        """Number of evaluations, each with all derivatives."""
        return len(self.history)

    def __getitem__(self, parameter: str) -> float:
        return float(self.values[self.parameters.index(parameter)])

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None) -> Any:
        """Quantities over the evaluations."""
        numbers = np.arange(1.0, len(self.history) + 1.0)
        lines = {name: (numbers, self.history[:, k]) for k, name in enumerate(self.quantities)}
        return figure_registry.drawer("curves")(lines, "evaluation", "quantity", path=path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Parameters and quantities, initially and finally."""
        rows = [
            (name, f"{a:.9g}", f"{b:.9g}") for name, a, b in zip(self.parameters, self.first, self.values, strict=True)
        ]
        start = self.history[0]
        rows += [
            (name, f"{a:.9g}", f"{b:.9g}") for name, a, b in zip(self.quantities, start, self.reached, strict=True)
        ]
        said = "" if self.converged else f"not converged, {self.message}; "
        title = f"{said}{self.evaluations} evaluations"
        return Summary(title, ("name", "first", "best"), tuple(rows), ("first", "best"))

    def __repr__(self) -> str:
        return f"<Design: {self.objective:g} after {self.evaluations} evaluations>"
