"""Uniform shafts that turn, as beams of Rayleigh: exact roots, by closed form and by transfer matrices.

With w = y + iz of a symmetric shaft about x at the speed Ω, without shear,

    EI w⁗ + ρA ẅ - ρI(ẅ″ - 2iΩẇ″) = 0.

Between pins w = sin(nπx/L) exp(iωt) and (ρA + ρIκ²)ω² - 2ΩρIκ²ω - EIκ⁴ = 0, κ = nπ/L. In general w = exp(λt + sx) with
EI s⁴ - ρI(λ² - 2iΩλ)s² + ρAλ² = 0. Sections with such solutions are put together by the values of w, w′, the moment
M = EI w″ and the shear V = EI w‴ - ρI(λ² - 2iΩλ)w′, with jumps at springs, discs and seals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class Shaft:
    """Numbers of a uniform shaft at a speed."""

    EI: float
    rhoA: float
    rhoI: float
    speed: float


@dataclass(frozen=True)
class Station:
    """What acts where: a force -(k + cλ + mλ²)w, and the inertia of a disc about its diameter and its axis."""

    x: float
    k: complex = 0.0
    c: complex = 0.0
    mass: float = 0.0
    across: float = 0.0
    along: float = 0.0


def pinned(shaft: Shaft, length: float, n: int) -> tuple[float, float]:
    """Frequencies of the nth forward and backward whirl between pins."""
    square = (n * np.pi / length) ** 2
    a, b, c = shaft.rhoA + shaft.rhoI * square, shaft.speed * shaft.rhoI * square, shaft.EI * square**2
    root = np.sqrt(b * b + a * c)
    return float((b + root) / a), float((root - b) / a)


def pinned_critical(shaft: Shaft, length: float, n: int) -> float:
    """The speed at which the nth forward whirl is as fast as the shaft turns."""
    square = (n * np.pi / length) ** 2
    return float(square * np.sqrt(shaft.EI / (shaft.rhoA - shaft.rhoI * square)))


def determinant(shaft: Shaft, stations: tuple[Station, ...], root: complex) -> complex:
    """Zero at a root of a shaft with free ends, from the first station to the last."""
    turning = shaft.rhoI * (root**2 - 2j * shaft.speed * root)
    field = np.zeros((4, 4), dtype=complex)  # d(w, w′, M, V)/dx
    field[0, 1], field[1, 2], field[2, 1], field[2, 3] = 1.0, 1.0 / shaft.EI, turning, 1.0
    field[3, 0] = -shaft.rhoA * root**2
    state = np.eye(4, dtype=complex)[:, :2]
    at = stations[0].x
    for station in stations:
        state = expm(field * (station.x - at)) @ state
        at = station.x
        jump = np.eye(4, dtype=complex)
        jump[3, 0] = -(station.k + station.c * root + station.mass * root**2)
        jump[2, 1] = station.across * root**2 - 1j * shaft.speed * station.along * root
        state = jump @ state
    found: complex = np.linalg.det(state[2:])
    return found


def polish(shaft: Shaft, stations: tuple[Station, ...], near: complex) -> complex:
    """The root near a guess, by the secant."""
    before, root = near * (1.0 + 1e-6), near
    old = determinant(shaft, stations, before)
    for _ in range(30):
        new = determinant(shaft, stations, root)
        if new == old or abs(root - before) < 1e-14 * abs(root):
            return root
        before, root, old = root, root - new * (root - before) / (new - old), new
    return root
