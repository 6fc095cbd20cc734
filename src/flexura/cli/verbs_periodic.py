"""Analyses of periodic motions as a file asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Annotated, Literal

import numpy as np

from flexura.analyses.periodic import continuation as following
from flexura.analyses.periodic import periodic as vibrations
from flexura.analyses.periodic import stability as judging
from flexura.analyses.periodic import superpose as superposing
from flexura.analyses.periodic import sweep as sweeping
from flexura.analyses.periodic.periodic_methods import HarmonicBalance, PeriodicMethod, Shooting, StabilityMethod
from flexura.cli.verbs import Parameter, Span
from flexura.errors import ModelError
from flexura.laws.signals import Ramp
from flexura.laws.units import Bounds, Positive, Unit
from flexura.model.model import Model
from flexura.results.branch import Branch
from flexura.results.cycle import Cycle
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.small_motion import SmallMotion
from flexura.results.stability import Stability, StabilityChart
from flexura.results.sweep import Sweep

Turn = Literal["turn"]
Period = Annotated[float | Turn, Unit("s", 'after which all repeats; "turn": of the input that turns'), Positive()]
PeriodOver = Annotated[
    float | Turn, Unit("s", 'after which all repeats; "turn": 2π/value of the parameter'), Positive()
]
Harmonics = Annotated[int, Unit("", "the highest harmonic"), Bounds(1, 200)]
Positions = Annotated[int | None, Unit("", "positions in a period, as many as are needed if not said"), Bounds(3, 4096)]
Values = Annotated[Sequence[float] | Span, Unit("", "of the parameter: a list that rises, or start, stop, count")]
By = Annotated[StabilityMethod | None, Unit("", "how exponents are found; the monodromy matrix if not said")]
_BALANCE = HarmonicBalance()


def periodic(
    model: Model,
    period: Period,
    harmonics: Annotated[int | None, Unit("", "the highest harmonic, as needed if not said"), Bounds(0, 200)] = None,
    positions: Positions = None,
    method: Annotated[PeriodicMethod, Unit("", "small vibrations or the full equations")] = _BALANCE,
) -> PeriodicMotion | Cycle:
    """The periodic motion of a machine that runs: small vibrations, or a motion of the full equations."""
    return vibrations.periodic(model, _settled(model, period), harmonics, positions, method=method)


def sweep(
    model: Model,
    parameter: Parameter,
    values: Values,
    period: PeriodOver = "turn",
    harmonics: Annotated[int | None, Unit("", "the highest harmonic, as needed if not said"), Bounds(0, 200)] = None,
    positions: Positions = None,
    method: Annotated[HarmonicBalance | Shooting, Unit("", "small vibrations or the full equations")] = _BALANCE,
) -> Sweep:
    """Periodic motions at many values of a parameter."""
    return sweeping.sweep(
        model,
        parameter,
        _spread(values),
        _over(period),
        harmonics=harmonics,
        positions=positions,
        method=method,
    )


def stability(
    model: Model,
    parameter: Parameter,
    values: Values,
    period: PeriodOver = "turn",
    positions: Positions = None,
    method: By = None,
) -> Stability:
    """How small vibrations grow or die out over a parameter, with the limits of stability."""
    return judging.stability(model, parameter, _spread(values), _over(period), positions=positions, method=method)


def stability_chart(
    model: Model,
    parameters: Annotated[tuple[str, str], Unit("", "paths of two numbers of the model")],
    values: Annotated[tuple[Values, Values], Unit("", "of either parameter")],
    period: PeriodOver = "turn",
    positions: Positions = None,
    method: By = None,
) -> StabilityChart:
    """The same over two parameters; the period follows the first."""
    spread = _spread(values[0]), _spread(values[1])
    return judging.stability_chart(model, parameters, spread, _over(period), positions=positions, method=method)


def continuation(
    model: Model,
    parameter: Parameter,
    span: Annotated[tuple[float, float], Unit("", "of the parameter, where the branch begins and where it ends")],
    period: PeriodOver = "turn",
    harmonics: Harmonics = 12,
    positions: Positions = None,
    step: Annotated[float, Unit("", "the longest step, as a part of the span"), Positive()] = 0.05,
    points: Annotated[int, Unit("", "the most motions"), Bounds(2, 100_000)] = 400,
    tolerance: Annotated[float, Unit("", "of the motions, as a part of them"), Positive()] = 1e-8,
    switch: Annotated[bool, Unit("", "follow the motions of twice the period that begin at flips, too")] = False,
) -> Branch:
    """Periodic motions of the full equations along a parameter, round folds, with their stability."""
    return following.continuation(
        model,
        parameter,
        span,
        _over(period),
        harmonics=harmonics,
        positions=positions,
        step=step,
        points=points,
        tolerance=tolerance,
        switch=switch,
    )


def superpose(
    model: Model,
    until: Annotated[float, Unit("s", "when to stop"), Positive()],
    period: Annotated[float | Turn | None, Unit("s", "of the nominal motion, if it has one"), Positive()] = None,
    samples: Annotated[int, Unit("", "how many times, equally spaced"), Bounds(2)] = 501,
    positions: Positions = None,
    tolerance: Annotated[float, Unit("", "of the small motion"), Positive()] = 1e-8,
) -> SmallMotion:
    """Small motion on the nominal motion, with loads by formulas as they are."""
    settled = None if period is None else _settled(model, period)
    return superposing.superpose(
        model, until, period=settled, samples=samples, positions=positions, tolerance=tolerance
    )


def _settled(model: Model, period: float | Turn) -> float:
    """A period in s."""
    if period != "turn":
        return period
    rates = [signal.rate for signal in model.inputs.values() if isinstance(signal, Ramp) and signal.rate]
    if len(rates) != 1:
        what = f"{len(rates) or 'no'} inputs turn steadily, so that it is not clear what a turn is"
        raise ModelError("period", what, "give the period in s")
    return 2.0 * pi / abs(rates[0])


def _over(period: float | Turn) -> float | None:
    return None if period == "turn" else period


def _spread(values: Sequence[float] | Span) -> Sequence[float]:
    if not isinstance(values, Span):
        return values
    found: list[float] = np.linspace(values.start, values.stop, values.count).tolist()
    return found
