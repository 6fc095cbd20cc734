"""Error of differences between neighbours, from two formulas of different order.

A change that is moderate for a parameter may be large for dependent quantities: a node that is drawn a kilometre away
moves relative to its link, and an initial angle of a hundred turns relative to a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats

_ALLOWED = 1e-7
"""Permitted relative difference of the two formulas; the better one has a thousandth of it."""
_NOISE, _ROUNDING = 1e-12, 1e-15
"""Noise of values, relative to their size, and of angles and slopes that are zero, which is not attributed to steps."""

_JUMP, _SAME = 0.4, 1e-9
"""Distances of a value from the curve through its neighbours, relative to the range of these and to itself: half of
the range and more at a jump, less than a third at a kink, as distances of nodes at the same place have."""


def step_error(offsets: Sequence[float], values: Sequence[Floats]) -> float:
    """Difference of the derivatives by all values and without the outermost ones, relative to the permitted one.

    ``values`` are those of several functions at each offset, side by side.
    """
    at, table = np.asarray(offsets), np.asarray(values)
    finite = np.all(np.isfinite(table), axis=0)
    table = table[:, finite] - table[np.argmin(np.abs(at)), finite]
    size = float(np.abs(at).max())
    inner = np.abs(at) < 0.99 * size
    found, other = (derivative_weights(at[some]) @ table[some] for some in (np.ones_like(inner), inner))
    noise = _NOISE * np.abs(np.asarray(values)[:, finite]).max(axis=0) + _ROUNDING
    return float(np.max(np.abs(found - other) / (_ALLOWED * np.abs(found) + noise / size), initial=0.0))


def apart(offsets: Sequence[float], values: Sequence[Floats], own: Floats, floor: float | Floats) -> NDArray[np.bool_]:
    """True for values of a model that are not on the curve through those of its neighbours, at a jump.

    Differences up to ``floor``, and of rounding, do not count.
    """
    at, table = np.asarray(offsets), np.asarray(values)
    if not np.all(at):
        return np.zeros(own.shape, dtype=np.bool_)
    finite = np.isfinite(own) & np.all(np.isfinite(table), axis=0)
    table, own = np.where(finite, table, 0.0), np.where(finite, own, 0.0)
    curve = _weights(tuple(at.tolist()), 0) @ table
    allowed = _JUMP * np.ptp(table, axis=0) + _SAME * np.abs(own) + floor
    return np.asarray(np.abs(curve - own) > allowed)


def derivative_weights(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of values at given offsets in the derivative at zero, exact for polynomials through all of them."""
    return _weights(tuple(at.tolist()), 1)


@lru_cache(maxsize=256)
def _weights(at: tuple[float, ...], order: int) -> NDArray[np.float64]:
    """Weights of values at offsets in the value at zero, or in its derivative of first order."""
    size = max(map(abs, at))
    powers = np.vander(np.array(at) / size, increasing=True).T
    found = np.asarray(np.linalg.solve(powers, np.eye(len(at))[order]) / size**order)
    found.flags.writeable = False
    return found
