"""Steps of differences that suit the gap of an event: a clearance may be far smaller than its machine."""

from __future__ import annotations

import numpy as np

from flexura.analyses.gradients.difference_estimates import estimate
from flexura.analyses.gradients.gap_values import displacement, gap_near
from flexura.analyses.gradients.neighbours import Direction, Neighbour, fixed_coordinates, own_direction
from flexura.analyses.gradients.recorded_run import States
from flexura.derive.records import Floats, Ints

_SIZES = (1.0, 0.1, 1e-2, 1e-3, 1e-4)
"""Sizes of changes of a state that are tried, relative to those that suit the machine."""
_CURVED = 1e-2
"""Largest error of differences of a gap; from there on finer steps are found by the error of each quantity.

In longer steps a pin passes through the whole of its clearance. There may be no impact in any of them, and rates
after an impact that do not change look resolved."""


def suited_direction(base: Neighbour, free: Ints, sizes: Floats, state: States, strain: int) -> Direction:
    """Direction of changes of a state, by ``sizes`` of the positions, in which a gap is not strongly curved."""
    fixed, none = fixed_coordinates(base.layout), np.zeros((free.size, 1))
    signs = np.random.default_rng(1).choice([-1.0, 1.0], free.size)
    tracked = np.zeros((state.tracked.shape[1], 1))
    near_by = displacement(state, free, (sizes * signs)[:, None], none, tracked, np.zeros(1))
    for size in _SIZES:
        along = own_direction(base, size)
        values = np.array([gap_near(near, near_by, fixed, 0, strain) for near in along.wide])
        found = estimate([near.offset for near in along.wide], [near.weight for near in along.wide], values)
        if found.error <= _CURVED * np.abs(found.slopes):
            break
    return along
