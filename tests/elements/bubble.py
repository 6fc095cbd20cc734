"""A user's own element with coordinates of its own: a beam whose deflection has bubble modes besides the cubic."""

from typing import Annotated

import numpy as np
from numpy.polynomial import Legendre
from scipy.linalg import block_diag

from flexura.algebra import atan2, hermite, norm, vec
from flexura.elements.element import Element
from flexura.laws.units import Bounds, Positive, Unit
from flexura.nodes import At, End


def bubble(k):
    """Deflection b with b″ = P(k+1) in s: zero at both ends, with zero slope, and orthogonal to the others in b″."""
    return Legendre.basis(k + 1, domain=[0, 1]).integ(2, lbnd=0.0)


class BubbleBeam(Element):
    r"""Slender beam with modes: :math:`w = \varepsilon_2 s(1-s)^2 + \varepsilon_3 s^2(1-s) + \sum_k q_k b_k(s)`."""

    p: At[End]
    q: At[End]
    EA: Annotated[float, Unit("N", "axial stiffness"), Positive()]
    EI: Annotated[float, Unit("N·m²", "bending stiffness"), Positive()]
    rhoA: Annotated[float, Unit("kg/m", "mass per length"), Positive()]
    modes: Annotated[int, Unit("", "number of bubble modes"), Bounds(1, 20)] = 2

    strains = ("elongation", "bending_p", "bending_q")

    @property
    def coordinates(self):
        """mode_1, mode_2 and so on, one for each mode"""
        return tuple(f"mode_{k}" for k in range(1, self.modes + 1))

    @property
    def quadrature(self):
        return self.modes + 4

    def strain(self, p, q, modes):
        chord = q.r - p.r
        angle = atan2(-(chord @ p.n), chord @ p.t)
        w = vec(self.length * angle, -self.length * (angle + q.phi - p.phi), *modes)
        # the chord is shorter by half the mean square of the slope
        shortening = sum(w[i] * w[j] * g for (i, j), g in np.ndenumerate(self.slopes()))
        return vec(norm(chord) - self.length + 0.5 * shortening / self.length, w[0], w[1])

    def shape(self, s, p, q, modes):
        chord = q.r - p.r
        normal = vec(-chord[1], chord[0]) / norm(chord)
        cubic = hermite(s, p.r, self.length * p.t, q.r, self.length * q.t)
        return cubic + normal * sum(a * bubble(k)(s) for k, a in enumerate(modes, start=1))

    def slopes(self):
        """∫w′w′ds between the functions of the deflection."""
        x, weight = np.polynomial.legendre.leggauss(self.modes + 4)
        s = 0.5 * (1 + x)
        w = [1 - 4 * s + 3 * s**2, 2 * s - 3 * s**2, *(bubble(k).deriv()(s) for k in range(1, self.modes + 1))]
        return np.array(w) * (0.5 * weight) @ np.array(w).T

    def measure(self, p, q):
        return {"mass": self.rhoA * float(norm(q.r - p.r))}

    def stiffness(self, length):
        own = [1 / (2 * k + 3) for k in range(1, self.modes + 1)]
        bending = block_diag([[4.0, -2.0], [-2.0, 4.0]], np.diag(own))
        return block_diag(self.EA / length, self.EI / length**3 * bending)
