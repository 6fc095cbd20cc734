"""Rolling cable drum that unwinds its cable: closed form from the conservation of kinetic energy.

A massless drum of radius r rolls over a plane by the angle φ = 2πn and leaves its cable, of mass m a turn, at rest on
the plane behind it. Wound mass and energy: [Schwab2002 (3.22)], [Schwab2002 (3.23)]; the forces are the rates of the
momenta of the wound cable.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import quad

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CableDrum:
    """Turns of cable at the start, mass a turn, radius, initial angular velocity."""

    turns: float = 10.0
    mass: float = 1.0
    radius: float = 1.0
    speed: float = 1.0


def effective_mass(case: CableDrum, phi: ArrayLike) -> Array:
    """The kinetic energy divided by m r² φ̇², [Schwab2002 (3.23)]."""
    angle = np.asarray(phi, dtype=np.float64)
    return case.turns - (angle - np.sin(angle)) / (2.0 * np.pi)


def angular_velocity(case: CableDrum, phi: ArrayLike) -> Array:
    """φ̇, from the energy of the start."""
    return case.speed * np.sqrt(case.turns / effective_mass(case, phi))


def angular_acceleration(case: CableDrum, phi: ArrayLike) -> Array:
    """φ̈ = −½ φ̇² (dM/dφ)/M."""
    angle = np.asarray(phi, dtype=np.float64)
    omega = angular_velocity(case, angle)
    return np.asarray((1.0 - np.cos(angle)) * omega**2 / (4.0 * np.pi * effective_mass(case, angle)))


def tension(case: CableDrum, phi: ArrayLike) -> Array:
    """The pull of the ground on the cable's end: minus the rate of the horizontal momentum m r M φ̇."""
    angle = np.asarray(phi, dtype=np.float64)
    omega = angular_velocity(case, angle)
    return np.asarray(case.mass * case.radius * omega**2 * (1.0 - np.cos(angle)) / (4.0 * np.pi))


def normal_force(case: CableDrum, phi: ArrayLike) -> Array:
    """The push of the ground on the drum: the rate of the vertical momentum m r φ̇ (cos φ − 1)/2π."""
    angle = np.asarray(phi, dtype=np.float64)
    omega, alpha = angular_velocity(case, angle), angular_acceleration(case, angle)
    momentum_rate = alpha * (np.cos(angle) - 1.0) - omega**2 * np.sin(angle)
    return np.asarray(case.mass * case.radius * momentum_rate / (2.0 * np.pi))


def time(case: CableDrum, phi: float) -> float:
    """The time at which the drum has turned by φ: ∫ dφ/φ̇, turn by turn."""
    edges = np.append(np.arange(0.0, phi, 2.0 * np.pi), phi)
    parts = (
        quad(lambda angle: 1.0 / float(angular_velocity(case, angle)), a, b, epsabs=0.0, epsrel=1e-13)[0]
        for a, b in pairwise(edges)
    )
    return float(sum(parts))
