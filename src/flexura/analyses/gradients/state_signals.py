"""Parts of a state: signals that need no observation, and scales of changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Neighbour
from flexura.analyses.gradients.recorded_run import RecordedRun
from flexura.analyses.gradients.state_slopes import StateSlopes
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System

_LEAST, _MOST = 1e-4, 3e-3
"""Changes of a state that differences resolve and that are small, relative to their scales."""


def place_in_state(layout: Layout, system: System, name: str) -> int | None:
    """Place of a free coordinate among the free ones, or of its rate after them; None for other signals.

    States and their derivatives satisfy held strains to the tolerance of the run; observed signals
    satisfy them to rounding.
    """
    plain = name.removesuffix("'")
    held = system.rows.place.size > system.switches.on.size
    if held or plain.endswith(("'", ".force")) or plain.startswith("energy."):
        return None
    address = layout.names.resolve(plain)
    free = [layout.coordinates[c] for c in layout.free]
    if address.integral or address not in free:
        return None
    return free.index(address) + (0 if plain == name else len(free))


def state_sizes(run: RecordedRun, slopes: StateSlopes, tracks: int) -> NDArray[np.float64]:
    """Scales of changes of positions, rates and ``tracks`` tracked numbers."""
    tracked = np.abs(run.memory.tracked_out[:, :tracks]).max(axis=0, initial=0.0)
    return np.concatenate([slopes.sizes, slopes.speeds, np.where(tracked > 0.0, tracked, 1.0)])


def moves_well(of: Sequence[Neighbour], slopes: NDArray[np.float64]) -> bool:
    """True if states of neighbours move by as much as differences need, with slopes relative to ``state_sizes``.

    Large derivatives of sensitive motions take neighbours too far away; those of stiff coordinates are below rounding.
    """
    largest = float(np.abs(slopes).max(initial=0.0)) * max((abs(near.offset) for near in of), default=0.0)
    return largest == 0.0 or _LEAST <= largest <= _MOST
