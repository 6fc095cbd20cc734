"""Quantities of a motion with their derivatives: the expressions of studies, differentiated term by term."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.studies.quantity_expressions import Term, combined_unit
from flexura.analyses.studies.reductions import ELEMENTWISE, REDUCTIONS
from flexura.errors import AnalysisError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Sloped:
    """Values with a column of derivatives for each parameter; a history also has the times of its samples."""

    values: Array
    slopes: Array
    unit: str = ""
    t: Sloped | None = None

    def plus(self, values: Array, slopes: Array, unit: str) -> Sloped:
        """Other values at the same times."""
        return Sloped(values, slopes, unit, self.t)

    def number(self, value: float, slopes: Array, unit: str | None = None) -> Sloped:
        """Number in place of the values."""
        return Sloped(np.array(value), slopes, self.unit if unit is None else unit)


class Source(Protocol):
    """Result that provides values with their derivatives by name."""

    parameters: int

    def variable(self, name: str) -> Sloped:
        """History of a signal, or another variable."""

    def event_times(self, signal: str, most: int) -> Sloped:
        """Times of the first events of a signal."""

    def time_slope(self, term: Term, history: Sloped, sample: int) -> Array:
        """Derivative of the time at which a history has its extremum, near a sample."""


def evaluate(term: Term, source: Source) -> Sloped:
    """Value and derivatives of an expression."""
    if term.kind == "number":
        return Sloped(np.array(float(term.text)), np.zeros(source.parameters))
    if term.kind == "signal":
        return source.variable(term.text)
    if term.kind == "operation":
        left, right = (evaluate(part, source) for part in term.parts)
        return _combined(term.text, left, right)
    if term.text == "events":
        most = float(term.parts[1].text) if len(term.parts) > 1 and term.parts[1].kind == "number" else 20.0
        return source.event_times(term.parts[0].text, int(max(most, 1.0)))
    if term.text in ELEMENTWISE:
        return _elementwise(term.text, evaluate(term.parts[0], source))
    if term.text in REDUCTIONS:
        return _reduced(term, evaluate(term.parts[0], source), source)
    raise AnalysisError(f"{term.text} has no derivative; name a number such as max({term.parts[0].text})")


def _combined(sign: str, a: Sloped, b: Sloped) -> Sloped:
    wide = a if a.values.ndim else b
    unit = combined_unit(sign, a.unit, b.unit)
    x, y = a.values[..., None], b.values[..., None]
    if sign in "+-":
        one = 1.0 if sign == "+" else -1.0
        return wide.plus(a.values + one * b.values, a.slopes + one * b.slopes, unit)
    if sign == "*":
        return wide.plus(a.values * b.values, a.slopes * y + x * b.slopes, unit)
    with np.errstate(divide="ignore", invalid="ignore"):
        return wide.plus(a.values / b.values, (a.slopes * y - x * b.slopes) / y**2, unit)


_SLOPES: dict[str, Callable[[Array], Array]] = {
    "abs": np.sign,
    "sqrt": lambda x: 0.5 / np.sqrt(x),
    "exp": np.exp,
    "log": lambda x: 1.0 / x,
    "sin": np.cos,
    "cos": lambda x: -np.sin(x),
}


def _elementwise(name: str, inner: Sloped) -> Sloped:
    with np.errstate(all="ignore"):
        values = np.asarray(ELEMENTWISE[name](inner.values))
        slopes = _SLOPES[name](inner.values)[..., None] * inner.slopes
    return inner.plus(values, slopes, inner.unit if name == "abs" else "")


def _reduced(term: Term, h: Sloped, source: Source) -> Sloped:
    name = term.text
    if h.values.ndim != 1:
        raise AnalysisError(f"{name} needs a history, not a single number; leave it out")
    if h.values.size == 0:
        raise AnalysisError(f"{name} of nothing: the history is empty")
    if name in ("max", "min", "initial", "final"):
        last = int(h.values.size) - 1
        k = {"max": int(h.values.argmax()), "min": int(h.values.argmin()), "initial": 0, "final": last}[name]
        return h.number(float(h.values[k]), h.slopes[k])
    if name == "range":
        high, low = int(h.values.argmax()), int(h.values.argmin())
        return h.number(float(h.values[high] - h.values[low]), h.slopes[high] - h.slopes[low])
    if name in ("time_of_max", "time_of_min"):
        k = int(h.values.argmax() if name == "time_of_max" else h.values.argmin())
        if h.t is None:
            raise AnalysisError(f"{name} needs a history over time")
        return h.number(float(h.t.values[k]), source.time_slope(term.parts[0], h, k), "s")
    if name == "integral":
        return h.number(*_integral(h), f"{h.unit}·s")
    mean = h.number(*_mean(h))
    if name == "mean":
        return mean
    centred = h if name == "rms" else _combined("-", h, mean)
    square, slopes = _mean(_combined("*", centred, centred))
    root = float(np.sqrt(square))
    with np.errstate(divide="ignore", invalid="ignore"):
        return h.number(root, slopes / (2.0 * root))


def _integral(h: Sloped) -> tuple[float, Array]:
    """Integral over time by trapezoids."""
    t = h.t.values if h.t is not None else np.arange(h.values.size, dtype=float)
    wide, mean = np.diff(t), 0.5 * (h.values[1:] + h.values[:-1])
    slopes = wide @ (0.5 * (h.slopes[1:] + h.slopes[:-1]))
    if h.t is not None:
        slopes = slopes + mean @ np.diff(h.t.slopes, axis=0)
    return float(wide @ mean), slopes


def _mean(h: Sloped) -> tuple[float, Array]:
    """Mean over time."""
    if h.t is None or h.values.size < 2:
        return float(h.values.mean()), h.slopes.mean(axis=0)
    whole, slopes = _integral(h)
    span = float(h.t.values[-1] - h.t.values[0])
    return whole / span, slopes / span - whole / span**2 * (h.t.slopes[-1] - h.t.slopes[0])
