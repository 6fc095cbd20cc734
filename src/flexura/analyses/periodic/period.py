"""Period of a motion over a parameter: a number, a formula of the parameter's value, or a function of it."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

import numpy as np

from flexura.derive.expression import const
from flexura.errors import ModelError
from flexura.laws.expressions import parse

Period = float | str | Callable[[float], float] | None
"""In s; a text is a formula of the ``value`` of the parameter, and ``"turn"`` or nothing stands for 2π/value."""

TURN = "turn"
_FORMULA = "2*pi/abs(value)"
"""The formula of a turn."""


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
    """Period as data; None where it is a function."""
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
