"""Linear equations of small motions along a nominal motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.linear_system import LinearSystem
from flexura.results.motion import Motion, parse

Array = NDArray[np.float64]
Rows = tuple[Array, Array, Array]


@dataclass(frozen=True, eq=False, repr=False)
class LinearMotion:
    """M(t) q̈ + C(t) q̇ + K(t) q = forcing(t) at the times ``t``, in the same ``coordinates`` q at all of them.

    The first axis of the arrays is the time. ``linear[k]`` is the :class:`LinearSystem` at the time number k.
    """

    model: Model
    t: Array
    coordinates: tuple[str, ...]
    M: Array
    C: Array
    K: Array
    forcing: Array
    """the stresses that hold q still in the nominal motion: let go, they drive the small motion"""
    still: Callable[[], Motion]
    """finds the motion with q held still, at the same times"""
    system: Callable[[int], LinearSystem]
    """the linear system at a time, by its number"""

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.model.title

    @cached_property
    def nominal(self) -> Motion:
        """The motion with q held still, at the same times."""
        return self.still()

    @cached_property
    def names(self) -> Names:
        """The resolved names of the model."""
        return Names(self.model)

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, number: int) -> LinearSystem:
        if not -len(self) <= number < len(self):
            raise IndexError(f"there are {len(self)} times")
        return self.system(number % len(self))

    @cached_property
    def _rows(self) -> dict[str, Rows]:
        return {}

    def rows(self, signal: str) -> Rows:
        """(a, b, c) of Δ(signal) = a q + b q̇ + c q̈, a row a time; also of rates, accelerations and forces."""
        if signal not in self._rows:
            self._rows[signal] = self._own(signal) or self._found(signal)
        return self._rows[signal]

    def _own(self, signal: str) -> Rows | None:
        """The rows of an independent coordinate or its rates, which are the same at all times."""
        plain, order, force = parse(signal)
        name = str(self.names.resolve(plain))
        if force or name not in self.coordinates:
            return None
        # a state is the rate of its coordinate
        order += name in self.names.states
        if order > 2:
            return None
        unit = np.zeros((len(self), len(self.coordinates)))
        unit[:, self.coordinates.index(name)] = 1.0
        zero = np.zeros_like(unit)
        return ((unit, zero, zero), (zero, unit, zero), (zero, zero, unit))[order]

    def _found(self, signal: str) -> Rows:
        a, b, c = np.array([self.system(k).output(signal) for k in range(len(self))]).transpose(1, 0, 2)
        return a, b, c

    def holding(self, signal: str) -> Array:
        """The part of a force that is there because the nominal motion holds the coordinates still, a number a time."""
        addresses = [self.names.resolve(name) for name in self.coordinates]
        return np.array(
            [
                self.system(k).following.holding(signal, dict(zip(addresses, map(float, stresses), strict=True)))
                for k, stresses in enumerate(self.forcing)
            ]
        )

    def __repr__(self) -> str:
        return f"<LinearMotion: {len(self.coordinates)} coordinates at {len(self)} times>"
