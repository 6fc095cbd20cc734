"""Internal damping: Kelvin–Voigt time constants, also from a ratio of critical damping.

The frequencies are those of a link that is divided in equal finite elements with consistent mass, in closed form: the
first mode of a uniform mesh is a sine over the nodes (displacements) and a cosine (rotations).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated

from flexura.errors import ModelError
from flexura.laws.units import NonNegative, Unit

TimeConstant = Annotated[float, Unit("s", "Kelvin–Voigt time constant β in σ = S(ε + β ε̇)"), NonNegative()]
DampingRatio = Annotated[float, Unit("", "ratio of critical damping of the first mode of the element"), NonNegative()]

Frequency = Callable[[float, float, float, int], float]
"""A frequency as a function of stiffness, mass per length, length and number of parts."""


def pinned_frequency(EI: float, rhoA: float, length: float, parts: int = 1) -> float:
    """The first bending frequency in rad/s of a beam on pinned ends, divided in equal cubic beam elements."""
    h = length / parts
    if parts == 1:
        # both ends turn alike and nothing else moves
        return math.sqrt(120.0 * EI / (rhoA * h**4))

    # K and M of the two amplitudes: V of sin kφ in the deflection, Θ of cos kφ in h times the slope
    phi = math.pi / parts
    c, s, half = math.cos(phi), math.sin(phi), math.sin(0.5 * phi) ** 2
    k11, k12, k22 = 48.0 * half, -12.0 * s, 8.0 + 4.0 * c
    m11, m12, m22 = 312.0 + 108.0 * c, 26.0 * s, 8.0 - 6.0 * c

    # the lower root λ of det(K - λM) = aλ² - bλ + d, in forms that do not cancel
    a, b = m11 * m22 - m12 * m12, k11 * m22 + k22 * m11 - 2.0 * k12 * m12
    d = 192.0 * half * half
    return math.sqrt(420.0 * EI / (rhoA * h**4) * 2.0 * d / (b + math.sqrt(b * b - 4.0 * a * d)))


def bar_frequency(EA: float, rhoA: float, length: float, parts: int = 1) -> float:
    """The first longitudinal frequency in rad/s of a bar with free ends, divided in equal two-node elements."""
    h, phi = length / parts, math.pi / parts
    return math.sqrt(12.0 * EA / (rhoA * h * h * (2.0 + math.cos(phi)))) * math.sin(0.5 * phi)


def time_constant(ratio: float, frequency: float) -> float:
    """The Kelvin–Voigt time constant β = 2ζ/ω that gives the mode of this frequency this ratio of critical damping."""
    return 2.0 * ratio / frequency


def refuse_both(where: str, damping: float, damping_ratio: float) -> None:
    """Refuse damping given in two ways."""
    if damping and damping_ratio:
        what = "damping and damping_ratio are both given, and each determines the damping"
        raise ModelError(where, what, "give one of them")
