"""Optimisation of a design on gradients of its motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.arguments import Samples, Shown, Time, Times, Until
from flexura.analyses.declaration import ScriptOnly, analysis
from flexura.analyses.gradients.constrained_search import Constraint, Search, Solver, size_of
from flexura.analyses.gradients.evaluations import Evaluations, Space, space_of
from flexura.analyses.gradients.gradient import single, terms_of
from flexura.analyses.gradients.sloped_quantities import Sloped
from flexura.analyses.gradients.sloped_results import ChosenMethod, Differentiated, ResultKind, Scales
from flexura.analyses.motion.progress import Progress
from flexura.errors import AnalysisError, ModelError
from flexura.laws.units import Bounds, Positive, Unit
from flexura.model.model import Model
from flexura.results.design import Design

Array = NDArray[np.float64]
_FEASIBLE = 1e-6
"""Largest relative violation of a constraint in a feasible design."""


@analysis
def optimise(
    model: Model,
    minimise: Annotated[
        str | Sequence[str], Unit("", "quantity to minimise, or quantities whose sum of squares is minimised")
    ],
    vary: Annotated[Mapping[str, tuple[float, float]], Unit("", "lower and upper bound of each parameter")],
    until: Until = None,
    *,
    subject_to: Annotated[
        Mapping[str, tuple[float, float]] | None, Unit("", "lower and upper bound of other quantities")
    ] = None,
    solver: Annotated[Solver, Unit("", "solver of SciPy, or of NLopt (mma), for a single quantity")] = "slsqp",
    starts: Annotated[
        int, Unit("", "number of searches; the first starts at the values of the model"), Bounds(1, 10_000)
    ] = 1,
    seed: Annotated[int, Unit("", "seed of the random starting points")] = 0,
    most: Annotated[int, Unit("", "largest number of evaluations of each search"), Bounds(1, 100_000)] = 200,
    tolerance: Annotated[float, Unit("", "relative change of the solution at which a search ends"), Positive()] = 1e-9,
    samples: Samples = None,
    times: Times = None,
    method: ChosenMethod = None,
    result: ResultKind = "motion",
    at: Time = 0.0,
    scale: Scales = None,
    start: Annotated[Design | None, Unit("", "design from which the search continues"), ScriptOnly()] = None,
    progress: Shown = None,
) -> Design:
    """Parameters within bounds for which a quantity is least, subject to bounds on other quantities.

    Quantities are those of ``gradient``, of a motion, an equilibrium or vibrations; put a minus sign before one that
    is to be greatest. With a list of quantities the sum of their squares is least. A bound of ``subject_to`` may be
    infinite; equal bounds hold a quantity. Several ``starts`` are drawn within the bounds; the best design counts.
    ``start`` is a design to go on from, whose history is kept. Ctrl-C ends the search with the best design so far.
    """
    base = model if start is None else start.model
    run = Differentiated(result, until, samples, times, method, (), at, scale)
    aims = (minimise,) if isinstance(minimise, str) else tuple(minimise)
    limits = dict(subject_to or {})
    terms = terms_of(model, [*aims, *limits], run)
    space = space_of(base, vary)
    known = Evaluations(base, space, terms, run)
    problem = _Problem(known, aims, not isinstance(minimise, str), limits, most)
    if isinstance(minimise, str) or limits:
        search: Callable[[Array], tuple[bool, str]] = lambda z: problem.constrained(z, solver, tolerance)  # noqa: E731
    else:
        search = lambda z: problem.squares(z, tolerance)  # noqa: E731
    ends = list[tuple[bool, str]]()
    with Progress(starts * most, progress, "evaluations") as bar:
        problem.report = bar.reach
        try:
            for first in _starts(space, starts, seed):
                problem.begin()
                ends.append(search(first))
        except KeyboardInterrupt:
            ends.append((False, "interrupted"))
    return problem.design(ends, start)


def _starts(space: Space, count: int, seed: int) -> list[Array]:
    """First points of the searches."""
    own = np.zeros(len(space.paths))
    if count == 1:
        return [own]
    low, high = space.bounds
    if not np.all(np.isfinite(high - low)):
        raise ModelError("starts", "other starts need finite bounds", "give finite bounds in vary, or one start")
    from scipy.stats import qmc

    drawn = qmc.LatinHypercube(len(own), seed=np.random.default_rng(seed)).random(count - 1)
    return [own, *(low + (high - low) * drawn)]


@dataclass
class _Problem:
    """Objective and constraints over a space."""

    known: Evaluations
    aims: tuple[str, ...]
    squared: bool
    limits: Mapping[str, tuple[float, float]]
    most: int
    report: Callable[[float], None] = lambda _: None
    used: int = 0
    last: dict[str, Sloped] | None = None

    def begin(self) -> None:
        """Reset the count of evaluations of a search."""
        self.used, self.last = len(self.known.points), None

    def at(self, point: Array) -> tuple[dict[str, Sloped], bool]:
        """Quantities at a point, or those of the last evaluated one; True if the point could be evaluated."""
        if len(self.known.points) - self.used >= self.most and point.tobytes() not in self.known.known:
            raise _Exhausted
        found = self.known.at(point)
        self.report(float(len(self.known.points)))
        if found is not None:
            self.last = {name: single(name, one) for name, one in found.items()}
        elif self.last is None:
            raise AnalysisError("the model does not run at the start of a search; choose other bounds")
        return self.last, found is not None

    def aim(self, found: Mapping[str, Sloped]) -> tuple[float, Array]:
        """Objective and its derivatives."""
        parts = [found[name] for name in self.aims]
        if not self.squared:
            return float(parts[0].values), parts[0].slopes
        value = sum(float(one.values) ** 2 for one in parts)
        return value, np.asarray(sum(2.0 * float(one.values) * one.slopes for one in parts))

    # -- searches ----------------------------------------------------------------------------------------------

    def squares(self, first: Array, tolerance: float) -> tuple[bool, str]:
        """Least squares."""
        from scipy.optimize import least_squares

        def residuals(z: Array) -> Array:
            found, runs = self.at(z)
            # a point at which the model does not run is worse than the last one
            return np.array([float(found[name].values) for name in self.aims]) * (1.0 if runs else 10.0)

        def slopes(z: Array) -> Array:
            found, _ = self.at(z)
            return np.array([found[name].slopes for name in self.aims])

        low, high = self.known.space.bounds
        try:
            end = least_squares(
                residuals, first, slopes, (low, high), xtol=tolerance, ftol=tolerance, gtol=1e-3 * tolerance
            )
        except _Exhausted:
            return False, f"{self.most} evaluations did not suffice"
        return bool(end.success), str(end.message)

    def constrained(self, first: Array, solver: Solver, tolerance: float) -> tuple[bool, str]:
        """Search with bounds and constraints."""
        size = max(abs(self.aim(self.at(first)[0])[0]), 1e-300)

        def aim(z: Array) -> tuple[float, Array]:
            found, runs = self.at(z)
            value, slopes = self.aim(found)
            return (value + (0.0 if runs else 10.0 * abs(value) + size)) / size, slopes / size

        def limited(name: str, low: float, high: float) -> Constraint:
            def value(z: Array) -> tuple[float, Array]:
                found = self.at(z)[0][name]
                return float(found.values), found.slopes

            return Constraint(name, value, low, high)

        constraints = [limited(name, *bounds) for name, bounds in self.limits.items()]
        search = Search(aim, constraints, self.known.space.bounds, self.most, tolerance)
        try:
            return search.by(solver, first)
        except _Exhausted:
            return False, f"{self.most} evaluations did not suffice"

    # -- result ------------------------------------------------------------------------------------------------

    def design(self, ends: list[tuple[bool, str]], before: Design | None) -> Design:
        """Best point of all searches."""
        names = (*self.aims, *self.limits)
        rows = np.array(self.known.values).reshape(-1, len(names))
        tried = np.array(self.known.points)
        best = min(range(len(rows)), key=lambda k: self._merit(rows[k]))
        space = self.known.space
        objective = float(np.sum(rows[best, : len(self.aims)] ** 2)) if self.squared else float(rows[best, 0])
        fit = self._violation(rows[best]) <= _FEASIBLE
        good, message = next((end for end in ends if end[0]), ends[-1])
        return Design(
            model=self.known.changed(space.point(tried[best])),
            parameters=space.paths,
            values=tried[best],
            first=space.first if before is None else before.first,
            quantities=names,
            reached=rows[best],
            objective=objective,
            converged=good and fit,
            message=message if fit else "no design satisfies the constraints",
            tried=tried if before is None else np.vstack([before.tried, tried]),
            history=rows if before is None else np.vstack([before.history, rows]),
        )

    def _violation(self, row: Array) -> float:
        """Largest violation of a constraint, relative to its size."""
        found = row[len(self.aims) :]
        return max(
            (
                max(low - value, value - high, 0.0) / size_of(low, high)
                for value, (low, high) in zip(found, self.limits.values(), strict=True)
            ),
            default=0.0,
        )

    def _merit(self, row: Array) -> tuple[float, float]:
        """Merit of a point: constraints first, then the objective."""
        violation = self._violation(row)
        aim = float(np.sum(row[: len(self.aims)] ** 2)) if self.squared else float(row[0])
        return (violation if violation > _FEASIBLE else 0.0), aim


class _Exhausted(Exception):
    """All evaluations of a search are used."""
