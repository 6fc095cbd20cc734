"""Declaration of dry friction by elements."""

from __future__ import annotations

from dataclasses import dataclass

Pressure = tuple[tuple[tuple[tuple[str, float], ...], ...], ...]
"""Groups of components of forces: sums of weights times the forces on strains of the joint; the normal force is the sum
of the magnitudes of the groups."""


@dataclass(frozen=True)
class Grip:
    """Slips that dry friction holds at zero up to its limit; beyond, it resists them with μ times the normal force.

    The normal force is that on the strain ``by``, negative under pressure, or the given ``load``, or the
    ``pressure`` of a joint.
    """

    slips: tuple[str, ...]
    mu: float
    static: float
    """while it sticks; not less than mu"""
    by: str = ""
    load: float = 0.0
    pressure: Pressure = ()
    creep: float = 0.0
    """speed below which friction is regularised; zero for stick"""
    ramp: bool = False
    """regularised piecewise linearly"""
