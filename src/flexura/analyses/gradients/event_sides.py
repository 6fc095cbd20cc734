"""States and derivatives on both sides of an event."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.recorded_run import States

Array = NDArray[np.float64]


class Before(NamedTuple):
    """End of a segment: the state, accelerations and derivatives of the free coordinates."""

    state: States
    a: Array
    x_slopes: Array
    v_slopes: Array
    tracked: Array
    """derivatives of the tracked numbers"""
    nodes: States
    size: float
    """states at the nodes of the last step, and its duration"""


class After(NamedTuple):
    """Start of the next segment: the free coordinates."""

    x: Array
    v: Array
    a: Array
    tracked: Array
