"""Arrays of the gaps with a law of restitution."""

from __future__ import annotations

from typing import get_args, get_type_hints

import numpy as np

from flexura.derive.records import FloatTable
from flexura.laws.restitution import Restitution
from flexura.mechanics.contact.blow_phases import BLOW_SIZE
from flexura.mechanics.core.contact_tables import Gaps
from flexura.mechanics.core.index_arrays import ints
from flexura.mechanics.core.layout import Layout

_LAWS = get_args(get_type_hints(Restitution)["law"])
"""laws of restitution, in the order of their numbers"""


def impact_numbers(layout: Layout | None) -> FloatTable:
    """Restitution, stiffness, exponent and law of each gap, and the order of blows."""
    laws = [layout.restitution[strain] for strain in layout.contacts] if layout else []
    in_turn = layout is not None and layout.model.impacts == "sequential"
    rows = [(law.e, law.k, law.exponent, _LAWS.index(law.law), in_turn) for law in laws]
    return np.array(rows, dtype=np.float64).reshape(-1, 5)


def gaps_of(layout: Layout | None, unknowns: int) -> Gaps:
    """Gaps of a layout, possibly none; ``unknowns`` is the length of a solution vector."""
    strains = layout.contacts if layout else []
    count = len(strains)
    coordinates, every = (len(layout.coordinates), len(layout.strains)) if layout and count else (0, 0)
    pressed = {held.by: i for i, held in enumerate(layout.grips if layout else [])}
    grips = [pressed.get(strain, -1) for strain in strains]
    slips = [layout.grips[i].slips if layout and i >= 0 else [] for i in grips]
    rows = [*strains, *(k for each in slips for k in each)]
    return Gaps(
        strain=ints(strains),
        law=impact_numbers(layout),
        row=ints(rows),
        owner=ints([*range(count), *(n for n, each in enumerate(slips) for _ in each)]),
        slip=ints(count + np.cumsum([0] + [len(each) for each in slips])[:-1]),
        slips=ints(map(len, slips)),
        grip=ints(grips),
        phase=np.zeros(count, dtype=np.int64),
        touching=np.zeros(count, dtype=np.int64),
        state=np.zeros((count, 4)),
        response=np.zeros((len(rows), unknowns if count else 0)),
        admittance=np.zeros((len(rows), len(rows))),
        restitution=np.zeros(count),
        approach=np.zeros(len(rows)),
        size=np.zeros(count),
        impulse=np.zeros(len(rows)),
        lost=np.zeros(count),
        clearance=np.zeros(count),
        left=np.zeros(count),
        rate=np.zeros(len(rows)),
        blow=np.zeros(len(rows)),
        course=np.zeros((count + 1, BLOW_SIZE)),
        coupling=np.zeros((3, 3)),
        phase_rate=np.zeros(len(rows)),
        phase_blow=np.zeros(len(rows)),
        press=np.zeros(len(rows)),
        pressing=np.zeros((count, count)),
        wait=np.zeros(count),
        before=np.zeros(coordinates),
        reaction=np.zeros(every),
        work=np.zeros((count, count)),
        trial=np.zeros(count),
        demand=np.zeros(count),
        chosen=np.zeros(count, dtype=np.int64),
        least=np.zeros(count),
    )
