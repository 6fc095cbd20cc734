"""Period of a motion over a parameter: a number, a formula of the parameter's value, or a function of it."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Annotated

import numpy as np

from flexura.analyses.declaration import FileForm
from flexura.derive.expression import const, symbol
from flexura.errors import ModelError
from flexura.laws.formula_parser import parse
from flexura.laws.signals import Ramp
from flexura.laws.units import Bounds, Positive, Unit
from flexura.model.model import Model

Period = float | str | Callable[[float], float] | None
"""Period in s; a text is a formula of the ``value`` of the parameter, and ``"turn"`` or None stands for 2π/value."""

PERIOD = 'time after which all repeats; "turn": of the input that turns'
Harmonics = Annotated[
    int | None, Unit("", "highest harmonic; by default determined from the decay of the coefficients"), Bounds(0, 200)
]
Positions = Annotated[
    int | None,
    Unit("", "number of positions in a period; by default determined from the decay of the coefficients"),
    Bounds(3, 4096),
]
TURN = "turn"
_FORMULA = "2*pi/abs(value)"
"""Formula of the period of a revolution."""


def settled(model: Model, period: float | str | None) -> float | None:
    """Period in s; that of a revolution belongs to the only input with a steady rate."""
    if period is None or not isinstance(period, str):
        return period
    rates = [signal.rate for signal in model.inputs.values() if isinstance(signal, Ramp) and signal.rate]
    if len(rates) != 1:
        what = f"{len(rates) or 'no'} inputs turn steadily, so that the revolution is not defined"
        raise ModelError("period", what, "give the period in s")
    return 2.0 * float(np.pi) / abs(rates[0])


def check_period(period: float | str | None) -> None:
    """Refuse a formula that cannot be read."""
    if isinstance(period, str) and period != TURN:
        try:
            parse(period, {"value": symbol("value")})
        except ModelError as error:
            raise error.within("period") from None


PeriodOver = Annotated[
    Period,
    Unit(
        "s",
        'time after which the motion repeats, or a formula of value; "turn" (default): 2π/value of the parameter',
    ),
    Positive(),
    FileForm(float | str | None, check=check_period),
]


def duration(period: Period) -> Callable[[float], float]:
    """Function from the value of a parameter to the period."""
    if period is None or period == TURN:
        return _turn
    if isinstance(period, str):
        return _formula(period)
    if callable(period):
        return period
    return lambda value: period


def stored(period: Period) -> float | str | None:
    """Period as data; None for a function."""
    if period is None:
        return TURN
    return None if callable(period) else period


def doubled(period: Period) -> Period:
    """Twice the period."""
    if period is None or isinstance(period, str):
        return f"2*({_FORMULA if period in (None, TURN) else period})"
    lasts = duration(period)
    return (lambda value: 2.0 * lasts(value)) if callable(period) else 2.0 * period


def _turn(value: float) -> float:
    if not value:
        what = "a shaft at rest has no period"
        raise ModelError("values", what, "begin above zero, or give the period")
    return float(2.0 * np.pi / abs(value))


def _formula(text: str) -> Callable[[float], float]:
    def at(value: float) -> float:
        try:
            found = parse(text, {"value": const(value)})
            number = float(found.data)
        except ModelError as error:
            raise error.within("period") from None
        except (ZeroDivisionError, TypeError):
            number = float("nan")
        if not isfinite(number):
            raise ModelError("period", f"'{text}' has no value at {value:g}", "give a formula of 'value' that has one")
        return number

    return at
