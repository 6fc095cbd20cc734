"""Arrays of frictional contacts that may stick."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flexura.derive.records import FloatTable
from flexura.mechanics.core.contact_tables import Grips
from flexura.mechanics.core.index_arrays import floats, ints, table
from flexura.mechanics.core.layout import Layout


def friction_numbers(layout: Layout | None) -> dict[str, FloatTable]:
    """Parameters of dry friction that depend on values in the model."""
    held = layout.grips if layout else []
    return {
        "mu": np.array([(h.grip.mu, max(h.grip.static, h.grip.mu)) for h in held], dtype=np.float64).reshape(-1, 2),
        "load": floats(h.grip.load for h in held),
        "pressure_weight": floats(weight for h in held for *_, weight in h.pressure),
        "creep": np.array([(h.grip.creep, h.grip.ramp) for h in held], dtype=np.float64).reshape(-1, 2),
    }


def grips_of(layout: Layout | None, places: Mapping[int, int], unknowns: int) -> Grips:
    """Frictional contacts of a layout; ``places`` of their multipliers and the number of ``unknowns`` of a solution."""
    held = layout.grips if layout else []
    count = len(held)
    first = len(layout.contacts) if layout else 0
    presses = [-1 if h.by is None else h.by for h in held]
    pressed = [[(*row[:3], places.get(row[2], -1)) for row in h.pressure] for h in held]
    highest = [max((row[3] for row in rows), default=-1) for rows in pressed]
    return Grips(
        start=ints(first + np.cumsum([0] + [len(h.slips) for h in held])),
        **friction_numbers(layout),
        by=ints(presses),
        still=np.zeros(count),
        place=ints(max(places.get(strain, -1), other) for strain, other in zip(presses, highest, strict=True)),
        pressure_start=ints(np.cumsum([0] + [len(rows) for rows in pressed])),
        pressure=table([row for rows in pressed for row in rows], 4),
        pressure_slope=np.zeros(sum(len(rows) for rows in pressed)),
        part=np.ones(count),
        sticks=np.zeros(count, dtype=np.int64),
        direction=np.tile([1.0, 0.0], (count, 1)),
        pull=np.zeros((count, 2)),
        force=np.zeros(count),
        rubs=np.zeros(count, dtype=np.int64),
        response=np.zeros((count, unknowns if count else 0)),
        work=np.zeros((count, count + 1)),
        jammed=np.zeros(1, dtype=np.int64),
    )
