"""Pseudo-arclength steps along a branch of periodic motions.

The unknowns are the harmonics of the motion and the parameter together, and each step is corrected normal to
the branch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexura.analyses.periodic.cycle_balance import Balance, Cycles, Waves
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.period import Period, duration
from flexura.analyses.periodic.periodicity import refuse_period
from flexura.errors import AnalysisError, ModelError
from flexura.model.model import Model
from flexura.results.cycle import Cycle
from flexura.results.fourier import Array

_DIFFERENCE = 1e-6
"""Step of the parameter for the derivative of the residual, relative to its span."""


@dataclass(frozen=True, eq=False)
class Point:
    """Periodic motion on a branch, with the tangent of the branch."""

    s: float
    """parameter as a fraction of its span"""
    c: Array
    tangent: tuple[Array, float]
    found: Balance
    cycles: Cycles


class Follower:
    """Continuation of the periodic motions of a model over a parameter."""

    def __init__(
        self,
        model: Model,
        parameter: str,
        span: tuple[float, float],
        period: Period,
        waves: Waves,
        tolerance: float,
    ) -> None:
        self.model, self.parameter, self.span, self.given = model, parameter, span, period
        self.period = duration(period)
        self.waves, self.tolerance = waves, tolerance
        self.cycles: Cycles | None = None

    def value(self, s: float) -> float:
        """Value of the parameter."""
        return self.span[0] + s * (self.span[1] - self.span[0])

    def at(self, s: float) -> Cycles:
        """Equations at a value of the parameter."""
        model = self.model.with_parameter(self.parameter, self.value(s))
        if self.cycles is None:
            self.cycles = Cycles(Course(model), self.waves)
            return self.cycles
        course = self.cycles.course.changed(model)
        if course.coordinates != self.cycles.course.coordinates:
            what = f"at {self.value(s):g} the position follows from other coordinates"
            raise ModelError("independent", what, f"choose them: independent={list(course.coordinates)}")
        self.cycles = self.cycles.changed(course)
        return self.cycles

    def frequency(self, s: float) -> float:
        """ω of the motion."""
        period = self.period(self.value(s))
        refuse_period(period)
        return 2.0 * np.pi / period

    def balance(self, c: Array, s: float) -> tuple[Cycles, Balance]:
        """Residual of the balance of forces."""
        cycles = self.at(s)
        return cycles, cycles.balance(c, self.frequency(s))

    def slope(self, c: Array, s: float, rest: Array) -> Array:
        """Derivative of the residual with respect to the parameter, by a difference, as it sets only the direction."""
        _, other = self.balance(c, s + _DIFFERENCE)
        return np.asarray((other.rest - rest).ravel() / _DIFFERENCE)

    # -- points ------------------------------------------------------------------------------------------------

    def first(self, s: float, guess: Array | None) -> Point:
        """Motion at a value of the parameter."""
        cycles = self.at(s)
        c = np.zeros((2 * self.waves.harmonics + 1, cycles.size)) if guess is None else guess
        c, found = cycles.solve(c, self.frequency(s), self.tolerance)
        return self.point(s, c, cycles, found, None)

    def point(self, s: float, c: Array, cycles: Cycles, found: Balance, before: tuple[Array, float] | None) -> Point:
        """Point with its tangent, in the direction of the previous one (up the parameter if there is none)."""
        along = np.linalg.solve(found.slopes, self.slope(c, s, found.rest)).reshape(c.shape)
        weight = cycles.weight(c)
        length = np.sqrt((weight * along**2).sum() + 1.0)
        tangent = along / length, 1.0 / length
        if before is not None and (weight * before[0] * tangent[0]).sum() + before[1] * tangent[1] < 0.0:
            tangent = -tangent[0], -tangent[1]
        return Point(s, c, tangent, found, cycles)

    def step(self, start: Point, length: float) -> tuple[Point, int] | None:
        """Step along the branch; None if Newton's method does not converge."""
        weight = start.cycles.weight(start.c)
        direction, rise = start.tangent
        c, s = start.c + length * direction, start.s + length * rise
        by_parameter = None
        for turn in range(1, 10):
            try:
                cycles, found = self.balance(c, s)
                if by_parameter is None:  # its change in a step is small
                    by_parameter = self.slope(c, s, found.rest)
            except AnalysisError:
                return None
            # slopes·δc - by_parameter·δs = rest, normal to the step
            columns = np.column_stack([found.rest.ravel(), by_parameter])
            try:
                own, other = np.linalg.solve(found.slopes, columns).T
            except np.linalg.LinAlgError:
                return None
            ahead = (weight * direction).ravel()
            away = ahead @ (c - start.c).ravel() + rise * (s - start.s) - length
            ds = -(away + ahead @ own) / (rise + ahead @ other)
            dc = (own + ds * other).reshape(c.shape)
            c, s = c + dc, s + ds
            change = max(float((np.sqrt(weight) * np.abs(dc)).max()), abs(ds))
            if not change < 10.0:
                return None
            if change < self.tolerance:
                cycles, found = self.balance(c, s)
                return self.point(s, c, cycles, found, start.tangent), turn
        return None

    def obstacle(self, point: Point, length: float) -> str:
        """Reason why the motion of a point cannot be continued to a later value, if the constraints prevent it."""
        try:
            self.balance(point.c, point.s + length * float(np.sign(point.tangent[1])))
        except AnalysisError as error:
            return f": {error.message}"
        return ""

    def cycle(self, point: Point) -> Cycle:
        """Result of a point."""
        return point.cycles.cycle(point.c, point.found, "balance of harmonics")


def bend(start: Point, end: Point) -> float:
    """Cosine of the angle between two tangents, in the metric of the first."""
    weight = np.sqrt(start.cycles.weight(start.c))
    first, second = (np.append((weight * c).ravel(), rise) for c, rise in (start.tangent, end.tangent))
    return float(first @ second / np.sqrt((first @ first) * (second @ second)))
