"""Derivatives of eigenvalues by differences in numbers of fifty digits, of models whose matrices are known.

With fifty digits a one-sided difference over 1e-20 is right in twenty: no extrapolation, no eigenvectors, nothing that
the program does. Where a state of equilibrium follows the parameter, it is solved for anew at each value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mpmath as mp
import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.complex128]
Pencil = tuple[Any, Any, Any]
"""M, C, K as matrices of mpmath, real or complex"""

DIGITS, STEP = 50, "1e-20"


def differenced(pencil: Callable[..., Pencil], values: dict[str, float], name: str) -> tuple[Complex, Complex]:
    """The eigenvalues with positive or no imaginary part, the slowest first, and their derivatives."""
    with mp.workdps(DIGITS):
        exact = {key: mp.mpf(value) for key, value in values.items()}
        step = mp.mpf(STEP)
        here, there = roots(pencil(**exact)), roots(pencil(**{**exact, name: exact[name] + step}))
        slopes = [(b - a) / step for a, b in zip(here, there, strict=True)]
        return np.array([complex(root) for root in here]), np.array([complex(slope) for slope in slopes])


def roots(pencil: Pencil) -> list[Any]:
    """Roots of det(λ²M + λC + K), one of each pair; those of complex equations that go backward conjugate."""
    M, C, K = pencil
    n, inverse = M.rows, mp.inverse(M)
    first_order = mp.zeros(2 * n)
    stiffness, damping = inverse * K, inverse * C
    for i in range(n):
        first_order[i, n + i] = mp.mpf(1)
        for j in range(n):
            first_order[n + i, j], first_order[n + i, n + j] = -stiffness[i, j], -damping[i, j]
    values, _ = mp.eig(first_order)
    small = mp.mpf(10) ** (-DIGITS // 2) * max(abs(value) for value in values)
    if any(isinstance(entry, mp.mpc) for matrix in pencil for entry in matrix):
        upper = [mp.conj(value) if mp.im(value) < 0 else value for value in values]
    else:
        upper = [value for value in values if mp.im(value) >= -small]
    return sorted(upper, key=lambda value: (abs(value), mp.im(value)))


# ── models ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def cantilever(EA: Any, EI: Any, rhoA: Any, length: Any, tip: Any, time: Any, parts: int) -> Pencil:
    """A clamped planar beam of cubic elements with consistent mass, a mass on its end and Kelvin–Voigt damping.

    The cubic interpolates displacements along the beam as well, between ends whose tangents stay of unit length.
    """
    h, size = length / parts, 3 * (parts + 1)
    M, K = mp.zeros(size), mp.zeros(size)
    bending = [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2]]
    bending += [[-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]
    mass = [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h**2, 13 * h, -3 * h**2]]
    mass += [[54, 13 * h, 156, -22 * h], [-13 * h, -3 * h**2, -22 * h, 4 * h**2]]
    for part in range(parts):
        along, across = [3 * part, 3 * part + 3], [3 * part + k for k in (1, 2, 4, 5)]
        for i, row in enumerate(along):
            for j, column in enumerate(along):
                K[row, column] += EA / h * (1 if i == j else -1)
                M[row, column] += rhoA * h / 420 * (156 if i == j else 54)
        for i, row in enumerate(across):
            for j, column in enumerate(across):
                K[row, column] += EI / h**3 * bending[i][j]
                M[row, column] += rhoA * h / 420 * mass[i][j]
    for k in (size - 3, size - 2):
        M[k, k] += tip
    M, K = M[3:, 3:], K[3:, 3:]
    return M, time * K, K


def two_pendulums(a: Any, b: Any, m: Any, n: Any, k: Any, s: Any, c: Any, d: Any, g: Any, side: Any, up: Any) -> Pencil:
    """Two bars without mass, hanging one from the other, about the equilibrium under weight and forces on the end.

    Lengths a, b, masses m, n at their ends, torsion springs k, s and dampers c, d at their tops; u, v from below.
    """

    def balance(u: Any, v: Any) -> list[Any]:
        first = k * u - s * (v - u) + a * (((m + n) * g - up) * mp.sin(u) - side * mp.cos(u))
        return [first, s * (v - u) + b * ((n * g - up) * mp.sin(v) - side * mp.cos(v))]

    u, v = mp.findroot(balance, (mp.mpf("0.01"), mp.mpf("0.01")), tol=mp.mpf(10) ** (-2 * DIGITS + 10))
    M = mp.matrix([[(m + n) * a**2, n * a * b * mp.cos(u - v)], [n * a * b * mp.cos(u - v), n * b**2]])
    C = mp.matrix([[c + d, -d], [-d, d]])
    first = k + s + a * (((m + n) * g - up) * mp.cos(u) + side * mp.sin(u))
    return M, C, mp.matrix([[first, -s], [-s, s + b * ((n * g - up) * mp.cos(v) + side * mp.sin(v))]])


def spun_spring(k: Any, cubic: Any, mass: Any, length: Any, speed: Any) -> Pencil:
    """A mass on a spring k e + cubic e³ that turns: about its steady motion, along the spring."""

    def balance(e: Any) -> Any:
        return k * e + cubic * e**3 - mass * speed**2 * (length + e)

    e = mp.findroot(balance, mass * speed**2 * length / k, tol=mp.mpf(10) ** (-2 * DIGITS + 10))
    return mp.matrix([[mass]]), mp.zeros(1), mp.matrix([[k + 3 * cubic * e**2 - mass * speed**2]])


def jeffcott(mass: Any, k: Any, inner: Any, outer: Any, speed: Any) -> Pencil:
    """The sprung disc of `references.jeffcott`, w = y + iz."""
    return mp.matrix([[mass]]), mp.matrix([[inner + outer]]), mp.matrix([[mp.mpc(k, -speed * inner)]])


def overhung(EI: Any, length: Any, mass: Any, across: Any, along: Any, time: Any, speed: Any) -> Pencil:
    """The disc at the end of a shaft of `references.jeffcott`."""
    K = EI / length**3 * mp.matrix([[12, -6 * length], [-6 * length, 4 * length**2]])
    gyroscopic = mp.matrix([[0, 0], [0, mp.mpc(0, -speed * along)]])
    return mp.diag([mass, across]), time * K + gyroscopic, mp.mpc(1, -speed * time) * K


def sorted_pairs(
    values: Sequence[complex] | Complex, slopes: Sequence[complex] | Complex
) -> list[tuple[complex, complex]]:
    """Eigenvalues with their derivatives in an order that does not depend on rounding of the former."""
    return sorted(
        ((complex(a), complex(b)) for a, b in zip(values, slopes, strict=True)),
        key=lambda pair: (round(abs(pair[0]), 6), round(pair[0].imag, 6), pair[1].imag, pair[1].real),
    )
