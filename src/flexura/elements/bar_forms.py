"""Bars that stretch only: stiffness and damping of their elongation, in the plane and in space."""

from __future__ import annotations

from math import inf

import numpy as np

from flexura.elements.element import Matrix
from flexura.laws.materials import Material
from flexura.laws.sections import AnySection, properties


def bar_stiffness(section: AnySection, material: Material | None, rigid: bool, length: float) -> Matrix:
    """EA/ℓ, infinite if the bar is rigid."""
    return np.array([[inf if rigid else properties(section, material).EA / length]])


def bar_damping(section: AnySection, material: Material | None, rigid: bool, length: float) -> Matrix:
    """Damping of the section in proportion to its stiffness; none where the bar is rigid."""
    found = properties(section, material)
    if rigid or inf == found.EA:
        return np.zeros((1, 1))
    return np.array([[found.axial_damping(length) * found.EA / length]])
