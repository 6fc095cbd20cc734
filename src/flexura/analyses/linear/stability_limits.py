"""Limits of stability over a parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy

from flexura.derive.records import Floats

FINE = 1e-12
"""Tolerance of limits, relative to the largest value."""

Growth = Callable[[float], tuple[float, float]]
"""Growth at a value, and its possible rounding error."""


class Bound(NamedTuple):
    """Zero of the growth rate."""

    value: float
    rising: bool
    neutral: bool
    """true next to a neutral range, where the zero is known to the square root of rounding"""


def limits(growth: Growth, at: Floats) -> Iterator[Bound]:
    """Zeros of the growth rate."""
    found = [growth(float(value)) for value in at]
    signs = np.array([np.sign(rate) if abs(rate) > rounding else 0.0 for rate, rounding in found])
    # a value that happens to be a limit between stable and unstable is skipped, a neutral one is not
    alone = np.zeros(signs.size, dtype=bool)
    alone[1:-1] = (signs[1:-1] == 0.0) & (signs[:-2] * signs[2:] < 0.0)
    fine = FINE * max(float(np.abs(at).max()), 1e-300)
    for (a, start), (b, end) in pairwise(zip(signs[~alone], at[~alone].tolist(), strict=True)):
        if (a > 0.0) != (b > 0.0):
            # next to a neutral range, the limit is where rounding ends
            share = 1.0 if a * b == 0.0 else 0.0

            def above(value: float, share: float = share) -> float:
                rate, rounding = growth(value)
                return rate - share * rounding

            yield Bound(scipy.optimize.brentq(above, start, end, xtol=fine), bool(b > 0.0), share > 0.0)
