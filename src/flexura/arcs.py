"""Angle over its sine as a function of its cosine: a measure of bending without a singularity at zero."""

from __future__ import annotations

import math

import numpy as np

_MANY, _ORDERS = 44, 6
FEWER, FEW = (11, 0.004), (18, 0.06)
"""Numbers of terms of the series, and the arguments w below which they suffice: at angles of 7° and of 28°."""


def _coefficients() -> np.ndarray:
    """ϑ/sin ϑ = Σ wⁿ Π 2k/(2k + 1) with w = (1 - cos ϑ)/2, and its derivatives by the cosine, a row an order."""
    plain = np.cumprod([1.0, *(2 * k / (2 * k + 1) for k in range(1, _MANY + _ORDERS))])
    rows = [
        [(-0.5) ** order * math.perm(n + order, order) * plain[n + order] for n in range(_MANY)]
        for order in range(_ORDERS)
    ]
    return np.array(rows)


SERIES = _coefficients()


def arc_number(c: float, order: float) -> float:
    """Derivative of an order of ϑ/sin ϑ by the cosine, for one number; compiled code calls the same function."""
    n_th = int(order)
    w = 0.5 * (1.0 - c)
    if w < 0.25:
        # the recurrence below loses digits at small angles
        total = 0.0
        terms = FEWER[0] if w < FEWER[1] else FEW[0] if w < FEW[1] else _MANY
        for n in range(terms - 1, -1, -1):
            total = SERIES[n_th, n] + w * total
        return total
    # (1 - c²) f⁽ⁿ⁾ = (2n - 1) c f⁽ⁿ⁻¹⁾ + (n - 1)² f⁽ⁿ⁻²⁾, from (1 - c²) f′ = c f - 1
    square = 1.0 - c * c
    before, value = 0.0, math.acos(c) / math.sqrt(square)
    for n in range(1, n_th + 1):
        following = ((2 * n - 1) * c * value + ((n - 1) ** 2 * before if n > 1 else -1.0)) / square
        before, value = value, following
    return value
