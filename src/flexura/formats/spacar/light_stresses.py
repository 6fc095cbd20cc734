"""Largest stress of beams of SPACAR Light."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np

from flexura.formats.spacar.light_arguments import Arguments
from flexura.formats.spacar.light_lines import section


def largest_stress(given: Arguments, element: int, stresses: Any) -> float:
    """Largest von Mises stress [Pa] at the ends of the beams of an element; ``stresses`` has a row for each beam.

    A rectangle is searched at its corners, where torsion has no shear stress, and at the middles of its sides.
    """
    props = given.properties(element)
    a, b = given.elements[element - 1]
    length = float(np.linalg.norm(given.nodes[b - 1] - given.nodes[a - 1]))
    numbers = section(f"eprops of element {element}", props, length)
    if numbers is None:
        return 0.0
    part = length / len(stresses)
    w, t = numbers.width, numbers.thickness
    rectangular = props["cshape"] == "rect"
    worst = 0.0
    for N, twist, *bends in stresses:
        for My, Mz in ((bends[0], bends[2]), (bends[1], bends[3])):
            loads = (N, twist * part, My * part, Mz * part)
            worst = max(worst, _rectangle(w, t, *loads) if rectangular else _circle(w, *loads))
    return worst


def _circle(d: float, N: float, T: float, My: float, Mz: float) -> float:
    normal = abs(N) / (pi * d**2 / 4.0) + sqrt(My**2 + Mz**2) * 32.0 / (pi * d**3)
    return sqrt(normal**2 + 3.0 * (16.0 * T / (pi * d**3)) ** 2)


def _rectangle(w: float, t: float, N: float, T: float, My: float, Mz: float) -> float:
    axial, by_y, by_z = abs(N) / (w * t), 6.0 * abs(My) / (w * t**2), 6.0 * abs(Mz) / (t * w**2)
    long, short = max(w, t), min(w, t)
    at_long, at_short = _torsion(long, short, abs(T))
    # the middle of a long side is at the surface of the bending about the long axis
    first, second = (by_y, by_z) if w >= t else (by_z, by_y)
    return max(
        axial + by_y + by_z,
        sqrt((axial + first) ** 2 + 3.0 * at_long**2),
        sqrt((axial + second) ** 2 + 3.0 * at_short**2),
    )


def _torsion(a: float, b: float, T: float) -> tuple[float, float]:
    """Shear stress of torsion at the middles of the long side a and the short side b, by Saint-Venant's series."""
    n = np.arange(1, 200, 2)
    x = 0.5 * n * pi * a / b
    It = a * b**3 / 3.0 * (1.0 - 192.0 / pi**5 * b / a * float(np.sum(np.tanh(x) / n**5)))
    long = b * (1.0 - 8.0 / pi**2 * float(np.sum(2.0 * np.exp(-x) / (1.0 + np.exp(-2.0 * x)) / n**2)))
    short = b * 8.0 / pi**2 * float(np.sum((-1.0) ** ((n - 1) // 2) * np.tanh(x) / n**2))
    return T / It * long, T / It * short
