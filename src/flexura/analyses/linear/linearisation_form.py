"""Linearisation as data: the form in files of a function from models to linear systems."""

from __future__ import annotations

from dataclasses import dataclass

from flexura.analyses.arguments import Time
from flexura.analyses.linear.linearisation_arguments import Attachments, Balanced, InSpace, NominalState
from flexura.analyses.linear.linearise import linearise
from flexura.model.model import Model
from flexura.results.linear_system import LinearSystem


@dataclass(frozen=True)
class Linearised:
    """Function from a model to its linear equations about a nominal state, with attachments."""

    at: Time = 0.0
    equilibrium: Balanced = False
    in_space: InSpace = False
    attached: Attachments = ()

    def __call__(self, model: Model) -> LinearSystem:
        """Linear equations of a model."""
        state = NominalState.of(model, NominalState(self.at, self.equilibrium))
        return linearise(model, state, in_space=self.in_space, attached=self.attached)
