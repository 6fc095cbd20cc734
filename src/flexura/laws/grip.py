"""Dry friction as elements tell of it."""

from __future__ import annotations

from dataclasses import dataclass

Pressure = tuple[tuple[tuple[tuple[str, float], ...], ...], ...]
"""Groups of components of forces: sums of weights times the forces on strains of the joint; the normal force is the sum
of the magnitudes of the groups."""


@dataclass(frozen=True)
class Grip:
    """Slips that dry friction holds at zero until it is overcome; then it resists them with μ times what presses.

    What presses is the force on the strain ``by``, negative if it presses, or the ``load`` that is given, or the
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
    """regularised in a straight line"""
