"""Total mass of a model as a quantity, in addition to those of a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import assigned, on_some_side
from flexura.analyses.gradients.sloped_quantities import Sloped, Source
from flexura.analyses.studies.quantity_expressions import Term
from flexura.mechanics.core.kernel_outputs import moving_masses
from flexura.mechanics.core.layout import Layout
from flexura.model.model import Model
from flexura.model.parameter_scale import Scale, scale_of

Array = NDArray[np.float64]
MASS = "mass"


def total_mass(model: Model) -> float:
    """Sum of the masses of all elements."""
    return float(np.sum(moving_masses(Layout(model))))


class WithMass:
    """Source of the total mass in addition to its own quantities."""

    def __init__(self, source: Source, model: Model, numbers: Mapping[str, float], scale: Scale) -> None:
        self.source, self.model, self.numbers, self.scale = source, model, numbers, scale
        self.parameters = len(numbers)

    def variable(self, name: str) -> Sloped:
        """The mass, or a variable of the source."""
        if name != MASS:
            return self.source.variable(name)
        slopes = [self._slope(path, value) for path, value in self.numbers.items()]
        return Sloped(np.array(total_mass(self.model)), np.array(slopes), "kg")

    def _slope(self, path: str, value: float) -> float:
        def change(steps: Sequence[tuple[float, float]]) -> float:
            return sum(weight * total_mass(assigned(self.model, path, value + offset)) for offset, weight in steps)

        return on_some_side(change, path, value, scale_of(self.model, path, value, self.scale))

    def event_times(self, signal: str, most: int) -> Sloped:
        """Times of the first events of a signal."""
        return self.source.event_times(signal, most)

    def time_slope(self, term: Term, history: Sloped, sample: int) -> Array:
        """Derivative of the time of an extremum."""
        return self.source.time_slope(term, history, sample)
