"""Addresses: resolved names of signals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from flexura.nodes import End, Frame

CONTROL = ("states", "controllers", "sampled", "motors")
"""Fields of a model whose names are those of states, or of what has states."""
INTEGRAL = "integral"
"""The component of a state's integral."""
DIMENSIONS = {"planar": 2, "spatial": 3}
"""The spaces, and the number of coordinates of a position in each."""
AXES = ("x", "y", "z")
"""The components of a position."""
TURNS = (*End.coordinates[2:], *Frame.coordinates[3:])
"""The components of an orientation, in the plane and in space."""


class Address(NamedTuple):
    """Resolved signal name: a coordinate of a position, an orientation or an element, or a strain."""

    kind: str
    """"coordinate" or "strain"."""
    owner: str
    component: str

    def __str__(self) -> str:
        owner, _, carrier = self.owner.partition(":")
        if self.integral:
            return owner
        return f"{owner}.{carrier}_{self.component}" if carrier else f"{self.owner}.{self.component}"

    @property
    def internal(self) -> bool:
        """True if it belongs to an internal element."""
        return ":" in self.owner

    @property
    def turns(self) -> bool:
        """True for a coordinate of an orientation."""
        return self.kind == "coordinate" and self.component in TURNS

    @property
    def integral(self) -> bool:
        """True for the integral of a state: a coordinate whose rate is the state."""
        return self.kind == "coordinate" and self.component == INTEGRAL


@dataclass(frozen=True)
class Attachment:
    """Position and orientation to which one slot of an element is attached."""

    position: str
    orientation: str | None

    def addresses(self, coordinates: tuple[str, ...]) -> tuple[Address, ...]:
        """Nodal coordinates of an element that belong to this slot."""
        return tuple(
            Address("coordinate", self.position if c in AXES else str(self.orientation), c) for c in coordinates
        )
