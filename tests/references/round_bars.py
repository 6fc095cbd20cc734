"""Sections of round bars, with all stiffnesses and inertias of beams in the plane and in space."""

from __future__ import annotations

from math import pi

import flexura as fx


def round_bar(
    diameter: float, modulus: float = 2.1e11, density: float = 7850.0, damping_ratio: float = 0.0
) -> fx.Section:
    """Section of a round bar, of steel by default."""
    area, second = pi * diameter**2 / 4, pi * diameter**4 / 64
    return fx.Section(
        EA=modulus * area,
        EI=modulus * second,
        EIy=modulus * second,
        EIz=modulus * second,
        GIt=modulus / 2.6 * 2 * second,
        rhoA=density * area,
        rhoIy=density * second,
        rhoIz=density * second,
        damping_ratio=damping_ratio,
    )
