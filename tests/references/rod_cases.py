"""Rods of the literature, and strips that twist, for `cosserat_rod`; data in the units of their sources.

45° bend: K.-J. Bathe and S. Bolourchi, International Journal for Numerical Methods in Engineering 14 (1979) 961–986.
Strip with a weight: E. H. Dowell and J. J. Traybar (1975), the "Princeton beam experiment", with the data of
O. A. Bauchau and others, Multibody System Dynamics 37 (2016) 29–48.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from references.cosserat_rod import Line, Rod, held_ends

Array = NDArray[np.float64]


def bend(torsion: float = 1.0 / 6.0, stretch: bool = False, shear: bool = False) -> Rod:
    """An eighth of a circle of radius 100, section 1 × 1, E = 10⁷, G = 5·10⁶, GJ = G `torsion`; load along z.

    Clamped along x, the centre at y = 100. `torsion` is 1/6 where the polar moment is taken, 0.1406 for a square. The
    shear area is 1, the whole section.
    """
    E, G = 1e7, 5e6
    rod = Rod(25.0 * np.pi, G * torsion, (E / 12.0, E / 12.0), curvature=(0.0, 0.0, 0.01))
    return replace(rod, EA=E if stretch else np.inf, GA=(G, G) if shear else (np.inf, np.inf))


def princeton_beam(angle: float) -> Rod:
    """A strip of 0.508 m, 12.377 × 3.2024 mm, E = 71.7 GPa, ν = 0.31, clamped along x, turned by `angle` about x.

    At angle 0 the wide side, which is stiff, lies along z, as do the weights of 4.448, 8.896 and 13.345 N. It neither
    stretches nor shears.
    """
    wide, thin, E = 12.377e-3, 3.2024e-3, 71.7e9
    c, s = float(np.cos(angle)), float(np.sin(angle))
    frame = ((1.0, 0.0, 0.0), (0.0, c, -s), (0.0, s, c))
    EI = (E * thin * wide**3 / 12.0, E * wide * thin**3 / 12.0)
    return Rod(0.508, E / 2.62 * rectangle_torsion(wide, thin), EI, frame=frame)


def rectangle_torsion(wide: float, thin: float) -> float:
    """J of a rectangle, Saint-Venant's series (S. Timoshenko and J. N. Goodier, Theory of Elasticity, section 109)."""
    k = np.arange(1, 60, 2)
    series = (np.tanh(0.5 * k * np.pi * wide / thin) / k**5).sum()
    return float(wide * thin**3 / 3.0 * (1.0 - 192.0 / np.pi**5 * thin / wide * series))


def twisted_half_ring(rod: Rod, angle: float, steps: int = 12) -> Line:
    """A straight rod along x bent to half a ring in the plane of x and y, whose far clamp is then turned by `angle`.

    The far end is at (0, 2L/π, 0); its tangent, about which it turns, points along −x.
    """
    r = np.array([0.0, 2.0 * rod.length / np.pi, 0.0])

    def path(part: float) -> tuple[Array, Array]:
        return r, (Rotation.from_euler("z", np.pi) * Rotation.from_euler("x", part * angle)).as_matrix()

    return held_ends(rod, path, steps, guess=(0.0, 0.0, 0.0, 0.0, 0.0, np.pi * rod.EI[1] / rod.length))
