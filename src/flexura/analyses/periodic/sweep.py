"""Periodic motions at many values of a parameter."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from flexura.analyses.arguments import ParameterPath, Values, parameter_values
from flexura.analyses.declaration import analysis
from flexura.analyses.motion.model_cache import CACHE
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.period import Harmonics, PeriodOver, Positions, duration
from flexura.analyses.periodic.periodic import periodic, vibration
from flexura.analyses.periodic.periodic_methods import HarmonicBalance, Shooting
from flexura.laws.units import Unit
from flexura.model.model import Model
from flexura.results.cycle import Cycle
from flexura.results.parameter_units import parameter_unit
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.sweep import Sweep

_BALANCE = HarmonicBalance()


@analysis
@CACHE.in_hand()
def sweep(
    model: Model,
    parameter: ParameterPath,
    values: Values,
    period: PeriodOver = None,
    *,
    harmonics: Harmonics = None,
    positions: Positions = None,
    method: Annotated[
        HarmonicBalance | Shooting, Unit("", "method for small vibrations or for the full equations")
    ] = _BALANCE,
) -> Sweep:
    """Periodic motions over the values of a parameter, as computed by :func:`periodic`.

    ``period`` is the time in s after which the motion repeats, or a function from the value of the parameter to
    the period; the default is 2π/value. Each value uses the prepared model of the one before and, with ``Shooting()``,
    its motion as the initial guess. A sweep jumps at folds; :func:`continuation` follows them.
    """
    at = parameter_values(values, rising=False)
    lasts = duration(period)
    found: list[PeriodicMotion | Cycle] = []
    course: Course | None = None
    for value in at.tolist():
        changed = model.with_parameter(parameter, value)
        if isinstance(method, Shooting):
            warm = _warm(method, found[-1]) if found else method
            found.append(periodic(changed, lasts(value), positions=positions, method=warm))
            continue
        course = Course(changed) if course is None else course.changed(changed)
        found.append(vibration(course, lasts(value), harmonics, positions, method.tolerance))
    return Sweep(model.title, parameter, at, tuple(found), parameter_unit(model, parameter))


def _warm(method: Shooting, last: PeriodicMotion | Cycle) -> Shooting:
    """Shooting from the start of the last motion."""
    names = [name + prime for name in last.coordinates for prime in ("", "'")]
    return replace(method, start={name: float(last[name][0]) for name in names})
