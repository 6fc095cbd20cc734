"""Gaps and their rates at single states."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Floats
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive


def gap_at(s: System, t: float, x: Floats, v: Floats, tracked: Floats, strain: int) -> tuple[float, float]:
    """Gap and its rate, by the index of its strain; driven coordinates of the state are set to their inputs."""
    gap, parts = gap_and_rate_parts(s, t, x, v, tracked, strain)
    return gap, float(parts.sum())


def gap_and_rate_parts(s: System, t: float, x: Floats, v: Floats, tracked: Floats, strain: int) -> tuple[float, Floats]:
    """Gap or slip, and the contributions of single coordinates to its rate."""
    x, v = x.copy(), v.copy()
    s.number[s.track_target] = tracked
    drive(s, t, x, v, np.zeros_like(x))
    call_level(s, s.shape, x, v)
    table = s.shape_slopes
    entries = slice(table.start[strain], table.start[strain + 1])
    parts = s.shape.out[table.source[entries]] * v[table.column[entries]]
    return float(s.shape.out[table.strain[strain]]), parts
