"""Identification of parameters from measured signals, positions or frequencies, by least squares on gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.arguments import Time, Times
from flexura.analyses.declaration import analysis
from flexura.analyses.gradients.evaluations import Evaluations, space_of
from flexura.analyses.gradients.gradient import terms_of
from flexura.analyses.gradients.sloped_results import ChosenMethod, Differentiated, ResultKind, Scales
from flexura.errors import AnalysisError, ModelError
from flexura.laws.units import Bounds, Positive, Unit
from flexura.model.model import Model
from flexura.results.fit import Fit

Array = NDArray[np.float64]


@analysis
def identify(
    model: Model,
    data: Annotated[
        Mapping[str, Sequence[float] | float], Unit("", "measured values of quantities, or of signals at ``times``")
    ],
    vary: Annotated[Mapping[str, tuple[float, float]], Unit("", "lower and upper bound of each parameter")],
    times: Times = None,
    *,
    deviations: Annotated[
        Mapping[str, float] | None, Unit("", "standard deviations of the data; by default estimated from the residuals")
    ] = None,
    most: Annotated[int, Unit("", "largest number of evaluations"), Bounds(1, 100_000)] = 100,
    tolerance: Annotated[
        float, Unit("", "relative change of the solution at which the search ends"), Positive()
    ] = 1e-10,
    method: ChosenMethod = None,
    result: ResultKind = "motion",
    at: Time = 0.0,
    scale: Scales = None,
) -> Fit:
    """Parameters with which a model fits measured data best, with the covariance of the estimates.

    ``data`` maps signals to their values at ``times``, or quantities such as ``frequency.1`` (with
    ``result="vibrations"``) to a value, or to those of several measurements. ``vary`` gives the bounds of each
    parameter, which may be infinite; the search begins at the model as it is. ``deviations`` are standard deviations
    of the data; without them all data count the same, and their deviation from the model gives the errors of the
    estimates.
    """
    wanted = {name: np.atleast_1d(np.asarray(values, dtype=float)) for name, values in data.items()}
    run = Differentiated(result, None, None, times, method, (), at, scale)
    known = Evaluations(model, space_of(model, vary), terms_of(model, list(wanted), run), run)
    sizes = {name: float((deviations or {}).get(name, 1.0)) for name in wanted}
    if deviations is not None and set(deviations) != set(wanted):
        raise ModelError("deviations", "they are not of the same quantities as the data", "give one for each")
    residuals = _Residuals(known, wanted, sizes, 0 if times is None or times[0] == 0.0 else 1)
    end = _least(residuals, known, most, tolerance)
    count, unknown = end.fun.size, end.x.size
    if count < unknown or (count == unknown and deviations is None):
        raise ModelError("data", f"{count} data do not determine {unknown} parameters", "measure more, or vary fewer")
    deviation = float(np.sqrt(np.sum(end.fun**2) / max(count - unknown, 1)))
    J = residuals.slopes(end.x)
    rank = int(np.linalg.matrix_rank(J))
    if rank < unknown:
        names = ", ".join(known.space.paths)
        raise AnalysisError(f"the data do not determine all of {names}: some change nothing, or the same as others")
    inverse = np.linalg.inv(J.T @ J) * (1.0 if deviations is not None else deviation**2)
    return Fit(
        model=known.changed(end.x),
        parameters=known.space.paths,
        values=known.space.numbers(end.x),
        covariance=inverse * np.outer(known.space.unit, known.space.unit),
        deviation=deviation,
        residuals=np.asarray(end.fun),
        converged=bool(end.success),
        message=str(end.message),
        evaluations=len(known.points),
    )


class _Residuals:
    """Differences of the model from data, relative to their deviations."""

    def __init__(self, known: Evaluations, data: Mapping[str, Array], sizes: Mapping[str, float], skip: int) -> None:
        self.known, self.data, self.sizes, self.skip = known, data, sizes, skip
        self.last: Array | None = None

    def _found(self, z: Array) -> list[tuple[Array, Array]] | None:
        found = self.known.at(z)
        if found is None:
            return None
        parts = []
        for name, values in self.data.items():
            own, slopes = np.atleast_1d(found[name].values), found[name].slopes.reshape(-1, z.size)
            if own.size > 1:  # the start is a sample of the run even if nothing was measured there
                own, slopes = own[self.skip :], slopes[self.skip :]
            elif values.size > 1:  # a number with several measurements
                own, slopes = np.repeat(own, values.size), np.repeat(slopes, values.size, axis=0)
            if own.size != values.size:
                what = f"{values.size} values are given, and the model has {own.size}"
                raise ModelError(f"data '{name}'", what, "give one for each of the times")
            parts.append(((own - values) / self.sizes[name], slopes / self.sizes[name]))
        return parts

    def values(self, z: Array) -> Array:
        """Residuals; if the model does not run they are worse than the last ones."""
        found = self._found(z)
        if found is None:
            assert self.last is not None
            return 10.0 * self.last
        self.last = np.concatenate([part for part, _ in found])
        return self.last

    def slopes(self, z: Array) -> Array:
        """Derivatives of the residuals."""
        found = self._found(z)
        if found is None:
            raise AnalysisError("the model does not run where the search has led; give narrower bounds")
        return np.concatenate([slopes for _, slopes in found])


def _least(residuals: _Residuals, known: Evaluations, most: int, tolerance: float) -> Any:
    """Result of the search of SciPy."""
    from scipy.optimize import least_squares

    return least_squares(
        residuals.values,
        np.zeros(len(known.space.paths)),
        residuals.slopes,
        known.space.bounds,
        xtol=tolerance,
        ftol=tolerance,
        gtol=tolerance,
        x_scale="jac",
        max_nfev=most,
    )
