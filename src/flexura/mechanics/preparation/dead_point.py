"""Tells a dead point from redundant constraints: both have constraints that depend on each other as drawn."""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space

from flexura.errors import AnalysisError
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.mobility import mobility
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.preparation.signal_slopes import Slopes, held

STEP = 0.02
"""Size of the neighbourhood, in radians or relative to the size of the model."""


def at_dead_point(machine: PreparedModel, tries: int = 4) -> bool:
    """True if constraints that are dependent in this position are independent near it."""
    layout, system, excess = machine.layout, machine.system, machine.mobility.excess
    slopes = Slopes(layout, system, machine.x)
    ways = null_space(slopes.of(held(layout)))
    if not excess or not ways.size:
        return False
    fitting, random = Transfer(layout, system, ()), np.random.default_rng(0)
    for _ in range(tries):
        way = ways @ random.standard_normal(ways.shape[1])
        x = machine.x.copy()
        x[layout.free] += STEP * slopes.scale * way / np.abs(way).max()
        try:
            beside = fitting.position(np.zeros(0), 0.0, x)
        except AnalysisError:
            continue
        if mobility(layout, system, beside).excess < excess:
            return True
    return False
