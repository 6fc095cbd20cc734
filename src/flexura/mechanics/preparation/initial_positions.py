"""Initial positions of a prepared model, with the results found for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np

from flexura.derive.records import Floats
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive, track
from flexura.mechanics.preparation.assembled_form import Snapshot
from flexura.mechanics.preparation.initial_state import Start
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.mobility import Mobility

_MOST = 4
"""Maximum number of stored initial positions, and of initial rates for each."""

T = TypeVar("T")
Position = tuple[Any, ...]
"""Time, given values and names of given rates of an initial position."""


class InitialVelocity(NamedTuple):
    """Consistent initial rates."""

    v: Floats
    note: str
    """remarks on the start"""
    kinematic: bool
    """True if they depend on strains and slopes only, not on masses"""


@dataclass
class InitialPosition:
    """Consistent initial position, with the results found for it."""

    mobility: Mobility
    x: Floats
    numbers: Floats
    """of the elements, including the tracked numbers"""
    fits: bool
    """True if the drawn or given position is consistent"""
    drawn: bool
    """True if it is the drawn position"""
    velocities: dict[tuple[object, ...], InitialVelocity] = field(default_factory=dict)
    """by the given rates"""
    snapshots: dict[tuple[bool, bool, bool], Snapshot] = field(default_factory=dict)
    """systems with their penalty weights and pivots, by form"""
    remembered: dict[object, Any] = field(default_factory=dict)
    kinematic: dict[object, Any] = field(default_factory=dict)
    """results that depend on strains and slopes only"""

    def velocity(self, start: Start, system: System, t: float) -> InitialVelocity:
        """Rates consistent with a start, with remarks on them."""
        rates, x = tuple(start.rates.values()), self.x.copy()
        if rates not in self.velocities:
            transfer = self.transfer_of(start.layout, system)
            v = start.velocity(transfer, t, x)
            notes = (start.note(transfer, x, v), start.jumps(x) if t == 0.0 else "")
            found = InitialVelocity(v, "; ".join(filter(None, notes)), start.kinematic(transfer))
            add_to(self.velocities, rates, found)
        return self.velocities[rates]

    def transfer_of(self, layout: Layout, system: System) -> Transfer:
        """Transfer functions with the independent coordinates of the position, cached for the same system."""
        found: Transfer | None = self.kinematic.get(Transfer)
        if found is None or found.system is not system:
            found = self.kinematic[Transfer] = Transfer(layout, system, self.mobility.independent)
        return found

    def renumber(
        self, system: System, following: bool, shifted: bool, earlier: Driven | None = None, now: Driven | None = None
    ) -> bool:
        """Keep the position for other numbers that change no held strain and no slope; false if this is impossible.

        ``following``: some of these numbers belong to elements with tracked numbers. ``shifted``: values
        of strains that are not held have changed. Inputs with other numbers drove to ``earlier`` and drive to ``now``.
        """
        if (following and not self.fits) or (shifted and not self.drawn):
            return False
        if earlier and now and earlier.values != now.values:
            return False
        if earlier != now:
            self.velocities.clear()
        tracked = self.numbers[system.track_target]
        if following:
            track(system, self.x, np.zeros_like(self.x))
            tracked = system.number[system.track_target]
        self.numbers[:] = system.number
        self.numbers[system.track_target] = tracked
        self.velocities = {rates: found for rates, found in self.velocities.items() if found.kinematic}
        self.snapshots.clear()
        self.remembered.clear()
        return True


def add_to(found: dict[tuple[object, ...], T], key: tuple[object, ...], value: T) -> None:
    """Add to a dictionary of limited size; the oldest entry is removed first."""
    found[key] = value
    while len(found) > _MOST:
        found.pop(next(iter(found)))


def once(found: dict[object, Any], key: object, compute: Callable[[], T]) -> T:
    """Cached result of a computation."""
    if key not in found:
        found[key] = compute()
    result: T = found[key]
    return result


class Driven(NamedTuple):
    """Driven coordinates and strains at a time, and their rates, compared exactly."""

    values: bytes
    rates: bytes

    @staticmethod
    def of(system: System, t: float) -> Driven:
        """Values for the current system."""
        count, rows = system.coordinate_place.size, system.rows
        x, v = np.zeros(count), np.zeros(count)
        drive(system, t, x, v, np.zeros(count))
        return Driven(x.tobytes() + rows.position.tobytes(), v.tobytes() + rows.velocity.tobytes())


def driven_at(positions: Mapping[Position, InitialPosition], system: System) -> dict[float, Driven]:
    """Driven coordinates and strains at the times of initial positions."""
    return {t: Driven.of(system, t) for t in {at[0] for at in positions}}


def renumber_positions(
    positions: dict[Position, InitialPosition],
    restored: Callable[[], System],
    following: bool,
    shifted: bool,
    driven: Mapping[float, Driven],
) -> None:
    """Initial positions that remain valid with other numbers; ``driven`` has the earlier values of the inputs."""
    for at, position in list(positions.items()):
        system, earlier = restored(), driven.get(at[0])
        now = Driven.of(system, at[0]) if earlier else None
        if not position.renumber(system, following, shifted, earlier, now):
            positions.pop(at)


class Kinematics(NamedTuple):
    """Strains and slopes at two positions, the second one arbitrary, compared exactly."""

    held: bytes
    """held strains, and all slopes"""
    other: bytes
    """strains that are not held"""

    @staticmethod
    def of(system: System, drawn: Floats, size: float) -> Kinematics:
        """Values for a system in the drawn position, and displaced by a fraction of its size."""
        x, rest, found = drawn.copy(), np.zeros_like(drawn), list[Floats]()
        for shift in (0.0, 0.1 * size):
            x += shift * np.cos(np.arange(x.size) ** 2)
            call_level(system, system.shape, x, rest)
            found.append(system.shape.out.copy())
        free = np.ones(system.strain.size, dtype=bool)
        free[system.rows.strain] = False
        both, places = np.array(found), system.shape_slopes.strain[free]
        other = both[:, places].tobytes()
        both[:, places] = 0.0
        return Kinematics(both.tobytes(), other)
