"""Trajectories of joints: moves from point to point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
import scipy

from flexura.algebra import maximum, minimum
from flexura.derive.expression import ZERO, Expr, as_expr, call, const
from flexura.laws.signals import Signal
from flexura.laws.tables import Tables, refuse_bad_points
from flexura.laws.units import Bounds, Unit
from flexura.laws.validation import validate

Profile = Literal["minimum_jerk", "trapezoidal", "spline"]


@dataclass(frozen=True)
class Trajectory(Signal):
    r"""Moves through points at given times, at rest before the first and after the last.

    With u from 0 to 1 over a move, a ``minimum_jerk`` move goes as :math:`10u^3 - 15u^4 + 6u^5`; a ``trapezoidal`` one
    has a constant acceleration over the part ``ramp`` of its time, a constant velocity, and an equal deceleration. Both
    rest at every point. A ``spline`` is a cubic spline that passes the inner points and rests at the ends.
    """

    times: Annotated[tuple[float, ...], Unit("s", "times of the points, increasing")]
    points: Annotated[tuple[float, ...], Unit("", "value at each time")]
    profile: Annotated[Profile, Unit("", "profile of each move")] = "minimum_jerk"
    ramp: Annotated[
        float, Unit("", "fraction of a trapezoidal move spent in acceleration, and in deceleration"), Bounds(1e-6, 0.5)
    ] = 1.0 / 3.0

    def __post_init__(self) -> None:
        validate(self)
        refuse_bad_points("Trajectory", self.times, self.points)

    @staticmethod
    def several(
        points: Mapping[str, Sequence[float]], times: Sequence[float], profile: Profile = "minimum_jerk", **more: Any
    ) -> dict[str, Trajectory]:
        """Trajectories of several signals that move together, by their names: inputs of a model."""
        return {name: Trajectory(tuple(times), tuple(values), profile, **more) for name, values in points.items()}

    def expression(self, t: Expr, tables: Tables) -> Expr:
        if self.profile == "spline":
            fitted = scipy.interpolate.CubicSpline(self.times, self.points, bc_type="clamped")
            number = tables.table(np.array(self.times, dtype=float), np.ascontiguousarray(fitted.c[::-1].T))
            return call("table", t, const(number), ZERO)
        total: Any = self.points[0]
        for (begin, end), (a, b) in zip(pairwise(self.times), pairwise(self.points), strict=True):
            u = minimum(maximum((t - begin) / (end - begin), 0.0), 1.0)
            total = total + (b - a) * self._course(u)
        return as_expr(total)

    def _course(self, u: Any) -> Any:
        if self.profile == "minimum_jerk":
            return u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
        bent = u**2 - maximum(u - self.ramp, 0.0) ** 2 - maximum(u - (1.0 - self.ramp), 0.0) ** 2
        return bent / (2.0 * self.ramp * (1.0 - self.ramp))
