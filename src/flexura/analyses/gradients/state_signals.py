"""Parts of a state: signals that need no observation, and changes that count as one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.recorded_run import RecordedRun
from flexura.analyses.gradients.state_slopes import StateSlopes
from flexura.mechanics.core.layout import Layout


def place_in_state(layout: Layout, name: str) -> int | None:
    """Place of a free coordinate among the free ones, or of its rate behind them; None for other signals."""
    plain = name.removesuffix("'")
    if plain.endswith(("'", ".force")) or plain.startswith("energy."):
        return None
    address = layout.names.resolve(plain)
    free = [layout.coordinates[c] for c in layout.free]
    if address.integral or address not in free:
        return None
    return free.index(address) + (0 if plain == name else len(free))


def state_sizes(run: RecordedRun, slopes: StateSlopes, tracks: int) -> NDArray[np.float64]:
    """Changes of positions, rates and so many followed numbers that count as one."""
    tracked = np.abs(run.memory.tracked_out[:, :tracks]).max(axis=0, initial=0.0)
    return np.concatenate([slopes.sizes, slopes.speeds, np.where(tracked > 0.0, tracked, 1.0)])
