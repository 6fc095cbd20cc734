"""Linear equations of small motions along a nominal motion."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.model.mentions import parse
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.linear_system import LinearSystem
from flexura.results.marks import Axes, Labels
from flexura.results.motion import Motion
from flexura.results.providers import provider
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]
Rows = tuple[Array, Array, Array]


class LinearMotionSource(Protocol):
    """Analysis that gives the nominal motion, and the linear system at any of the times."""

    def nominal(self) -> Motion: ...
    def system(self, number: int) -> LinearSystem: ...


class LinearMotion(Result):
    """M(t) q̈ + C(t) q̇ + K(t) q = forcing(t) at the times ``t``, in the same ``coordinates`` q at all of them.

    The first axis of the arrays is the time. ``linear[k]`` is the :class:`LinearSystem` at the time number k.
    """

    model: Model
    t: Annotated[Array, Labels("time"), Unit("s")]
    coordinates: Annotated[tuple[str, ...], Labels("coordinate")]
    M: Annotated[Array, Axes("time", "coordinate", "other")]
    C: Annotated[Array, Axes("time", "coordinate", "other")]
    K: Annotated[Array, Axes("time", "coordinate", "other")]
    forcing: Annotated[Array, Axes("time", "coordinate")]
    """stresses that hold q constant in the nominal motion: released, they drive the small motion"""
    states: Annotated[Array, Axes("time", "order", "every_coordinate")]
    """positions, rates and accelerations of all coordinates in the nominal motion"""
    numbers: Annotated[Array, Axes("time", "number")]
    """tracked numbers"""

    @cached_property
    def source(self) -> LinearMotionSource:
        """Analysis that provides the nominal motion."""
        found: LinearMotionSource = provider("linear motion")(self)
        return found

    def at(self, rows: slice, source: LinearMotionSource) -> LinearMotion:
        """These equations at some of the times; ``source`` counts as before."""
        return LinearMotion(
            self.model,
            self.t[rows],
            self.coordinates,
            self.M[rows],
            self.C[rows],
            self.K[rows],
            self.forcing[rows],
            self.states[rows],
            self.numbers[rows],
        ).prefilled(source=source)

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.model.title

    @cached_property
    def nominal(self) -> Motion:
        """Nominal motion with constant q, at the same times."""
        return self.source.nominal()

    @cached_property
    def names(self) -> Names:
        """The resolved names of the model."""
        return Names(self.model)

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, number: int) -> LinearSystem:
        if not -len(self) <= number < len(self):
            raise IndexError(f"there are {len(self)} times")
        return self._systems(number % len(self))

    @cached_property
    def _known(self) -> dict[int, LinearSystem]:
        return {}

    @cached_property
    def _distinct(self) -> range | list[int]:
        """Index of a system with the same signals for each of the times: the first one for a machine at rest."""
        at_rest = all(part.strides[0] == 0 for part in (self.M, self.C, self.K, self.states))
        return [0] * len(self) if at_rest else range(len(self))

    def _systems(self, number: int) -> LinearSystem:
        if number not in self._known:
            self._known[number] = self.source.system(number)
        return self._known[number]

    @cached_property
    def _rows(self) -> dict[str, Rows]:
        return {}

    def rows(self, signal: str) -> Rows:
        """(a, b, c) of Δ(signal) = a q + b q̇ + c q̈, a row for each time; also of rates and forces."""
        if signal not in self._rows:
            self._rows[signal] = self._own(signal) or self._found(signal)
        return self._rows[signal]

    def _own(self, signal: str) -> Rows | None:
        """Rows of an independent coordinate or its rates, which are constant."""
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
        a, b, c = np.array([self._systems(k).output(signal) for k in self._distinct]).transpose(1, 0, 2)
        return a, b, c

    def unfed_rows(self, signal: str) -> Rows:
        """Rows of a force with loads that do not depend on signals."""
        u = len(self._systems(0).drives)
        found = [self._systems(k).following.unfed.rows(*parse(signal)) for k in self._distinct]
        a, b, c = np.array(found)[:, :, u:].transpose(1, 0, 2)
        return a, b, c

    def direct(self, signal: str, load: str, outside: bool = True) -> Array:
        """Direct response of a force to a unit load, external or of a contact: one number for each time."""
        return np.array([self._systems(k).following.direct(signal, load, outside) for k in self._distinct])

    def free(self, signal: str, load: str) -> bool:
        """True if both are the same free coordinate."""
        return self.names.resolve(signal) == self.names.resolve(load) and self._systems(0).following.free(signal)

    def holding(self, signal: str) -> Array:
        """Part of a force that holds the coordinates constant in the nominal motion: one number for each time."""
        addresses = [self.names.resolve(name) for name in self.coordinates]
        return np.array(
            [
                self._systems(k).following.holding(signal, dict(zip(addresses, map(float, stresses), strict=True)))
                for k, stresses in zip(self._distinct, self.forcing, strict=True)
            ]
        )

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Size of the equations."""
        heads = ("coordinate",)
        rows = tuple((name,) for name in self.coordinates)
        return Summary(f"{len(self.coordinates)} coordinates at {len(self)} times", heads, rows)

    def __repr__(self) -> str:
        return f"<LinearMotion: {len(self.coordinates)} coordinates at {len(self)} times>"
