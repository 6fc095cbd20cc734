"""The gaps that impacts keep from closing, as arrays."""

from __future__ import annotations

import numpy as np

from flexura.mechanics.arrays import ints
from flexura.mechanics.layout import Layout
from flexura.mechanics.system import Gaps


def gaps_of(layout: Layout, targets: dict[int, list[int]], places: list[int], unknowns: int) -> Gaps:
    """Gap → its entries in the matrix, the places of their multipliers, and the size of a solution."""
    count = len(targets)
    laws = [layout.restitution[strain] for strain in targets]
    coordinates, strains = (len(layout.coordinates), len(layout.strains)) if count else (0, 0)
    return Gaps(
        strain=ints(targets),
        place=ints(places),
        start=ints(np.cumsum([0] + [len(row) for row in targets.values()])),
        target=ints(place for row in targets.values() for place in row),
        shut=np.zeros(count),
        law=np.array([(law.e, law.k, law.exponent) for law in laws]).reshape(-1, 3),
        scale=np.full(count, layout.size),
        touching=np.zeros(count),
        state=np.zeros((count, 4)),
        response=np.zeros((count, unknowns if count else 0)),
        admittance=np.zeros((count, count)),
        restitution=np.zeros(count),
        approach=np.zeros(count),
        size=np.zeros(count),
        impulse=np.zeros(count),
        press=np.zeros(count),
        wait=np.zeros(count),
        before=np.zeros(coordinates),
        reaction=np.zeros(strains),
        work=np.zeros((count, count)),
        trial=np.zeros(count),
        demand=np.zeros(count),
        chosen=np.zeros(count),
    )
