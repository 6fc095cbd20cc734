r"""A wheel without trail under a fork that is led straight ahead, which neither slips nor spins.

Yaw ψ, roll φ, speed v, radius r, W at the height of the radius. The contact, r tan φ to the side, goes where the wheel
points, and the spin about the normal is none:

    φ' = (v/r) sin ψ cos² φ + what the fork gives, ψ' = -(v/r) tan φ cos ψ.

With a rigid fork 2 ln cos ψ - tan² φ stays, and a wave is a quadrature. With a flexible one the small motions obey

    m δ'' + k₁₁ δ + k₁₂ φ = F,  A φ'' - C (v/r) ψ' + k₂₁ δ + k₂₂ φ = r F,  δ' + r φ' = v ψ,  ψ' = -(v/r) φ

with the sideways force F of the ground, the deflection δ and the stiffness k of a cantilever.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, expm1, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad


def wavelength(yaw: float, radius: float = 1.0) -> float:
    """How far a wheel under a rigid fork goes in one wave that begins with a yaw: 2πr where that is small."""
    square = -2.0 * log(cos(yaw))

    def slowness(angle: float) -> float:
        u = square * cos(angle) ** 2
        return sqrt(u / -expm1(-u)) if u else 1.0

    return 4.0 * radius * quad(slowness, 0.0, 0.5 * pi, epsabs=1e-13, epsrel=1e-13)[0]


@dataclass(frozen=True)
class Caster:
    """A uniform disc under a massless fork; ``delay`` is the damping of the fork over its stiffness."""

    EI: float = 10.0
    length: float = 1.0
    mass: float = 1.0
    radius: float = 1.0
    speed: float = 1.0
    delay: float = 0.0

    def roots(self) -> NDArray[np.complex128]:
        """Of the characteristic polynomial of the small motions."""
        m, r, l, v, turning = self.mass, self.radius, self.length, self.speed, self.speed / self.radius
        across, along = 0.25 * m * r**2, 0.5 * m * r**2
        stiff = self.EI * np.array([self.delay, 1.0])
        k11, k12, k22 = 12.0 / l**3 * stiff, -6.0 / l**2 * stiff, 4.0 / l * stiff
        swing = np.polyadd(k22 - 2.0 * r * k12 + r**2 * k11, [along * turning**2 + m * r * v * turning])
        polynomial = np.polyadd([across + m * r**2, 0.0, 0.0, 0.0, 0.0], np.polymul(swing, [1.0, 0.0, 0.0]))
        return np.roots(np.polyadd(polynomial, v * turning * (r * k11 - k12)))

    def static(self) -> float:
        """The wavelength without inertia [SchwabMeijaard2003 (35)]."""
        ratio = self.length / self.radius
        return 2.0 * pi * self.radius * sqrt(1.0 + ratio * (2.0 * ratio + 3.0) / (3.0 * ratio + 6.0))
