"""State of linearisation, and attachments to the linear equations, in the form of files."""

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
Balanced = Annotated[bool, Unit("", "linearise about the equilibrium at this time instead of zero elastic strains")]
InSpace = Annotated[bool, Unit("", "use positions and rotations in space as coordinates instead of strains")]


@dataclass(frozen=True)
class Attached:
    """A seal, a film or a bearing by its matrices: forces -(K y + C ẏ + M ÿ) on signals y."""

    signals: Annotated[Sequence[str], Unit("", "signals on which it acts"), SIGNAL]
    K: Annotated[Numbers, Unit("N/m", "stiffness: a matrix, or a number for a multiple of the identity")] = 0.0
    C: Annotated[Numbers, Unit("N·s/m", "damping")] = 0.0
    M: Annotated[Numbers, Unit("kg", "inertia")] = 0.0

    def __post_init__(self) -> None:
        validate(self)
        size = len(self.signals)
        for name, value in (("K", self.K), ("C", self.C), ("M", self.M)):
            if not isinstance(value, float | int) and [len(row) for row in value] != [size] * size:
                remedy = "give as many rows and columns as there are signals, or a number"
                raise ModelError(f"Attached.{name}", f"this is no matrix of {size} by {size}", remedy)


Attachments = Annotated[
    Sequence[Attached],
    Unit("", "seals, oil films and bearings given by matrices that are added to the linear equations"),
]


@dataclass(frozen=True)
class NominalState:
    """Time of a nominal motion, or of an equilibrium."""

    at: Time = 0.0
    equilibrium: Balanced = False

    @staticmethod
    def of(model: Model, given: NominalState) -> float | State:
        """The time itself, or the equilibrium then."""
        return balance(model, given.at) if given.equilibrium else given.at
