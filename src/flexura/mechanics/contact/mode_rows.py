"""Scratch arrays of the choice between open, sliding and sticking contacts."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Ints
from flexura.mechanics.core.contact_tables import Modes
from flexura.mechanics.core.layout import Layout

_MOST = 4
"""Maximum number of closed contacts for which all combinations are tried."""


def _places(count: int) -> Ints:
    return np.zeros(count, dtype=np.int64)


def modes_of(layout: Layout | None, unknowns: int) -> Modes:
    """Scratch for the contacts of a layout, empty without friction; ``unknowns`` is the length of a solution vector."""
    most = _MOST if layout and layout.grips else 0
    gaps = len(layout.contacts) if layout else 0
    return Modes(
        count=_places(1),
        closed=_places(gaps),
        gap=_places(most),
        grip=_places(most),
        way=_places(most),
        mode=_places(most),
        expected=_places(most),
        unknown=_places(2 * most),
        pivot=_places(2 * most),
        held=_places(2 * most),
        free=np.zeros(2 * most),
        second=np.zeros(2 * most),
        force=np.zeros(2 * most),
        coupling=np.zeros((2 * most, 2 * most)),
        equations=np.zeros((2 * most, 2 * most + 1)),
        response=np.zeros((2 * most, unknowns if most else 0)),
    )
