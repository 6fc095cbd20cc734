"""Position at a later time, by following the inputs from t = 0."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.preparation.minimal_coordinates import Transfer

_MOST_STRIDES = 5000
"""Maximum number of steps in which the inputs are followed to a time."""


def follow_inputs(transfer: Transfer, q: Floats, t: float, x: Floats) -> Floats:
    """Follow the inputs from t = 0 to the position at a time, with adaptive steps.

    In a single step, a link that is turned far might converge to another assembly.
    """
    steps = _strides(transfer, t, x)
    while True:
        try:
            position = x
            for part in range(1, steps + 1):
                position = transfer.position(q, t * part / steps, position)
        except AnalysisError:
            steps *= 8
            if t == 0.0 or steps > _MOST_STRIDES:
                raise
        else:
            return position


def _strides(transfer: Transfer, t: float, x: Floats) -> int:
    """Number of steps in which no input changes by more than a fraction of a turn, or of the model's size."""
    layout, system, values = transfer.layout, transfer.system, []
    for time in (0.0, t):
        there = x.copy()
        drive(system, time, there, np.zeros_like(x), np.zeros_like(x))
        values.append(np.concatenate([there[system.driven.coordinate], system.rows.position[system.driven.row]]))
    driven = [layout.coordinates[c] for c in system.driven.coordinate]
    driven += [layout.strains[system.rows.strain[r]] for r in system.driven.row]
    for address, value in zip(driven, values[1], strict=True):
        if not np.isfinite(value):
            raise ModelError(
                "inputs", f"the input of {address} is {value} at t = {t:g}", "give a function that is finite"
            )
    stride = np.array([0.25 * layout.size if layout.unit(address) == "m" else 0.5 for address in driven])
    return int(np.clip(np.ceil((np.abs(values[1] - values[0]) / stride).max(initial=0.0)), 1, _MOST_STRIDES))
