"""Elements of one kind as a group, and slips with dry friction, by the indices of a layout."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexura.derive.kinds import Kind
from flexura.derive.records import Ints
from flexura.laws.grip import Grip


class Held(NamedTuple):
    """Dry friction on these slips, and the strain with its normal force."""

    grip: Grip
    slips: list[int]
    by: int | None
    pressure: tuple[tuple[int, int, int, float], ...] = ()
    """(group, component, strain, weight) of the forces that make up the normal force of a joint"""


@dataclass
class Group:
    """The elements of one kind, in order."""

    kind: Kind
    names: list[str] = field(default_factory=list)
    numbers: list[list[float]] = field(default_factory=list)
    coordinates: list[list[int]] = field(default_factory=list)
    strain_start: list[int] = field(default_factory=list)

    @cached_property
    def table(self) -> Ints:
        """Coordinates of the elements, one row for each; read once all elements are present."""
        return np.array(self.coordinates, dtype=np.int64).reshape(len(self.names), -1)

    @cached_property
    def firsts(self) -> Ints:
        """First strain of each element."""
        return np.array(self.strain_start, dtype=np.int64)
