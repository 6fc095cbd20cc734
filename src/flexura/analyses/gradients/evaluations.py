"""Evaluations of quantities and their derivatives in a space of parameters, each computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.gradient import paths_of
from flexura.analyses.gradients.neighbours import assigned
from flexura.analyses.gradients.sloped_quantities import Sloped
from flexura.analyses.gradients.sloped_results import Differentiated
from flexura.analyses.studies.quantity_expressions import Term
from flexura.errors import AnalysisError, ModelError
from flexura.model.conversion import shown
from flexura.model.model import Model
from flexura.model.parameters import number_of

Array = NDArray[np.float64]
Vary = Mapping[str, tuple[float, float]] | Sequence[str]


@dataclass(frozen=True)
class Space:
    """Parameters with bounds; points are measured from the lower bound in fractions of the range or initial values."""

    paths: tuple[str, ...]
    low: Array
    high: Array
    first: Array
    unit: Array

    def point(self, numbers: Array) -> Array:
        """Point for values of the parameters."""
        return np.asarray((numbers - self.first) / self.unit)

    def numbers(self, point: Array) -> Array:
        """Values of the parameters at a point, within their bounds exactly."""
        return np.clip(self.first + self.unit * point, self.low, self.high)

    @property
    def bounds(self) -> tuple[Array, Array]:
        """Bounds of points."""
        return self.point(self.low), self.point(self.high)


def space_of(model: Model, vary: Vary) -> Space:
    """Varied parameters, from those of the model."""
    paths = paths_of(model, list(vary))
    ranges = dict(vary) if isinstance(vary, Mapping) else {}
    first = []
    for path in paths:
        given = model.start.get(path.removeprefix("start.")) if path.startswith("start.") else number_of(model, path)
        if not isinstance(given, float | int):
            raise ModelError(f"vary '{path}'", f"{shown(given)} is no number", "name a number, and give starts a value")
        low, high = ranges.get(path, (-inf, inf))
        if not low <= given <= high or not low < high:
            what = f"the value {given:g} is not between {low:g} and {high:g}"
            raise ModelError(f"vary '{path}'", what, "give bounds that rise, with the value of the model between them")
        first.append(float(given))
    table = np.array([ranges.get(path, (-inf, inf)) for path in paths], dtype=float).reshape(-1, 2)
    start, lows, highs = np.array(first), table[:, 0], table[:, 1]
    unit = np.where(np.isfinite(highs - lows), highs - lows, np.where(start != 0.0, np.abs(start), 1.0))
    return Space(paths, lows, highs, start, unit)


@dataclass
class Evaluations:
    """Quantities over a space, with a record of all evaluated points."""

    model: Model
    space: Space
    terms: Mapping[str, Term]
    run: Differentiated
    points: list[Array] = field(default_factory=list)
    values: list[Array] = field(default_factory=list)
    known: dict[bytes, dict[str, Sloped]] = field(default_factory=dict)

    def changed(self, point: Array) -> Model:
        """Model at a point."""
        model = self.model
        for path, number in zip(self.space.paths, self.space.numbers(point).tolist(), strict=True):
            model = assigned(model, path, number)
        return model

    def at(self, point: Array) -> dict[str, Sloped] | None:
        """Quantities with derivatives by the coordinates of a point; None if the model does not run there."""
        key = np.asarray(point, dtype=float).tobytes()
        if key not in self.known:
            try:
                found = self.run.evaluate(self.changed(point), self.terms, self.space.paths).found
            except (ModelError, AnalysisError):
                if not self.points:
                    raise
                return None
            scaled = {name: Sloped(one.values, one.slopes * self.space.unit, one.unit) for name, one in found.items()}
            self.known = {key: scaled, **dict(list(self.known.items())[:8])}
            self.points.append(self.space.numbers(point))
            self.values.append(np.array([_size(one) for one in scaled.values()]))
        return self.known[key]


def _size(one: Sloped) -> float:
    """Magnitude of a number, or root mean square of a history."""
    return float(one.values) if not one.values.ndim else float(np.sqrt(np.mean(one.values**2)))
