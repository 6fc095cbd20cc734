"""Figures of small motions: the mechanism through one period of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.model.model import Model
from flexura.model.names import AXES, Address, Names
from flexura.results import figure_registry
from flexura.results.scene import Scene, build_scene

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Vibrations:
    """Changes of all coordinates about a position, one column for each motion; complex if they are not in phase."""

    model: Model
    coordinates: Iterable[Address]
    position: Array
    changes: NDArray[Any]

    def scene(self, mode: int = 0, size: float = 0.1, frames: int = 33, points: int = 17) -> Scene:
        """A motion through one period, its largest displacement a part ``size`` of the model's extent."""
        if not 0 <= mode < self.changes.shape[1]:
            what = f"there is no mode {mode}"
            last = self.changes.shape[1] - 1
            raise ModelError("mode", what, f"modes are counted from 0 to {last}" if last >= 0 else "nothing vibrates")
        names, phases = Names(self.model), np.linspace(0.0, 2.0 * np.pi, frames)
        change = self.changes[:, mode]
        places = np.array([k for k, a in enumerate(self.coordinates) if a.component in AXES])
        extent = max(np.ptp(np.array(list(names.positions.values())), axis=0).max(), 1e-300)
        largest = np.abs(change[places]).max(initial=0.0) or np.abs(change).max(initial=1.0)
        change = change * size * extent / largest
        values = {
            address: self.position[k] + np.real(change[k] * np.exp(1j * phases))
            for k, address in enumerate(self.coordinates)
        }
        return build_scene(names, phases, values, points)

    def plot(self, mode: int = 0, size: float = 0.1, path: str | None = None, **options: Any) -> Any:
        """Shape of a motion, drawn over the nominal position."""
        return figure_registry.finish(
            figure_registry.drawer("poses")(self.scene(mode, size, frames=9), count=5, **options), path
        )

    def animate(self, mode: int, path: str, size: float = 0.1, **options: Any) -> Any:
        """Animation of a motion."""
        return figure_registry.drawer("animate")(self.scene(mode, size, frames=61), path, **options)
