"""Annotations and checks that the arguments of several analyses share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from flexura.analyses.declaration import FileForm, ScriptOnly
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.laws.units import Bounds, Positive, Unit
from flexura.laws.validation import validate
from flexura.model.mentions import PARAMETER
from flexura.model.model import Model


@dataclass(frozen=True)
class Span:
    """Numbers at equal distances."""

    start: Annotated[float, Unit("", "first value")]
    stop: Annotated[float, Unit("", "last value")]
    count: Annotated[int, Unit("", "number of values"), Bounds(2, 100_000)] = 21

    def __post_init__(self) -> None:
        validate(self)

    @property
    def numbers(self) -> Floats:
        """The numbers."""
        return np.linspace(self.start, self.stop, self.count)


def spread(model: Model, values: Sequence[float] | Span) -> Floats:
    """The numbers of a list or a span."""
    if isinstance(values, Span):
        return values.numbers
    return np.array(values, dtype=float)


def spread_both(model: Model, values: tuple[Any, Any]) -> tuple[Floats, Floats]:
    """The numbers of two lists or spans."""
    return spread(model, values[0]), spread(model, values[1])


def parameter_values(values: Sequence[float] | Floats, least: int = 1, rising: bool = True) -> Floats:
    """Values of a parameter as an array, which must increase if they are ``rising``."""
    at = np.asarray(values, dtype=float)
    if at.ndim != 1 or at.size < least or (rising and np.any(np.diff(at) <= 0.0)):
        wanted = "give a list of numbers" if least == 1 else "give two numbers or more"
        raise ModelError("values", "these are not values of a parameter", wanted + (" that rise" if rising else ""))
    return at


def refuse_path(span: tuple[float, float], points: int) -> None:
    """Refuse a path over an interval of a parameter that is empty, or without points."""
    if np.shape(span) != (2,) or not np.all(np.isfinite(span)) or span[0] == span[1]:
        raise ModelError("span", f"{span} is not an interval", "give two different values of the parameter")
    if points < 1:
        raise ModelError("points", f"{points} is too few", "give 1 or more")


Listed = Annotated[Sequence[float] | Span, Unit("", "increasing list, or a table of start, stop and count")]
ParameterPath = Annotated[str, Unit("", "path of a number of the model, as in elements.rod.section.EI"), PARAMETER]
Values = Annotated[
    Sequence[float] | Floats,
    Unit("", "values of the parameter: an increasing list, or a table of start, stop and count"),
    FileForm(Sequence[float] | Span, spread),
]
Strict = Annotated[bool, Unit("", "raise an error if the run does not reach its end")]
Shown = Annotated[bool | None, Unit("", "show a progress bar; by default on a terminal"), ScriptOnly()]
Count = Annotated[int, Unit("", "number of eigenvalues, in order of increasing magnitude"), Bounds(1, 100_000)]
Time = Annotated[float, Unit("s", "time of inputs and loads")]

MOST_SAMPLES = 10_000_000
"""More would fill the memory of most machines."""

Until = Annotated[float | None, Unit("s", "last output time; by default the last of times"), Positive()]
Samples = Annotated[
    int | None, Unit("", "number of equally spaced output times; 501 by default"), Bounds(2, MOST_SAMPLES)
]
Times = Annotated[Sequence[float] | None, Unit("s", "output times, increasing; instead of samples")]
