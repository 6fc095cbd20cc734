"""State about which a model is linearised, and what is attached to its linear equations, as files give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from flexura.analyses.arguments import Time
from flexura.analyses.statics.equilibrium import equilibrium as balance
from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.laws.validation import validate
from flexura.model.mentions import SIGNAL
from flexura.model.model import Model
from flexura.results.state import State

Numbers = float | Sequence[Sequence[float]]
Balanced = Annotated[bool, Unit("", "about the equilibrium there, not with elastic strains at zero")]
InSpace = Annotated[bool, Unit("", "positions and rotations in space as coordinates, not strains")]


@dataclass(frozen=True)
class Attached:
    """A seal, a film or a bearing by its matrices: forces -(K y + C ẏ + M ÿ) on signals y."""

    signals: Annotated[Sequence[str], Unit("", "signals it acts on"), SIGNAL]
    K: Annotated[Numbers, Unit("N/m", "stiffness: a matrix, or a number for all alike")] = 0.0
    C: Annotated[Numbers, Unit("N·s/m", "damping")] = 0.0
    M: Annotated[Numbers, Unit("kg", "inertia")] = 0.0

    def __post_init__(self) -> None:
        validate(self)
        size = len(self.signals)
        for name, value in (("K", self.K), ("C", self.C), ("M", self.M)):
            if not isinstance(value, float | int) and [len(row) for row in value] != [size] * size:
                remedy = "give as many rows and columns as there are signals, or a number"
                raise ModelError(f"Attached.{name}", f"this is no matrix of {size} by {size}", remedy)


Attachments = Annotated[Sequence[Attached], Unit("", "seals, films and bearings that act on the linear equations")]


@dataclass(frozen=True)
class NominalState:
    """Time of a nominal motion, or of an equilibrium."""

    at: Time = 0.0
    equilibrium: Balanced = False

    @staticmethod
    def of(model: Model, given: NominalState) -> float | State:
        """The time itself, or the equilibrium then."""
        return balance(model, given.at) if given.equilibrium else given.at
