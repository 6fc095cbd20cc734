"""Stability of periodic motions over a parameter, with located limits of stability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Annotated, NamedTuple

import numpy as np
import scipy

from flexura.analyses.arguments import Listed, ParameterPath, Values, parameter_values, spread_both
from flexura.analyses.declaration import FileForm, analysis
from flexura.analyses.linear.eigenvalue_limits import FINE
from flexura.analyses.periodic.floquet import automatic, floquet
from flexura.analyses.periodic.hill import into_strip
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.period import PeriodOver, Positions, duration
from flexura.analyses.periodic.periodic import over_period
from flexura.analyses.periodic.periodic_methods import Hill, StabilityMethod
from flexura.derive.records import Floats
from flexura.laws.units import Unit
from flexura.model.mentions import PARAMETER
from flexura.model.model import Model
from flexura.results.floquet import Floquet
from flexura.results.parameter_units import parameter_unit
from flexura.results.stability import Limit, Stability, StabilityChart

_HARMONICS = 10
"""Default number of harmonics of Hill's determinant."""
_TOLERANCE = 1e-9
_NEAR = (1e-6, 1e-5, 1e-4, 1e-3)
"""Fraction of the span on both sides of a limit within which two exponents coincide."""

ByMethod = Annotated[
    StabilityMethod | None,
    Unit("", "method for the exponents; by default the monodromy matrix, for large models Hill's determinant"),
]

_Growth = Callable[[float], tuple[float, float]]
"""Growth at a value, and its possible rounding error."""


@analysis
def stability(
    model: Model,
    parameter: ParameterPath,
    values: Values,
    period: PeriodOver = None,
    *,
    positions: Positions = None,
    method: ByMethod = None,
) -> Stability:
    """Stability of small vibrations on the nominal motion, over a parameter.

    The parameter is a path such as ``"inputs.crank.p.phi.rate"``.
    ``period`` is the time in s after which the nominal motion repeats, or a function from the value of the parameter to
    the period; the default is 2π/value, the period of a shaft whose rate is the parameter. Limits of stability between
    the values are located to rounding. An unstable interval between two neighbouring values is not detected.
    """
    at = parameter_values(values)
    sweep = _Sweep(model, parameter, duration(period), positions, method)
    found = [sweep.look(float(value)) for value in at]
    widest = min(len(one.exponents) for one in found)
    return Stability(
        title=model.title,
        parameter=parameter,
        values=at,
        periods=np.array([one.period for one in found]),
        exponents=np.array([one.exponents[:widest] for one in found]),
        growth=np.array([one.growth if abs(one.growth) > one.neutral else 0.0 for one in found]),
        limits=tuple(sweep.limit(bound, float(np.ptp(at))) for bound in _bounds(sweep.growth, at)),
        parameter_unit=parameter_unit(model, parameter),
    )


@analysis
def stability_chart(
    model: Model,
    parameters: Annotated[tuple[str, str], Unit("", "paths of two numbers of the model"), PARAMETER],
    values: Annotated[
        tuple[Sequence[float] | Floats, Sequence[float] | Floats],
        Unit("", "values of each parameter"),
        FileForm(tuple[Listed, Listed], spread_both),
    ],
    period: PeriodOver = None,
    *,
    positions: Positions = None,
    method: ByMethod = None,
) -> StabilityChart:
    """Stability of small vibrations over two parameters; the ``period`` follows the first."""
    first, second = parameters
    rows = [
        stability(
            model.with_parameter(second, float(value)), first, values[0], period, positions=positions, method=method
        )
        for value in values[1]
    ]
    return StabilityChart(
        title=model.title,
        parameters=(first, second),
        values=(np.asarray(values[0], dtype=float), np.asarray(values[1], dtype=float)),
        growth=np.array([row.growth for row in rows]),
        limits=tuple(row.limits for row in rows),
        parameter_units=(parameter_unit(model, first), parameter_unit(model, second)),
    )


