"""Elastica: a slender cantilever, clamped along x, with a dead transverse force or a moment at its tip.

The force stays parallel to y. With tip slope θ, k² = (1 + sin θ)/2 and tan ψ = 1/√sin θ at the clamp,

    √(PL²/EI) = K(k) − F(ψ, k),   x/L = 2k cos ψ / √(PL²/EI),   y/L = 1 − 2 (E(k) − E(ψ, k)) / √(PL²/EI)

K. E. Bisshopp and D. C. Drucker, Quarterly of Applied Mathematics 3 (1945) 272–275; to five digits tabulated by
K. Mattiasson, International Journal for Numerical Methods in Engineering 17 (1981) 145–153.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc


@dataclass(frozen=True)
class Tip:
    """Position of the tip over the length, and its rotation."""

    x: float
    y: float
    rotation: float


def end_force(load: float) -> Tip:
    """The tip of a cantilever under the load PL²/EI > 0."""
    # the tip slope that gives the load; it grows with the load from 0 to π/2
    root = np.sqrt(load)
    theta = float(brentq(lambda angle: _root_of_load(angle) - root, 1e-12, 0.5 * np.pi - 1e-12, xtol=1e-15, rtol=1e-15))

    # positions from the same integrals
    m, psi = _modulus(theta), _clamp(theta)
    x = 2.0 * np.sqrt(m) * np.cos(psi) / root
    y = 1.0 - 2.0 * (ellipe(m) - ellipeinc(psi, m)) / root
    return Tip(float(x), float(y), theta)


def _root_of_load(theta: float) -> float:
    m = _modulus(theta)
    return float(ellipk(m) - ellipkinc(_clamp(theta), m))


def _modulus(theta: float) -> float:
    """k²."""
    return 0.5 * (1.0 + float(np.sin(theta)))


def _clamp(theta: float) -> float:
    """ψ, written so that nothing cancels at small slopes."""
    return float(np.arctan2(1.0, np.sqrt(np.sin(theta))))
