"""Quantities of the results of any analysis, with derivatives between the results of neighbours.

Periodic motions, critical speeds, limits of stability and critical loads are found to rounding, so that differences of
sixth order have nine digits or more. What is not found so well, or not smooth, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Scale, assigned, number_at, on_some_side, scale_of
from flexura.analyses.gradients.sloped_quantities import Sloped
from flexura.analyses.studies.quantities import Term, evaluate
from flexura.analyses.studies.quantity import Quantity
from flexura.errors import AnalysisError
from flexura.model.model import Model

Array = NDArray[np.float64]
Analysis = Callable[[Model], Any]
Wanted = Mapping[str, Term | Callable[[Any], float]]

_AGREE, _AGREE_ON_ONE_SIDE = 1e-4, 0.02
"""Parts of a derivative by which estimates by all steps and by the inner ones may differ."""
_NOISE = 1e-7
"""Noise of quantities, against their size, above which their derivatives are not accurate."""


def sloped_analysis(
    model: Model, perform: Analysis, wanted: Wanted, by: Sequence[str], scale: Scale
) -> tuple[Array, dict[str, Sloped]]:
    """Values of the parameters, and quantities of the result with their derivatives."""
    own = _Values(perform, wanted)
    first = own.of(model)
    numbers = np.array([number_at(model, path, _no_start(path)) for path in by])
    columns = []
    for path, number in zip(by, numbers.tolist(), strict=True):
        size = scale_of(model, path, number, scale)

        def values(
            steps: Sequence[tuple[float, float]], path: str = path, number: float = number
        ) -> tuple[Array, Array]:
            return np.array(steps), np.array([own.of(assigned(model, path, number + offset)) for offset, _ in steps])

        columns.append(_slopes(*on_some_side(values, path, number, size), (path, number, size), list(wanted)))
    slopes_of = np.array(columns).reshape(len(by), len(wanted)).T
    return numbers, {
        name: Sloped(np.array(first[k]), slopes_of[k], own.units.get(name, "")) for k, name in enumerate(wanted)
    }


def _no_start(path: str) -> Callable[[str], float]:
    def missing(name: str) -> float:
        raise AnalysisError(f"parameter '{path}': the model gives no start of '{name}'; give it one")

    return missing


class _Values:
    """Quantities of an analysis of several models, and their units."""

    def __init__(self, perform: Analysis, wanted: Wanted) -> None:
        self.perform, self.wanted = perform, wanted
        self.units: dict[str, str] = {}

    def of(self, model: Model) -> list[float]:
        """Quantities of a model."""
        result = self.perform(model)
        return [self._number(name, how, result) for name, how in self.wanted.items()]

    def _number(self, name: str, how: Term | Callable[[Any], float], result: Any) -> float:
        found = evaluate(how, result) if isinstance(how, Term) else Quantity(np.asarray(how(result), dtype=float))
        if found.values.ndim or not np.isfinite(found.values):
            what = f"has {found.values.size} values" if found.values.ndim else "is not finite"
            raise AnalysisError(f"'{name}' {what}; it must be one finite number, as in max({name})")
        self.units[name] = found.unit
        return float(found.values)


def _slopes(steps: Array, values: Array, at: tuple[str, float, float], names: list[str]) -> Array:
    """Derivatives by differences, which must agree with those of the inner steps."""
    path, number, size = at
    offsets, weights = steps.T
    found = weights @ values
    low, high = np.sort(np.argsort(np.abs(offsets))[:2])
    rough = (values[high] - values[low]) / (offsets[high] - offsets[low])
    agree = _AGREE if offsets.min() < 0.0 < offsets.max() else _AGREE_ON_ONE_SIDE
    doubtful = np.abs(found - rough) > agree * np.abs(found) + _NOISE * np.abs(values).max(axis=0) / size
    if doubtful.any():
        name = names[int(np.argmax(doubtful))]
        raise AnalysisError(
            f"'{name}' does not vary smoothly with '{path}' near {number:g}: it jumps, has a kink, or is not found"
            " accurately enough to have a derivative"
        )
    return np.asarray(found)
