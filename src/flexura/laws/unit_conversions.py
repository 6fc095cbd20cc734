"""Conversion of quantities in customary units to SI, and units to show results in."""

from __future__ import annotations

from math import pi
from numbers import Real
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError

N = TypeVar("N", float, NDArray[np.float64])


def _times(value: N, factor: float, called: str) -> N:
    if not isinstance(value, Real | np.ndarray):
        raise ModelError(called, f"{value!r:.40} is not a number", f"give a number or an array, such as {called}(30.0)")
    return value * factor


def rpm(value: N) -> N:
    """Angular velocity in rad/s, given in revolutions per minute."""
    return _times(value, pi / 30.0, "rpm")


def hz(value: N) -> N:
    """Angular frequency in rad/s, given in Hz."""
    return _times(value, 2.0 * pi, "hz")


def degrees(value: N) -> N:
    """Angle in rad, given in degrees."""
    return _times(value, pi / 180.0, "degrees")


def mm(value: N) -> N:
    """Length in m, given in millimetres."""
    return _times(value, 1e-3, "mm")


def um(value: N) -> N:
    """Length in m, given in micrometres."""
    return _times(value, 1e-6, "um")


def kN(value: N) -> N:
    """Force in N, given in kilonewtons."""
    return _times(value, 1e3, "kN")


def MPa(value: N) -> N:
    """Stress in Pa, given in MPa (N/mm²)."""
    return _times(value, 1e6, "MPa")


def GPa(value: N) -> N:
    """Stress in Pa, given in GPa, such as a modulus of elasticity."""
    return _times(value, 1e9, "GPa")


SHOWN: dict[str, dict[str, float]] = {
    "m": {"mm": 1e3, "um": 1e6, "µm": 1e6, "cm": 1e2, "km": 1e-3},
    "m/s": {"mm/s": 1e3, "km/h": 3.6},
    "m/s²": {"mm/s²": 1e3, "g": 1.0 / 9.80665},
    "rad": {"deg": 180.0 / pi, "turn": 0.5 / pi},
    "rad/s": {"rpm": 30.0 / pi, "deg/s": 180.0 / pi, "Hz": 0.5 / pi},
    "rad/s²": {"deg/s²": 180.0 / pi},
    "N": {"kN": 1e-3, "mN": 1e3},
    "N·m": {"kN·m": 1e-3, "N·mm": 1e3},
    "Pa": {"MPa": 1e-6, "GPa": 1e-9, "kPa": 1e-3},
    "J": {"kJ": 1e-3, "mJ": 1e3},
    "s": {"ms": 1e3, "min": 1.0 / 60.0},
}
"""For each SI unit the units to show it in, with the factor from SI."""


def shown_in(unit: str | tuple[str, ...]) -> dict[str, tuple[str, float]]:
    """For each SI unit the unit to show it in and the factor, from names such as ``rpm`` or ``("mm", "rpm")``."""
    found = {}
    for name in (unit,) if isinstance(unit, str) else tuple(unit):
        of = [si for si, others in SHOWN.items() if name in others or name == si]
        if not of:
            known = ", ".join(other for others in SHOWN.values() for other in others)
            raise ModelError(f"unit '{name}'", "this unit is not known", f"use one of {known}")
        found[of[0]] = (name, SHOWN[of[0]].get(name, 1.0))
    return found


def unit_and_factor(own: str, asked: str) -> tuple[str, float]:
    """Unit that a quantity is shown in, and the factor from its SI unit; the SI unit itself by default."""
    if not asked:
        return own, 1.0
    found = shown_in(asked)
    if own not in found:
        what = f"the quantity has the unit '{own}'"
        raise ModelError(f"unit '{asked}'", what, "leave the unit out, or give another")
    return found[own]
