"""Fit: parameters estimated from measured data, with their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.model.model import Model
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]


class Fit(Result):
    """Estimates of parameters by least squares: ``fit["elements.rod.section.EI"]``, with ``fit.errors``."""

    model: Model
    """with the estimates"""
    parameters: Annotated[tuple[str, ...], Labels("parameter")]
    values: Annotated[Array, Axes("parameter")]
    """the estimates"""
    covariance: Annotated[Array, Axes("parameter", "other_parameter")]
    """of the estimates, for small deviations"""
    deviation: float
    """standard deviation of the data from the model, in units of the given ones"""
    residuals: Annotated[Array, Axes("datum")]
    """model minus data, in units of the given deviations"""
    converged: bool
    message: str
    evaluations: int

    @property
    def errors(self) -> Annotated[Array, Axes("parameter")]:
        """Standard errors of the estimates."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def correlation(self) -> Array:
        """Correlation of the estimates."""
        return np.asarray(self.covariance / np.outer(self.errors, self.errors))

    def __getitem__(self, parameter: str) -> float:
        return float(self.values[self.parameters.index(parameter)])

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Estimates with their standard errors."""
        rows = tuple(
            (name, f"{value:.9g}", f"{error:.3g}")
            for name, value, error in zip(self.parameters, self.values, self.errors, strict=True)
        )
        said = "" if self.converged else f"not converged, {self.message}; "
        title = f"{said}{self.residuals.size} data, {self.evaluations} evaluations"
        return Summary(title, ("parameter", "estimate", "standard error"), rows, ("estimate", "standard error"))

    def __repr__(self) -> str:
        return f"<Fit of {', '.join(self.parameters)}>"
