"""Range of frequencies over which a response is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Bounds, Positive, Unit
from flexura.laws.validation import validate
from flexura.model.mentions import LOAD, SIGNAL


@dataclass(frozen=True)
class FrequencyRange:
    """A signal under a harmonic load, over the frequency."""

    load: Annotated[str, Unit("", "signal that is loaded"), LOAD]
    signal: Annotated[str, Unit("", "signal of the response"), SIGNAL]
    start: Annotated[float, Unit("rad/s", "lowest frequency"), Positive()]
    stop: Annotated[float, Unit("rad/s", "highest frequency"), Positive()]
    count: Annotated[int, Unit("", "number of frequencies"), Bounds(2, 1_000_000)] = 400

    def __post_init__(self) -> None:
        validate(self)

    @property
    def frequencies(self) -> NDArray[np.float64]:
        """Frequencies at equal ratios."""
        return np.geomspace(self.start, self.stop, self.count)
