"""Numbers given point by point, interpolated by a cubic spline."""

from __future__ import annotations

from itertools import pairwise
from typing import Protocol

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.errors import ModelError

Array = NDArray[np.float64]


class Tables(Protocol):
    """Collector of the tables of expressions (a :class:`flexura.derive.program_builder.ProgramBuilder`)."""

    def table(self, breaks: Array, coefficients: Array) -> int:
        """Number of this table."""


def spline(x: tuple[float, ...], y: tuple[float, ...]) -> tuple[Array, Array]:
    """The breaks and, interval by interval, the coefficients (ascending, from its left end) of the cubic spline.

    The third derivative is continuous at the last but one points (not-a-knot), so that samples of a cubic give that
    cubic; two points give a line, three a parabola.
    """
    fitted = scipy.interpolate.CubicSpline(x, y)
    coefficients = np.zeros((len(x) - 1, 4))
    # SciPy has the highest power first
    coefficients[:, : len(fitted.c)] = fitted.c[::-1].T
    return np.array(x, dtype=float), coefficients


def refuse_bad_points(where: str, x: tuple[float, ...], y: tuple[float, ...]) -> None:
    """Refuse a table without two pairs of numbers at increasing arguments."""
    if len(x) != len(y):
        raise ModelError(where, f"x has {len(x)} numbers and y has {len(y)}", "give equal numbers of both")
    if len(x) < 2:
        raise ModelError(where, f"{len(x)} points are too few for a curve", "give two points or more")
    for i, (left, right) in enumerate(pairwise(x)):
        if right <= left:
            what = f"x[{i + 1}] = {right:g} is not greater than x[{i}] = {left:g}"
            raise ModelError(f"{where}.x", what, "sort the points by x, each x once")
