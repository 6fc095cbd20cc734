"""State: values, rates and forces of a model at a single moment, by name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from flexura.laws.units import Unit
from flexura.model.mentions import SIGNAL
from flexura.model.model import Model, StartState
from flexura.model.names import Names
from flexura.results import figure_registry
from flexura.results.figures import TABLE, figure, printed
from flexura.results.marks import Axes, Named
from flexura.results.motion import Motion
from flexura.results.named_values import Energies, StateValues
from flexura.results.part_motion import PartMotion
from flexura.results.result import Result
from flexura.results.section_forces import SectionForces
from flexura.results.summary import ROUNDING, Summary

VALUES = Annotated[Sequence[str], Unit("", "signals to print; by default all coordinates and strains"), SIGNAL]


@dataclass(frozen=True)
class Rate:
    """Rate of a coordinate of a steady motion as a function of another one: an entry of L in ẋ = L x + b."""

    coordinate: str
    follows: str
    factor: float


class State(Result, StartState):
    """Positions and forces of a model at one time, by name: ``state["B.x"]``, ``state.force("rod.elongation")``."""

    motion: Annotated[Motion, Named("")]
    """the state as a motion of one moment"""
    turning: Annotated[tuple[Rate, ...] | None, Axes("rate")] = None
    """of a steady motion, the non-zero entries of L"""

    def __getitem__(self, signal: str) -> float:
        return float(self.motion[signal][0])

    def force(self, signal: str) -> float:
        """The force that is dual to a signal."""
        return float(self.motion.force(signal)[0])

    def force_parts(self, signal: str) -> dict[str, float]:
        """Parts of the force on a signal, by name; see :meth:`Motion.force_parts`."""
        return {name: float(values[0]) for name, values in self.motion.force_parts(signal).items()}

    def section(self, element: str, s: float | Sequence[float] | None = None) -> SectionForces:
        """Section forces and stresses of a slender link; see :meth:`Motion.section`."""
        return self.motion.section(element, s)

    def part(self, element: str, nodes: Sequence[str | int] | None = None) -> PartMotion:
        """Displacements and stresses inside a superelement; see :meth:`Motion.part`."""
        return self.motion.part(element, nodes)

    def _ipython_key_completions_(self) -> list[str]:
        """Names that complete ``state["``."""
        return self.motion._ipython_key_completions_()

    def unit(self, signal: str) -> str:
        """The unit of a signal."""
        return self.motion.unit(signal)

    @property
    def energy(self) -> Mapping[str, float]:
        """The energies."""
        return Energies({name: float(values[0]) for name, values in self.motion.energy.items()})

    @property
    def values(self) -> dict[str, float]:
        """All coordinates and strains by name; a model whose ``start`` they are starts from this state."""
        return StateValues({name: self[name] for name in self.motion.signals}, self)

    @property
    def start(self) -> dict[str, float]:
        """The coordinates, their rates and the states, without fixed and driven ones."""
        return self.start_of(self.motion.model)

    def start_of(self, model: Model) -> dict[str, float]:
        """Values of coordinates, rates and states that a model has and neither fixes nor drives.

        ``model.replace(start=state)`` and ``simulate(model, until, start=state)`` go on from here.
        """
        names = self.motion.names if model is self.motion.model else Names(model)
        known = {address for name in (*model.fixed, *model.inputs) for address in names.expand(name)}
        there = {*names.positions, *names.orientations, *names.elements}
        free = [str(a) for a in self.motion.nodal_coordinates if a not in known and a.owner in there]
        found = {f"{name}{prime}": self[f"{name}{prime}"] for prime in ("", "'") for name in free}
        return found | {name: self[name] for name in self.motion.states if name in names.states}

    def orientation(self, end: str, form: str = "parameters", order: str = "ZXZ") -> Any:
        """Rotation of an end from the drawn position; see :meth:`Motion.orientation`."""
        return self.motion.orientation(end, form, order)[0]

    @figure("csv", TABLE, ".csv")
    def write_csv(self, *signals: str, path: str | os.PathLike[str]) -> None:
        """Write signals as columns under their names and units."""
        self.motion.write_csv(*signals, path=path)

    @figure("draw", Annotated[bool, Unit("", "draw the mechanism in this state")], default=False)
    def plot(self, path: str | None = None, forces: bool | float = False, **options: Any) -> Any:
        """The mechanism drawn in this state; in space as seen from ``view=(azimuth, elevation)``.

        With ``forces``, reactions, loads and contact forces are arrows to scale; a number is their length [m/N].
        """
        scene = self.motion.scene(forces=forces)
        return figure_registry.finish(figure_registry.drawer("draw")(scene, **options), path)

    @printed("values", VALUES)
    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Values of signals; of all coordinates and strains if none are named."""
        names = dict.fromkeys(signals) or self.motion.signals
        rows = tuple((name, f"{self._shown(name):.9g}", self.unit(name) or "1") for name in names)
        return replace(self.motion.summary(), heads=("signal", "value", "unit"), rows=rows, right=("value",))

    def _shown(self, signal: str) -> float:
        """Value of a signal for printing: zero if it is rounding, for lengths relative to the machine."""
        value, unit = self[signal], self.unit(signal)
        places = [abs(x) for place in self.motion.model.nodes.values() for x in place]
        size = {"m": max(places, default=0.0), "rad": 1.0}.get(unit, 0.0)
        return 0.0 if abs(value) < ROUNDING * size else value + 0.0

    def __repr__(self) -> str:
        return f"<State: {self.motion.title or 'model'}, {self.motion.method}>"

    def __str__(self) -> str:
        rows = [f"  {name:24} {self._shown(name): .9g} {self.unit(name)}" for name in self.motion.signals]
        return "\n".join([f"{self.motion.title or 'State'}: {self.motion.method}", *rows])
