"""Derivatives by differences with an estimate of their error, in steps that become finer until they are resolved.

The error is the difference of two formulas of different order, which both use the values at all steps but the outermost
ones. The formula of second order through the two inner values is no third opinion: where a function varies within
the steps both may be wrong by the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.step_error import derivative_weights
from flexura.derive.compiled import compiled

Array = NDArray[np.float64]

NOISE = 1e-11
"""Noise of values, relative to their size."""
_RESOLVED, _BETTER = 1e-9, 0.1
"""Permitted difference of both formulas, relative to the derivative, and factor by which finer steps must reduce it."""


class Estimate(NamedTuple):
    """Derivatives, the difference of both formulas, and the noise of values; rows are samples."""

    slopes: Array
    error: Array
    noise: Array
    """of each column"""

    @property
    def resolved(self) -> NDArray[np.bool_]:
        """True where both formulas agree."""
        return np.asarray(self.error <= _RESOLVED * np.abs(self.slopes) + self.noise)

    def scaled(self, by: Array | float) -> Estimate:
        """Derivatives by a parameter that is ``by`` times the step, row by row."""
        return Estimate(self.slopes * by, self.error * by, self.noise * np.max(by, initial=0.0))


def estimate(offsets: Sequence[float], weights: Sequence[float], values: Array) -> Estimate:
    """Derivatives by values at offsets, with the weights of the better formula; zero if all values are equal."""
    at = np.asarray(offsets)
    size = float(np.abs(at).max())
    inner, other = np.abs(at) < 0.99 * size, np.zeros(at.size)
    other[inner] = derivative_weights(at[inner])
    count, shape = values.shape[0], values.shape[1:]
    table = np.ascontiguousarray(values, dtype=float).reshape(count, shape[0] if shape else 1, -1)
    slopes, error = np.empty(table.shape[1:]), np.empty(table.shape[1:])
    largest = np.zeros(table.shape[2])
    _compare(table, np.asarray(weights, dtype=float), other, slopes, error, largest)
    noise = (NOISE * largest / size).reshape(shape[1:])
    return Estimate(slopes.reshape(shape), error.reshape(shape), noise)


@compiled
def _compare(values: Any, weights: Any, other: Any, slopes: Any, error: Any, largest: Any) -> None:
    """Derivatives by both formulas in one pass through the values (step, sample, quantity)."""
    for i in range(values.shape[1]):
        for j in range(values.shape[2]):
            first, still, better, worse = values[0, i, j], True, 0.0, 0.0
            for k in range(values.shape[0]):
                value = values[k, i, j]
                still = still and value == first
                better += weights[k] * value
                worse += other[k] * value
                if np.isnan(value) or abs(value) > largest[j]:  # not a number stays
                    largest[j] = abs(value)
            slopes[i, j] = 0.0 if still else better
            error[i, j] = 0.0 if still else abs(better - worse)


def best_slopes(first: Estimate, finer: Sequence[Callable[[], Estimate]]) -> Array:
    """Derivatives by the widest steps that resolve them, each; finer steps are used where they are clearly better.

    Noise that is small in one sample by chance is not better: errors are at least the median of all samples.
    """
    found, error, noise = first
    # a step that leaves the domain of a function, such as an oil film, gives no number
    found, error = found.copy(), np.where(np.isnan(error), np.inf, error)
    for make in finer:
        unresolved = ~Estimate(found, error, noise).resolved
        if not unresolved.any():
            break
        other = make()
        wrong = np.maximum(other.error, np.median(other.error, axis=0)) if other.error.ndim else other.error
        better = unresolved & (wrong < _BETTER * error)
        found, error = np.where(better, other.slopes, found), np.where(better, wrong, error)
    return np.asarray(found)
