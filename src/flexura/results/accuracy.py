"""Accuracy of a motion: an estimated error for every signal and force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.model.addresses import TURNS
from flexura.model.mentions import parse
from flexura.results.marks import Axes, Named

if TYPE_CHECKING:
    from flexura.model.names import Address
    from flexura.results.motion import Motion

Array = NDArray[np.float64]

_SIGNIFICANT = 1e-3
"""Fraction of the largest range of a force or rate in the model, below which it is not judged."""
_CONSTANT = 1e-4
"""Fraction of the largest force or rate in the model, below which a range counts as zero."""
_ROUNDING = 1e-8
"""Fraction of the largest range in any unit (of forces times the size of the model for moments) that is rounding: a
machine in space that moves in a plane has no moments about the axes in it. Also the fraction of the largest kinetic
energy below which the work of a force along the size of the model is rounding: a balanced rotor has no bearing
forces."""
_STILL = {1: 1e-6, 2: 1e-4}
"""Distance over the run, relative to the size of the model or in rad, at the least significant rate or acceleration:
parts at rest have rates of rounding size, and parts whose forces are balanced have accelerations of the size of their
errors."""
_REST = 1e-12
"""Motion, relative to the size of the model or in rad, that is rounding: stiff parts at rest amplify it to forces."""


@dataclass(frozen=True)
class Errors:
    """Estimated largest errors over a run, one for each nodal coordinate and strain of a motion."""

    source: str
    """the method of estimation"""
    position: Annotated[
        tuple[Array, Array, Array],
        Axes("coordinate"),
        Named("position_error", "velocity_error", "acceleration_error"),
    ]
    strain: Annotated[
        tuple[Array, Array, Array],
        Axes("deformation"),
        Named("strain_error", "strain_rate_error", "strain_acceleration_error"),
    ]
    coordinate_force: Annotated[Array, Axes("coordinate"), Named("force_error")]
    stress: Annotated[Array, Axes("deformation"), Named("stress_error")]
    states: Annotated[dict[str, tuple[float, float]], Axes("state"), Named("state_error", "state_rate_error")] = field(
        default_factory=dict
    )


class Accuracy:
    """Estimated errors by the names of signals, as in ``motion.accuracy["B.x'"]``.

    Each is the largest error that is expected at any time of the run, in the unit of the signal. Those of forces are
    found by ``motion.accuracy.force("rod.elongation")``.
    """

    def __init__(self, motion: Motion, errors: Errors) -> None:
        self._motion = motion
        self.errors = errors

    @property
    def source(self) -> str:
        """The method by which the errors were estimated."""
        return self.errors.source

    def __getitem__(self, signal: str) -> float:
        plain, order, force = parse(signal)
        if force:
            return self.force(plain)
        address = self._address(signal, plain)
        if address.integral:
            return self.errors.states[plain][order]
        table = self.errors.position if address.kind == "coordinate" else self.errors.strain
        return float(table[order][self._motion.column(address)])

    def force(self, signal: str) -> float:
        """Error of the force that is dual to a signal."""
        address = self._address(signal, signal)
        table = self.errors.coordinate_force if address.kind == "coordinate" else self.errors.stress
        return float(table[self._motion.column(address)])

    def _address(self, signal: str, plain: str) -> Address:
        address = self._motion.names.resolve(plain)
        if address.internal:
            what = "the accuracy is known of coordinates, strains, states and their forces"
            raise ModelError(f"signal '{signal}'", what, "name one of motion.signals")
        return address

    @property
    def worst_force(self) -> tuple[str, float]:
        """Name and error, relative to its range, of the least accurate force that is not negligible."""
        motion, errors = self._motion, self.errors
        tables = (
            (motion.nodal_coordinates, motion.coordinate_force, errors.coordinate_force),
            (motion.strains, motion.stress, errors.stress),
        )
        return self._worst(tables, ".force", self._size, float(motion.energy["kinetic"].max(initial=0.0)))

    @property
    def worst_rate(self) -> tuple[str, float]:
        """Name and error, relative to its range, of the least accurate rate that is not negligible."""
        motion, errors = self._motion, self.errors
        table = (motion.nodal_coordinates, motion.position[1], errors.position[1])
        return self._worst((table,), "'", 1.0 / self._size, still=self._still(1))

    @property
    def worst_acceleration(self) -> tuple[str, float]:
        """Name and error, relative to its range, of the least accurate acceleration that is not negligible."""
        motion, errors = self._motion, self.errors
        table = (motion.nodal_coordinates, motion.position[2], errors.position[2])
        return self._worst((table,), "''", 1.0 / self._size, still=self._still(2))

    @property
    def worst_position(self) -> tuple[str, float]:
        """Name and error of the least accurate coordinate: lengths relative to the size of the model, or in radians."""
        found = self.errors.position[0] / self._sizes
        if not found.size:
            return "", 0.0
        worst = int(np.argmax(found))
        return str(self._motion.nodal_coordinates[worst]), float(found[worst])

    @property
    def worst_state(self) -> tuple[str, float]:
        """Name and error, relative to its range, of the least accurate state of a controller that changes."""
        found = []
        for name, (error, _) in self.errors.states.items():
            values = self._motion.states[name][0]
            size = max(float(np.ptp(values)), _CONSTANT * float(np.abs(values).max())) if values.size else 0.0
            if size > 0.0:
                found.append((name, error / size))
        return max(found, key=lambda each: each[1], default=("", 0.0))

    @cached_property
    def _size(self) -> float:
        return _size(self._motion)

    @cached_property
    def _sizes(self) -> Array:
        """Scale of the error of each coordinate."""
        return np.where(_turns(self._motion.nodal_coordinates), 1.0, self._size)

    @cached_property
    def _at_rest(self) -> bool:
        """True if no coordinate moves by more than rounding."""
        return bool(np.all(np.ptp(self._motion.position[0], axis=0) <= _REST * self._sizes))

    def _still(self, order: int) -> Array:
        """Smallest significant range of the rate or acceleration of each coordinate."""
        motion = self._motion
        duration = float(motion.t[-1] - motion.t[0]) if motion.t.size else 0.0
        return _STILL[order] * self._sizes / duration**order if duration > 0.0 else np.zeros(0)

    def _worst(
        self,
        tables: Sequence[tuple[Sequence[Address], Array, Array]],
        ending: str,
        arm: float,
        scale: float = 0.0,
        still: Array | None = None,
    ) -> tuple[str, float]:
        """Name and relative error of the least accurate significant signal, compared with those of the same unit.

        Those of lengths, times the arm, compare with those of angles and with ``scale``. Ranges count at least as much
        as those in ``still``. A model at rest has none.
        """
        if self._at_rest:
            return "", 0.0
        addresses = tuple(address for table in tables for address in table[0])
        values = [table if len(table) else np.zeros((1, len(of))) for of, table, _ in tables]
        highest, lowest = (np.concatenate([of(each, axis=0) for each in values]) for of in (np.max, np.min))
        ranges = highest - lowest
        ranges = np.maximum(ranges, still) if still is not None and still.size else ranges
        floors = _CONSTANT * np.maximum(highest, -lowest)
        largest, least, arms = np.zeros_like(ranges), np.zeros_like(ranges), np.ones_like(ranges)
        for unit, places in _places_of_units(self._motion.names.units(addresses)).items():
            largest[places] = np.fmax.reduce(ranges[places], initial=0.0)
            least[places] = np.fmax.reduce(floors[places], initial=0.0)
            arms[places] = arm if unit == "m" else 1.0
        rounding = _ROUNDING * max(float(np.fmax.reduce(arms * largest, initial=0.0)), scale)
        significant = np.flatnonzero((ranges > _SIGNIFICANT * largest) & (arms * ranges > rounding))
        if not significant.size:
            return "", 0.0
        sizes = np.maximum(ranges, least)[significant]
        relative = np.concatenate([errors for _, _, errors in tables])[significant] / sizes
        worst = int(np.argmax(relative))
        return f"{addresses[significant[worst]]}{ending}", float(relative[worst])

    @property
    def figures(self) -> str:
        """Relative errors of the least accurate position and force, as text."""
        force, position = self.worst_force, self.worst_position
        return f"positions {position[1]:.1e}" + (f", forces {force[1]:.1e}" if force[0] else "")

    def __str__(self) -> str:
        return f"{self.figures} ({self.source})"


_STANDING = 1e-6
"""Path [m] of a model drawn at a single point, below which it does not move."""


def coordinate_sizes(motion: Motion) -> Array:
    """Scale of the error of each coordinate: a radian, or the size of the model."""
    return np.where(_turns(motion.nodal_coordinates), 1.0, _size(motion))


@lru_cache
def _turns(coordinates: tuple[Address, ...]) -> NDArray[np.bool_]:
    """True for each coordinate that is a rotation."""
    return np.array([address.component in TURNS for address in coordinates], dtype=bool)


@lru_cache
def _places_of_units(units: tuple[str, ...]) -> dict[str, NDArray[np.int64]]:
    """Places of each unit in a list of units."""
    return {unit: np.flatnonzero([each == unit for each in units]) for unit in dict.fromkeys(units)}


def _size(motion: Motion) -> float:
    """Largest extent of the drawn model, or the path of a point if it is larger.

    A model drawn at a single point that does not move has the size 1 m, by which its errors are controlled.
    """
    drawn, moved = np.array(list(motion.model.nodes.values()), dtype=float), np.ptp(motion.position[0], axis=0)
    extent, path = float(np.ptp(drawn, axis=0).max()), float(moved[~_turns(motion.nodal_coordinates)].max(initial=0.0))
    return 1.0 if extent == 0.0 and path < _STANDING else max(extent, path)
