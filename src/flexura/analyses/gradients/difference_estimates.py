"""Derivatives by differences with an estimate of their error, in steps that become finer until they are resolved.

The error is the difference of two formulas of different order, which both use the values at all steps but the outermost
ones. The formula of second order through the two inner values is no third opinion: where a function varies within
the steps both may be wrong by the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.step_error import derivative_weights

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
    inner = np.abs(at) < 0.99 * size
    still = np.all(values == values[:1], axis=0)
    found = np.where(still, 0.0, np.tensordot(weights, values, axes=1))
    other = np.where(still, 0.0, np.tensordot(derivative_weights(at[inner]), values[inner], axes=1))
    noise = NOISE * np.abs(values).max(axis=tuple(range(min(values.ndim, 2))), initial=0.0) / size
    return Estimate(found, np.abs(found - other), np.asarray(noise))


def best_slopes(first: Estimate, finer: Sequence[Callable[[], Estimate]]) -> Array:
    """Derivatives by the widest steps that resolve them, each; finer steps are used where they are clearly better.

    Noise that is small in one sample by chance is not better: errors are at least the median of all samples.
    """
    found, error, noise = first
    found = found.copy()
    for make in finer:
        unresolved = ~Estimate(found, error, noise).resolved
        if not unresolved.any():
            break
        other = make()
        wrong = np.maximum(other.error, np.median(other.error, axis=0)) if other.error.ndim else other.error
        better = unresolved & (wrong < _BETTER * error)
        found, error = np.where(better, other.slopes, found), np.where(better, wrong, error)
    return np.asarray(found)
