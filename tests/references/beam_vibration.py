"""Bending frequencies of uniform slender beams at rest.

They are roots of the classical frequency equations (S. Timoshenko, Vibration Problems in Engineering), or those of the
linear cubic beam element.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.optimize import brentq

Array = NDArray[np.float64]


def pinned_pinned(number: int, EI: float = 1.0, rhoA: float = 1.0, length: float = 1.0) -> Array:
    """The first frequencies of a beam with both ends pinned."""
    return _frequencies(np.pi * np.arange(1.0, number + 1), EI, rhoA, length)


def clamped_free(number: int, EI: float = 1.0, rhoA: float = 1.0, length: float = 1.0) -> Array:
    """The first frequencies of a cantilever: cos λ cosh λ = −1."""
    return _frequencies(_roots(number, sign=1.0, first=0.0), EI, rhoA, length)


def free_free(number: int, EI: float = 1.0, rhoA: float = 1.0, length: float = 1.0) -> Array:
    """The first bending frequencies of a beam in free flight: cos λ cosh λ = 1, without the motions as a rigid body."""
    return _frequencies(_roots(number, sign=-1.0, first=np.pi), EI, rhoA, length)


def pinned_pinned_in_elements(parts: int, EI: float = 1.0, rhoA: float = 1.0, length: float = 1.0) -> Array:
    """All frequencies of a pinned beam of cubic elements with consistent mass."""
    # assemble deflection and slope of every node
    l = length / parts
    K, M = np.zeros((2 * parts + 2, 2 * parts + 2)), np.zeros((2 * parts + 2, 2 * parts + 2))
    stiffness = [[12, 6 * l, -12, 6 * l], [6 * l, 4 * l**2, -6 * l, 2 * l**2]]
    stiffness += [[-12, -6 * l, 12, -6 * l], [6 * l, 2 * l**2, -6 * l, 4 * l**2]]
    mass = [[156, 22 * l, 54, -13 * l], [22 * l, 4 * l**2, 13 * l, -3 * l**2]]
    mass += [[54, 13 * l, 156, -22 * l], [-13 * l, -3 * l**2, -22 * l, 4 * l**2]]
    for element in range(parts):
        at = slice(2 * element, 2 * element + 4)
        K[at, at] += EI / l**3 * np.array(stiffness)
        M[at, at] += rhoA * l / 420.0 * np.array(mass)

    # the ends do not deflect
    free = np.delete(np.arange(2 * parts + 2), [0, 2 * parts])
    return np.asarray(np.sqrt(eigh(K[np.ix_(free, free)], M[np.ix_(free, free)], eigvals_only=True)))


def _roots(number: int, sign: float, first: float) -> Array:
    """Roots of cos λ + sign/cosh λ = 0, one in each half turn from `first`."""
    edges = first + np.pi * np.arange(number + 1)
    return np.array([brentq(lambda x: np.cos(x) + sign / np.cosh(x), a, b, xtol=1e-15) for a, b in pairwise(edges)])


def _frequencies(root: Array, EI: float, rhoA: float, length: float) -> Array:
    return np.asarray((root / length) ** 2 * np.sqrt(EI / rhoA))
