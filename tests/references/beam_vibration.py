"""Bending frequencies of uniform slender beams, at rest, in elements, and turning as a blade.

At rest: roots of the classical frequency equations (S. Timoshenko, Vibration Problems in Engineering). In elements: the
linear cubic beam element. Blade: Rayleigh and Ritz with polynomials; the tension of the turning stiffens both motions,
in the plane of rotation (lag) the turning base takes off the square of the speed:
ω²(lag) = ω²(flap) − Ω². Tabulated by A. D. Wright, C. E. Smith, R. W. Thresher and J. L. C. Wang, Journal of Applied
Mechanics 49 (1982) 197–202.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.polynomial import legendre, polynomial
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


def blade_flap(
    number: int,
    speed: float,
    hub: float = 0.0,
    EI: float = 1.0,
    rhoA: float = 1.0,
    length: float = 1.0,
    terms: int = 14,
) -> Array:
    """The first frequencies out of the plane of rotation of a cantilever on a hub that turns at a constant speed."""
    return np.sqrt(_blade(speed, hub, EI, rhoA, length, terms)[:number])


def blade_lag(
    number: int,
    speed: float,
    hub: float = 0.0,
    EI: float = 1.0,
    rhoA: float = 1.0,
    length: float = 1.0,
    terms: int = 14,
) -> Array:
    """The first frequencies in the plane of rotation of a cantilever on a hub that turns at a constant speed."""
    return np.sqrt(_blade(speed, hub, EI, rhoA, length, terms)[:number] - speed**2)


def _blade(speed: float, hub: float, EI: float, rhoA: float, length: float, terms: int) -> Array:
    """Squares of the frequencies of flap by Ritz, with s² times Legendre polynomials of s = x/L from 0 to 1."""
    # quadrature points, and the shapes with two derivatives there
    z, w = legendre.leggauss(terms + 6)
    s, w = 0.5 * (z + 1.0), 0.5 * w * length
    shapes, slopes, curvatures = np.zeros((3, terms, s.size))
    for k in range(terms):
        p = polynomial.polymul([0.0, 0.0, 1.0], _shifted_legendre(k))
        shapes[k] = polynomial.polyval(s, p)
        slopes[k] = polynomial.polyval(s, polynomial.polyder(p)) / length
        curvatures[k] = polynomial.polyval(s, polynomial.polyder(p, 2)) / length**2

    # energy of bending, work of the tension, mass
    tension = rhoA * speed**2 * length * (hub * (1.0 - s) + 0.5 * length * (1.0 - s**2))
    K = (EI * w * curvatures) @ curvatures.T + (tension * w * slopes) @ slopes.T
    M = (rhoA * w * shapes) @ shapes.T
    return np.asarray(eigh(K, M, eigvals_only=True))


def _shifted_legendre(k: int) -> Array:
    """Coefficients of P_k(2s − 1) in powers of s."""
    coefficients = np.zeros(k + 1)
    coefficients[k] = 1.0
    in_z = legendre.leg2poly(coefficients)
    total = np.zeros(k + 1)
    for power, c in enumerate(in_z):
        total[: power + 1] += c * polynomial.polypow([-1.0, 2.0], power)
    return total


def _roots(number: int, sign: float, first: float) -> Array:
    """Roots of cos λ + sign/cosh λ = 0, one in each half turn from `first`."""
    edges = first + np.pi * np.arange(number + 1)
    return np.array([brentq(lambda x: np.cos(x) + sign / np.cosh(x), a, b, xtol=1e-15) for a, b in pairwise(edges)])


def _frequencies(root: Array, EI: float, rhoA: float, length: float) -> Array:
    return np.asarray((root / length) ** 2 * np.sqrt(EI / rhoA))
