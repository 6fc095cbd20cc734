"""The rolling disc in its reduced equations: Euler's equations in axes that do not pitch with it.

Axes: e₁ is level and points where the disc rolls, e₂ is the axle, e₃ goes from the contact to the centre; heading ψ,
lean φ about e₁. With ω = (φ', n, w) along these axes and Ω = (φ', w tan φ, w) of the axes themselves, rolling gives
the centre the velocity r(n, -φ', 0). The force of the ground F = m(v' + Ω×v) + m g e_z stands in H' + Ω×H = -r e₃×F:

    (A + m r²) φ'' = -A w² tan φ + (C + m r²) w n + m g r sin φ
    (C + m r²) n'  = -m r² φ' w
    A w'           = φ' (A w tan φ - C n)

and the contact goes at r(n - w tan φ) along e₁.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Disc:
    """Mass, radius, weight of a unit mass, and the moments of inertia about a diameter and about the axle."""

    m: float = 1.0
    r: float = 1.0
    g: float = 1.0
    A: float = 0.25
    C: float = 0.5

    def rates(self, _: float, state: Array) -> list[float]:
        """The rates of lean φ and its rate, spins n and w, heading ψ, and contact x and y."""
        phi, lean, n, w, psi, _, _ = state
        turn = w * np.tan(phi)
        return [
            lean,
            self._lean(phi, n, w),
            -self.m * self.r**2 * lean * w / (self.C + self.m * self.r**2),
            lean * (turn - self.C / self.A * n),
            w / np.cos(phi),
            self.r * (n - turn) * np.cos(psi),
            self.r * (n - turn) * np.sin(psi),
        ]

    def _lean(self, phi: Array, n: Array, w: Array) -> Array:
        m, r = self.m, self.r
        moment = -self.A * w**2 * np.tan(phi) + (self.C + m * r**2) * w * n + m * self.g * r * np.sin(phi)
        return moment / (self.A + m * r**2)

    def forces(self, state: Array) -> tuple[Array, Array, Array]:
        """The force of the ground: along the path, across it to the left, and upwards."""
        phi, lean, n, w, *_ = state
        m, r = self.m, self.r
        c, s, turn = np.cos(phi), np.sin(phi), w * np.tan(phi)
        spun = -m * r**2 * lean * w / (self.C + m * r**2)
        along = m * r * (spun + lean * w)
        second = m * (r * (w * n - self._lean(phi, n, w)) + self.g * s)
        third = m * (-r * (lean**2 + turn * n) + self.g * c)
        return along, c * second - s * third, s * second + c * third


def roll(disc: Disc, speed: float, lean_rate: float, times: Array, tolerance: float = 1e-13) -> Array:
    """The states at the times, upright at first and heading along x."""
    start = [0.0, lean_rate, speed / disc.r, 0.0, 0.0, 0.0, 0.0]
    found = solve_ivp(disc.rates, (0.0, times[-1]), start, "DOP853", times, rtol=tolerance, atol=tolerance)
    return np.asarray(found.y)
