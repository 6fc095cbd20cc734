"""Eigenvalues over a parameter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.results import pictures

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Campbell:
    """Branches of eigenvalues over a parameter, a row a value and a column a branch."""

    title: str
    parameter: str
    values: Array
    eigenvalues: NDArray[np.complex128]
    whirl: Array
    """1 where a motion whirls forward, -1 backward, 0 where that was not asked for"""

    @property
    def frequencies(self) -> Array:
        """The frequencies in rad/s."""
        return np.asarray(self.eigenvalues.imag)

    def critical(self, order: float = 1.0) -> Array:
        """The values (speeds in rad/s) at which a frequency is ``order`` times the parameter."""
        found = []
        for branch in self.frequencies.T:
            gap = branch - order * self.values
            for k in np.flatnonzero(gap[:-1] * gap[1:] < 0.0):
                share = gap[k] / (gap[k] - gap[k + 1])
                found.append(self.values[k] + share * (self.values[k + 1] - self.values[k]))
        return np.sort(np.array(found))

    def stability_limits(self) -> Array:
        """The values at which the real part of a branch changes sign."""
        found = []
        for branch in self.eigenvalues.real.T:
            for k in np.flatnonzero(branch[:-1] * branch[1:] < 0.0):
                share = branch[k] / (branch[k] - branch[k + 1])
                found.append(self.values[k] + share * (self.values[k + 1] - self.values[k]))
        return np.sort(np.array(found))

    def plot(self, path: str | None = None, **options: Any) -> Any:
        """Frequencies over the parameter, with the line of equal frequency."""
        return pictures.finish(pictures.drawer("campbell")(self, **options), path)
