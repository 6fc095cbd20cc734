"""Quantity of a run: values with named dimensions, labels and a unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

TIME, FREQUENCY = "time", "frequency"


@dataclass(frozen=True)
class Quantity:
    """Values of a run, over dimensions of their own; a number has none."""

    values: NDArray[np.float64]
    dims: tuple[str, ...] = ()
    unit: str = ""
    labels: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """Coordinates of the dimensions that have some."""

    def reduced(self, value: float, unit: str | None = None) -> Quantity:
        """Number in place of the values."""
        return Quantity(np.array(float(value)), unit=self.unit if unit is None else unit)


def number(value: float, unit: str = "") -> Quantity:
    """Quantity without dimensions."""
    return Quantity(np.array(float(value)), unit=unit)
