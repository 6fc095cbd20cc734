"""Scratch arrays of the forces shared by closed contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexura.mechanics.core.contact_tables import Shares

if TYPE_CHECKING:
    # compiled code does not depend on the layout: everything that follows from the layout is in the arrays
    from flexura.mechanics.core.layout import Layout

WAYS = 8
"""Directions of friction in space: a pyramid inside the cone of friction, with at least 0.92 μ in every direction."""
_MOST = 240
"""Maximum number of generators for which forces are shared."""


def shares_of(layout: Layout | None) -> Shares:
    """Scratch for the contacts of a layout; empty unless there are several."""
    gaps = len(layout.contacts) if layout else 0
    slips = [len(held.slips) for held in layout.grips] if layout else []
    rows = gaps + sum(slips)
    most = min(_MOST, gaps + sum(2 if count == 1 else WAYS for count in slips)) if gaps > 1 else 0
    return Shares(
        together=np.zeros(1, dtype=np.int64),
        closed=np.zeros(gaps, dtype=np.int64),
        on=np.zeros(rows, dtype=np.int64),
        sticks=np.zeros(len(slips), dtype=np.int64),
        count=np.zeros(1, dtype=np.int64),
        contact=np.zeros(most, dtype=np.int64),
        way=np.zeros((most, 2)),
        part=np.zeros(most),
        centre=np.zeros(most),
        rest=np.zeros(most),
        chosen=np.zeros(most, dtype=np.int64),
        load=np.zeros(most),
        matrix=np.zeros((most, most)),
        work=np.zeros((most, most)),
        force=np.zeros(rows),
        shared=np.zeros(rows),
    )
