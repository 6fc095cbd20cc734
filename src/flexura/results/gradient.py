"""Derivatives of quantities with respect to numbers of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]


class Gradient(Result):
    """Derivatives of quantities of a run: a row for each quantity, a column for each parameter.

    ``found["final(B.x)", "elements.rod.mass"]`` is one derivative, ``found["final(B.x)"]`` a row.
    """

    title: str
    quantities: Annotated[tuple[str, ...], Labels("quantity")]
    parameters: Annotated[tuple[str, ...], Labels("parameter")]
    values: Annotated[Array, Axes("quantity")]
    """of the quantities"""
    numbers: Annotated[Array, Axes("parameter")]
    """values of the parameters"""
    derivatives: Annotated[Array, Axes("quantity", "parameter")]
    quantity_units: Annotated[tuple[str, ...], Axes("quantity")]
    parameter_units: Annotated[tuple[str, ...], Axes("parameter")]
    method: str = ""
    """the kind of result and the method of its differentiation, as text"""
    statistics: Annotated[Mapping[str, float], Axes("statistic")] = field(default_factory=dict)
    """effort of the run that was differentiated"""

    @property
    def relative(self) -> Annotated[Array, Axes("quantity", "parameter")]:
        """p/J dJ/dp: relative change of a quantity by that of a parameter."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.derivatives * self.numbers / self.values[:, None])

    def __getitem__(self, which: str | tuple[str, str]) -> Any:
        quantity, parameter = (which, None) if isinstance(which, str) else which
        row = self._place(quantity, self.quantities, "quantity")
        if parameter is None:
            return self.derivatives[row].copy()
        return float(self.derivatives[row, self._place(parameter, self.parameters, "parameter")])

    @staticmethod
    def _place(name: str, known: tuple[str, ...], kind: str) -> int:
        if name not in known:
            raise ModelError("gradient", f"there is no {kind} '{name}' here", did_you_mean(name, known))
        return known.index(name)

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None, **options: Any) -> Any:
        """Bars of the relative derivatives of each quantity, the largest on top."""
        return figure_registry.finish(figure_registry.drawer("gradient")(self, **options), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """All derivatives, with their units."""
        rows = tuple(
            (quantity, parameter, f"{self.derivatives[q, p]:.9g}", self._unit(q, p), f"{self.relative[q, p]:.4g}")
            for q, quantity in enumerate(self.quantities)
            for p, parameter in enumerate(self.parameters)
        )
        heads = ("quantity", "parameter", "derivative", "unit", "relative")
        return Summary(f"gradients of {len(self.quantities)} quantities", heads, rows, ("derivative", "relative"))

    def _unit(self, quantity: int, parameter: int) -> str:
        above, below = self.quantity_units[quantity] or "1", self.parameter_units[parameter]
        return f"{above}/({below})" if below else above

    def __repr__(self) -> str:
        return f"<Gradient of {', '.join(self.quantities)} by {', '.join(self.parameters)}>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Gradient'}: {self.method}"]
        for q, quantity in enumerate(self.quantities):
            lines.append(f"  {quantity} = {self.values[q]:.9g} {self.quantity_units[q]}")
            for p, parameter in enumerate(self.parameters):
                relative = f"relative {self.relative[q, p]:.4g}"
                lines.append(f"    by {parameter}: {self.derivatives[q, p]:.9g} {self._unit(q, p)}, {relative}")
        return "\n".join(lines)
