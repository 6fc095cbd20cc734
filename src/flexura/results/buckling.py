"""Loss of stiffness of an equilibrium as the loads grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.results.figures import DRAWN, figure
from flexura.results.linear_system import LinearSystem
from flexura.results.marks import Axes
from flexura.results.result import Result
from flexura.results.state import State
from flexura.results.summary import Summary
from flexura.results.vibrations import Vibrations

Array = NDArray[np.float64]


class Buckling(Result):
    """The critical load, by the time at which it is reached, and the loss of stability there.

    At a ``bifurcation`` the equilibrium continues, unstable, and others branch off; beyond a ``limit`` there is none.
    """

    time: Annotated[float, Unit("s")]
    kind: Literal["bifurcation", "limit"]
    state: State
    """the equilibrium there; at a limit the last one before it"""
    system: LinearSystem
    """small motions there; one of them has no stiffness"""
    shape: Annotated[Array, Axes("system_coordinate")]
    """buckling mode: changes of the coordinates of ``system``, the largest being one"""

    @property
    def mode(self) -> dict[str, float]:
        """Buckling mode by name: changes of the coordinates of ``system``, the largest being one."""
        return dict(zip(self.system.coordinates, self.shape.tolist(), strict=True))

    @figure("draw", DRAWN, default=False)
    def plot_mode(self, size: float = 0.1, path: str | None = None, **options: Any) -> Any:
        """Buckling mode, drawn over the equilibrium there."""
        follows = self.system.following
        changes = follows.carried(self.shape[:, None])
        vibrations = Vibrations(self.system.model, tuple(follows.coordinate_index), follows.position, changes)
        return vibrations.plot(0, size, path, **options)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Largest components of the buckling mode."""
        largest = sorted(self.mode.items(), key=lambda item: -abs(item[1]))[:8]
        rows = tuple((name, f"{value:.6g}") for name, value in largest)
        return Summary(f"{self.kind} at {self.time:.9g} s", ("buckling shape", "change"), rows, ("change",))

    def __repr__(self) -> str:
        return f"<Buckling: {self.kind} at t = {self.time:.6g}>"
