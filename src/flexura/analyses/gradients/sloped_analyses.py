"""Quantities of the results of any analysis, with derivatives by differences of neighbouring results.

Periodic motions, critical speeds, limits of stability and critical loads are computed to rounding, so that differences
of sixth order have nine digits or more. Less accurate or non-smooth quantities are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import LARGEST_STEP, assigned, number_at, on_some_side, resolved
from flexura.analyses.gradients.sloped_quantities import Sloped
from flexura.analyses.gradients.step_error import apart
from flexura.analyses.studies.quantity import Quantity
from flexura.analyses.studies.quantity_expressions import Term, evaluate
from flexura.errors import AnalysisError
from flexura.model.model import Model
from flexura.model.parameter_scale import Scale, scale_of

Array = NDArray[np.float64]
Analysis = Callable[[Model], Any]
Wanted = Mapping[str, Term | Callable[[Any], float]]

_AGREE, _AGREE_ON_ONE_SIDE = 1e-4, 0.02
"""Permitted relative difference of derivatives by all steps and by the inner ones."""
_NOISE = 1e-7
"""Relative noise of quantities above which their derivatives are inaccurate."""


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

        make = partial(on_some_side, values, path, number)
        (steps, found), size = resolved(make, lambda near: _doubt(*near).max(initial=0.0), size)
        columns.append(_slopes(steps, found, np.array(first), (path, number), list(wanted)))
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


def _doubt(steps: Array, values: Array) -> Array:
    """Difference of derivatives by all steps and by the inner ones, relative to the permitted one."""
    offsets, weights = steps.T
    found, size = weights @ values, np.abs(offsets).max() / LARGEST_STEP
    low, high = np.sort(np.argsort(np.abs(offsets))[:2])
    rough = (values[high] - values[low]) / (offsets[high] - offsets[low])
    agree = _AGREE if offsets.min() < 0.0 < offsets.max() else _AGREE_ON_ONE_SIDE
    allowed = agree * np.abs(found) + _NOISE * np.abs(values).max(axis=0) / size
    return np.asarray(np.abs(found - rough) / np.maximum(allowed, 1e-300))


def _slopes(steps: Array, values: Array, own: Array, at: tuple[str, float], names: list[str]) -> Array:
    """Derivatives by differences, which must agree with those of inner steps and with the model's ``own`` values."""
    path, number = at
    doubt = np.where(
        apart(steps[:, 0].tolist(), list(values), own, _NOISE * np.abs(own)), np.inf, _doubt(steps, values)
    )
    if (doubt > 1.0).any():
        name = names[int(np.argmax(doubt > 1.0))]
        raise AnalysisError(
            f"'{name}' does not vary smoothly with '{path}' near {number:g}: it jumps, has a kink, or is not found"
            " accurately enough to have a derivative"
        )
    return np.asarray(steps[:, 1] @ values)
