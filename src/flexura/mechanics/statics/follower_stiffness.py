"""Stiffness of torques and loads that follow an end: not symmetric, and of low rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats, Ints
from flexura.elements.element import Element
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.nodes import Frame
from flexura.rotations import UNTURNED

Matrix = NDArray[np.float64]


class Carried:
    """∂(D′ᵀσ)/∂x of the loads on carriers, added to a solution by the Sherman–Morrison–Woodbury formula."""

    def __init__(self, layout: Layout, system: System) -> None:
        self.system = system
        self.ends: list[tuple[Element, int, Ints]] = []
        """carrier, the first of its strains, and its coordinates"""
        for name, element in layout.names.elements.items():
            if element.internal and element.slips:
                first = next(k for k, address in enumerate(layout.strains) if address.owner == name)
                index = [layout.coordinate_index[address] for address in layout.names.drawing.addresses(name)]
                self.ends.append((element, first, np.array(index)))

    def correct(self, x: Floats, stress: Floats, z: Floats) -> None:
        """Correct the solution z of the symmetric matrix, in place, to that of the whole matrix."""
        place, S = self.stiffness(x, stress)
        if not place.size:
            return
        columns = np.zeros((place.size, z.size))
        columns[np.arange(place.size), place] = 1.0
        for column in columns:
            solve(self.system.factors, column)
        responses = columns.T
        z -= responses @ np.linalg.solve(np.eye(place.size) + S @ responses[place], S @ z[place])

    def stiffness(self, x: Floats, stress: Floats) -> tuple[Ints, Matrix]:
        """Indices of the unknowns, and their stiffness matrix."""
        places, blocks = [np.zeros(0, dtype=np.int64)], [np.zeros((0, 0))]
        for element, first, index in self.ends:
            own = stress[first : first + len(element.slips)]
            if np.any(own):
                place = self.system.coordinate_place[index]
                free = place >= 0
                places.append(place[free])
                blocks.append(_slope(element, x[index], own)[np.ix_(free, free)])
        matrix = np.zeros((sum(map(len, blocks)),) * 2)
        at = 0
        for block in blocks:
            matrix[at : at + len(block), at : at + len(block)] = block
            at += len(block)
        return np.concatenate(places), matrix


def _slope(element: Element, x: Floats, stress: Floats) -> Matrix:
    """Derivatives of slips of carriers, by unit differences: exact, because slips are quadratic in the coordinates."""
    units = np.eye(x.size)

    def force(at: Floats) -> Floats:
        p = Frame.at(list(at), UNTURNED)
        works = [element.slip(p, Frame.at(list(rate), UNTURNED)) for rate in units]
        return np.array([sum(s * w for s, w in zip(stress, work, strict=True)) for work in works])

    return np.array([(force(x + unit) - force(x - unit)) / 2.0 for unit in units]).T
