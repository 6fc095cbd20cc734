"""Cardan joint: two shafts in one plane at the angle γ, joined by a cross.

The input shaft lies along x, the output shaft along (cos γ, sin γ, 0). The input yoke turns by θ and carries a pin
of the cross, p = (0, −sin θ, cos θ): at θ = 0 it is normal to the plane of the shafts. The output yoke carries the
other pin, q ⟂ p and ⟂ the output shaft, and turns by χ. From p·q = 0,

    tan χ = cos γ tan θ,   dχ/dθ = cos γ / (1 − sin²γ sin²θ),   tan A = tan γ cos θ,   sin B = sin γ sin θ

with A the angle of the cross in the input yoke, about p, and B that in the output yoke, about q. With the pin of the
input yoke in the plane of the shafts at θ = 0 all is a quarter of a turn ahead: sines and cosines of θ change places,
and the ratio is cos γ / (1 − sin²γ cos²θ) [Schwab2002 section 3.4.1]. That is `quarter=True`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def output_angle(theta: ArrayLike, gamma: float, quarter: bool = False) -> Array:
    """χ, zero at θ = 0 and continuous over any number of turns."""
    # χ − θ as one arctangent that never leaves ±π/2
    angle = np.asarray(theta, dtype=np.float64)
    c = 1.0 / np.cos(gamma) if quarter else np.cos(gamma)
    s2, c2 = np.sin(angle) ** 2, np.cos(angle) ** 2
    return np.asarray(angle + np.arctan2((c - 1.0) * np.sin(angle) * np.cos(angle), c2 + c * s2))


def speed_ratio(theta: ArrayLike, gamma: float, quarter: bool = False) -> Array:
    """Output speed over input speed, dχ/dθ."""
    wave = _phase(theta, quarter)
    return np.asarray(np.cos(gamma) / (1.0 - (np.sin(gamma) * np.sin(wave)) ** 2))


def acceleration_ratio(theta: ArrayLike, gamma: float, quarter: bool = False) -> Array:
    """d²χ/dθ²: the output acceleration at a constant input speed of 1."""
    wave = _phase(theta, quarter)
    ratio = speed_ratio(theta, gamma, quarter)
    return np.asarray(ratio**2 * np.sin(gamma) ** 2 * np.sin(2.0 * wave) / np.cos(gamma))


def joint_angles(theta: ArrayLike, gamma: float, quarter: bool = False) -> tuple[Array, Array]:
    """The angles A of the cross in the input yoke and B of the cross in the output yoke, both between −γ and γ."""
    wave = _phase(theta, quarter)
    return np.arctan(np.tan(gamma) * np.cos(wave)), np.arcsin(np.sin(gamma) * np.sin(wave))


def pins(theta: ArrayLike, gamma: float, quarter: bool = False) -> tuple[Array, Array]:
    """Directions of the pins p of the input yoke and q of the output yoke, x, y, z on the last axis."""
    wave = _phase(theta, quarter)
    chi = output_angle(wave, gamma)
    p = np.stack([np.zeros_like(wave), -np.sin(wave), np.cos(wave)], axis=-1)
    q = np.stack([-np.sin(gamma) * np.cos(chi), np.cos(gamma) * np.cos(chi), np.sin(chi)], axis=-1)
    return p, q


def _phase(theta: ArrayLike, quarter: bool) -> Array:
    """The turn of the input yoke since its pin was normal to the plane of the shafts."""
    return np.asarray(theta, dtype=np.float64) + (0.5 * np.pi if quarter else 0.0)
