"""All signals of neighbours of a motion, from states that are moved along its derivatives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Neighbour
from flexura.analyses.gradients.recorded_run import States
from flexura.analyses.motion.motion_record import blank_view, motion_of
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

Array = NDArray[np.float64]


def moved(near: Neighbour, states: States, x: Array, v: Array, tracked: Array) -> States:
    """States of a neighbour: those of the motion and its offset times the derivatives of the free coordinates."""
    free = near.layout.free
    found = States(*(part.copy() for part in states))
    near.place(found.x)
    found.x[:, free] += near.offset * x
    found.v[:, free] += near.offset * v
    found.tracked[:] += near.offset * tracked
    return found


def observed(near: Neighbour, states: States) -> Motion:
    """Everything that there is to see of a neighbour at states, whose fixed coordinates are its own."""
    machine, own = near.machine, states.x.copy()
    near.place(own)
    x, v = machine.widen(near.layout, own), machine.widen(near.layout, states.v)
    view = blank_view(machine, states.t.copy(), x, v, states.tracked.copy(), states.switches.copy())
    return motion_of(machine, view, None, outcome=Outcome.DONE)
