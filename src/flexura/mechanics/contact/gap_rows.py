"""The gaps that impacts keep from closing, as arrays."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import FloatTable
from flexura.mechanics.core.contact_tables import Gaps
from flexura.mechanics.core.index_arrays import ints
from flexura.mechanics.core.layout import Layout


def impact_numbers(layout: Layout | None) -> FloatTable:
    """Restitution, stiffness and exponent of each gap."""
    laws = [layout.restitution[strain] for strain in layout.contacts] if layout else []
    return np.array([(law.e, law.k, law.exponent) for law in laws], dtype=np.float64).reshape(-1, 3)


def gaps_of(layout: Layout | None, unknowns: int) -> Gaps:
    """Gaps of a layout, none without one; ``unknowns`` is the size of a solution."""
    strains = layout.contacts if layout else []
    count = len(strains)
    coordinates, every = (len(layout.coordinates), len(layout.strains)) if layout and count else (0, 0)
    return Gaps(
        strain=ints(strains),
        law=impact_numbers(layout),
        phase=np.zeros(count, dtype=np.int64),
        touching=np.zeros(count, dtype=np.int64),
        state=np.zeros((count, 4)),
        response=np.zeros((count, unknowns if count else 0)),
        admittance=np.zeros((count, count)),
        restitution=np.zeros(count),
        approach=np.zeros(count),
        size=np.zeros(count),
        impulse=np.zeros(count),
        clearance=np.zeros(count),
        left=np.zeros(count),
        rate=np.zeros(count),
        blow=np.zeros(count),
        press=np.zeros(count),
        wait=np.zeros(count),
        before=np.zeros(coordinates),
        reaction=np.zeros(every),
        work=np.zeros((count, count)),
        trial=np.zeros(count),
        demand=np.zeros(count),
        chosen=np.zeros(count, dtype=np.int64),
        least=np.zeros(count),
    )
