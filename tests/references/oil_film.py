"""Forces of a cavitating oil film by quadrature of the pressure of Reynolds' equation, in dimensionless form.

The film is h/c = H = 1 - ξ cos θ - η sin θ and is squeezed by a velocity of the journal along θ = 0. The short bearing
has a parabola of pressure along its axis, the long one the periodic pressure around it; of either, the half of the
circumference between two opposite points of equal pressure counts, where it is above the ambient one. W is the force on
the sleeve over 2 μ l (r/c)³ v, with the components along and across the velocity.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq


def short(xi: float, eta: float, slenderness: float) -> np.ndarray:
    """W of the short bearing; λ = l/2r is its slenderness."""

    def film(theta: np.ndarray) -> np.ndarray:
        return 1.0 - xi * np.cos(theta) - eta * np.sin(theta)

    # sinh spreads the points of Gauss about the narrowest place of the film
    narrow, least = np.arctan2(eta, xi), max(1.0 - np.hypot(xi, eta), 1e-3)
    ends = np.arcsinh((np.array([-np.pi / 2, np.pi / 2]) - narrow) / least)
    nodes, weights = np.polynomial.legendre.leggauss(400)
    s = ends[0] + 0.5 * (ends[1] - ends[0]) * (nodes + 1.0)
    theta = narrow + least * np.sinh(s)
    density = 0.5 * (ends[1] - ends[0]) * weights * least * np.cosh(s) * np.cos(theta) / film(theta) ** 3
    return 2.0 * slenderness**2 * np.array([density @ np.cos(theta), density @ np.sin(theta)])


def long(xi: float, eta: float, points: int = 8192) -> np.ndarray:
    """W of the long bearing, from a Fourier series of the pressure over the whole circumference."""
    theta = 2.0 * np.pi * np.arange(points) / points
    cubed = (1.0 - xi * np.cos(theta) - eta * np.sin(theta)) ** -3
    # H³ dP/dθ = C - sin θ, with C so that the pressure comes round to itself
    flux = (np.sin(theta) * cubed).mean() / cubed.mean()
    slope = np.fft.rfft((flux - np.sin(theta)) * cubed) / points
    order = np.arange(slope.size)
    series = np.zeros_like(slope)
    series[1:] = slope[1:] / (1j * order[1:])

    def pressure(at: np.ndarray | float) -> np.ndarray:
        return 2.0 * np.real(np.exp(1j * np.multiply.outer(at, order[1:-1])) @ series[1:-1])

    # the film begins and ends at opposite points of equal pressure
    start = brentq(lambda a: float(pressure(a) - pressure(a + np.pi)), -np.pi, 0.0, xtol=1e-15)
    nodes, weights = np.polynomial.legendre.leggauss(2000)
    arc = start + 0.5 * np.pi * (nodes + 1.0)
    excess = pressure(arc) - float(pressure(start))
    sign = np.sign(weights @ excess)
    if sign < 0:
        arc, excess = arc + np.pi, pressure(arc + np.pi) - float(pressure(start))
    return 6.0 * 0.5 * np.pi * np.array([weights @ (excess * np.cos(arc)), weights @ (excess * np.sin(arc))])