class _Bound(NamedTuple):
    """Zero of the growth rate."""

    value: float
    rising: bool
    neutral: bool
    """true next to a neutral range, where the zero is known to the square root of rounding"""


def _bounds(growth: _Growth, at: Floats) -> Iterator[_Bound]:
    """Zeros of the growth rate."""
    found = [growth(float(value)) for value in at]
    signs = np.array([np.sign(rate) if abs(rate) > rounding else 0.0 for rate, rounding in found])
    # a value that happens to be a limit between stable and unstable is skipped, a neutral one is not
    alone = np.zeros(signs.size, dtype=bool)
    alone[1:-1] = (signs[1:-1] == 0.0) & (signs[:-2] * signs[2:] < 0.0)
    fine = FINE * max(float(np.abs(at).max()), 1e-300)
    for (a, start), (b, end) in pairwise(zip(signs[~alone], at[~alone].tolist(), strict=True)):
        if (a > 0.0) != (b > 0.0):
            # next to a neutral range, the limit is where rounding ends
            share = 1.0 if a * b == 0.0 else 0.0

            def above(value: float, share: float = share) -> float:
                rate, rounding = growth(value)
                return rate - share * rounding

            yield _Bound(scipy.optimize.brentq(above, start, end, xtol=fine), bool(b > 0.0), share > 0.0)


class _Sweep:
    """Exponents at values of the parameter; each value is computed once."""

    def __init__(
        self,
        model: Model,
        parameter: str,
        duration: Callable[[float], float],
        positions: int | None,
        method: StabilityMethod | None,
    ) -> None:
        self.model, self.parameter, self.duration = model, parameter, duration
        self.positions, self.method = positions, method
        self.first = 32
        self.course: Course | None = None
        self.seen: dict[float, Floquet] = {}

    def look(self, value: float) -> Floquet:
        """Exponents at a value."""
        if value not in self.seen:
            changed = self.model.with_parameter(self.parameter, value)
            self.course = Course(changed) if self.course is None else self.course.changed(changed)
            linear, equations = over_period(
                self.course, self.duration(value), self.positions, _TOLERANCE, first=self.first, forced=False
            )
            self.first = len(linear)
            harmonics = _HARMONICS if isinstance(self.method, Hill) else 0
            by_method = self.method and floquet(equations, self.method, harmonics)
            self.seen[value] = by_method or automatic(equations)
        return self.seen[value]

    def limit(self, bound: _Bound, span: float) -> Limit:
        """Limit at a zero of the growth; without damping, the value at which two exponents coincide."""
        value = self._meeting(bound, span) if bound.neutral else bound.value
        return Limit(value, self.look(bound.value).critical, bound.rising)

    def _meeting(self, bound: _Bound, span: float) -> float:
        """Value at which the squared difference of two coinciding exponents is zero; the square is smooth there."""
        outward = 1.0 if bound.rising else -1.0
        for part in _NEAR:
            inner, outer = bound.value - outward * part * span, bound.value + outward * part * span
            angle = self.look(outer).exponents[0].imag

            def apart(value: float, angle: float = angle) -> float:
                found = self.look(value)
                w = 2.0 * np.pi / found.period
                away = into_strip(found.exponents - 1j * angle, w)
                if away.size < 2:
                    return np.nan
                one, other = away[np.argsort(np.abs(away), kind="stable")[:2]]
                return float((into_strip(np.array([one - other]), w)[0] ** 2).real)

            if apart(inner) < 0.0 < apart(outer):
                low, high = sorted((inner, outer))
                fine = FINE * max(abs(low), abs(high), 1e-3 * span)
                return float(scipy.optimize.brentq(apart, low, high, xtol=fine))
        return bound.value

    def growth(self, value: float) -> tuple[float, float]:
        """Growth at a value, and its possible rounding error."""
        found = self.look(value)
        return found.growth, found.neutral
