"""A single state: named values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flexura.results import pictures
from flexura.results.motion import Motion


@dataclass(frozen=True, eq=False, repr=False)
class State:
    """Where a model is and what forces act, by name: ``state["B.x"]``, ``state.force("rod.elongation")``."""

    motion: Motion
    """the same as a motion of one moment"""
    turning: Mapping[tuple[str, str], float] | None = None
    """of a steady motion, how the rate of a coordinate follows another one: ẋ = L x + b, the entries of L"""

    def __getitem__(self, signal: str) -> float:
        return float(self.motion[signal][0])

    def force(self, signal: str) -> float:
        """The force that is dual to a signal."""
        return float(self.motion.force(signal)[0])

    def unit(self, signal: str) -> str:
        """The unit of a signal."""
        return self.motion.unit(signal)

    @property
    def energy(self) -> Mapping[str, float]:
        """The energies."""
        return {name: float(values[0]) for name, values in self.motion.energy.items()}

    @property
    def values(self) -> dict[str, float]:
        """All coordinates and strains by name, as a model's ``start`` takes them."""
        return {name: self[name] for name in self.motion.signals}

    @property
    def start(self) -> dict[str, float]:
        """The coordinates and their rates: in space, ``model.replace(start=state.start)`` goes on from here.

        What is fixed or driven is left out.
        """
        model, names = self.motion.model, self.motion.names
        known = {address for name in (*model.fixed, *model.inputs) for address in names.expand(name)}
        free = [str(address) for address in self.motion.nodal_coordinates if address not in known]
        return {f"{name}{prime}": self[f"{name}{prime}"] for prime in ("", "'") for name in free}

    def orientation(self, end: str, form: str = "parameters", order: str = "ZXZ") -> Any:
        """How an end is turned from the drawn position; see :meth:`Motion.orientation`."""
        return self.motion.orientation(end, form, order)[0]

    def plot(self, path: str | None = None, **options: Any) -> Any:
        """The mechanism drawn in this state; in space as seen from ``view=(azimuth, elevation)``."""
        return pictures.finish(pictures.drawer("draw")(self.motion.scene(), **options), path)

    def __repr__(self) -> str:
        return f"<State: {self.motion.title or 'model'}, {self.motion.method}>"

    def __str__(self) -> str:
        rows = [f"  {name:24} {self[name]: .9g} {self.unit(name)}" for name in self.motion.signals]
        return "\n".join([f"{self.motion.title or 'State'}: {self.motion.method}", *rows])
