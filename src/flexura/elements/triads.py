"""The drawn axes of spatial elements: an axis along the element, and one across it that the user may choose."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import Annotated, Any

import numpy as np

from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.nodes import AXIS

Direction = tuple[float, float, float]
Across = Annotated[Direction, Unit("", "near the second of its axes, y, as drawn; as it comes if not given")]

UNSAID: Direction = (0.0, 0.0, 0.0)
"""A direction that is not given."""


def axis_numbers(along: Iterable[Any], across: Direction = UNSAID) -> dict[str, float]:
    """The numbers that draw an element's axes: t along it, n across it as near as can be to the wish ``across``.

    Without a wish n is near the global axis that is most nearly normal to t.
    """
    return dict(zip(AXIS, euler_parameters(drawn_axes(along, across)), strict=True))


def drawn_axes(along: Iterable[Any], across: Direction = UNSAID) -> np.ndarray:
    """The axes t, n, b as columns."""
    t = np.array([float(c) for c in along])
    if not np.any(t):
        what = "it has no direction: the one given is zero, or its nodes are drawn at the same place"
        raise ModelError("", what, "give a direction, or move one of the nodes")
    t = _unit(t)
    wish = np.array(across, dtype=float)
    if not np.any(wish):
        wish = np.eye(3)[np.argmin(np.abs(t))]
    wish = _unit(wish)
    n = wish - (wish @ t) * t
    if np.linalg.norm(n) <= 1e-9:
        what = "the direction across is along the element itself"
        raise ModelError("across", what, "give a direction that is not parallel to it")
    n = _unit(n)
    return np.column_stack([t, n, np.cross(t, n)])


def _unit(v: np.ndarray) -> np.ndarray:
    """A vector of length one; numbers of any size are brought to that of one first, for their squares."""
    scaled: np.ndarray = v / np.abs(v).max()
    return scaled / np.linalg.norm(scaled)


def euler_parameters(matrix: np.ndarray) -> tuple[float, float, float, float]:
    """The Euler parameters of a rotation matrix, from its largest diagonal combination."""
    r = matrix
    squares = np.array(
        [
            1.0 + r[0, 0] + r[1, 1] + r[2, 2],
            1.0 + r[0, 0] - r[1, 1] - r[2, 2],
            1.0 - r[0, 0] + r[1, 1] - r[2, 2],
            1.0 - r[0, 0] - r[1, 1] + r[2, 2],
        ]
    )
    k = int(np.argmax(squares))
    products = np.array(
        [
            [squares[0], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
            [r[2, 1] - r[1, 2], squares[1], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0]],
            [r[0, 2] - r[2, 0], r[0, 1] + r[1, 0], squares[2], r[1, 2] + r[2, 1]],
            [r[1, 0] - r[0, 1], r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], squares[3]],
        ]
    )
    e = products[k] / (2.0 * sqrt(squares[k]))
    e = e if e[0] >= 0.0 else -e
    return float(e[0]), float(e[1]), float(e[2]), float(e[3])
