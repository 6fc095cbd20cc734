"""Events: what happened, and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Happening:
    """An event: when, of which signal, and what it was.

    A ``crossing`` is one that was watched for. Gaps with a law of restitution have an ``impact``, with the numbers
    below; ``contact`` where one begins that lasts, and ``release`` where it ends. What has dry friction has a
    ``stick`` where it comes to rest, and a ``slip`` where it begins to slide.
    """

    time: float
    signal: str
    kind: str = "crossing"
    impulse: float = 0.0
    """N·s"""
    approach: float = 0.0
    """the velocity of the approach, m/s"""
    mass: float = 0.0
    """the mass that counts at the contact, kg"""
    force: float = 0.0
    """the greatest force, as estimated from the stiffness of the law, N; zero without one"""
    lost: float = 0.0
    """the energy that was lost, J"""

    def __str__(self) -> str:
        said = f"{self.signal}: {self.kind} at {self.time:.9g} s"
        if self.kind != "impact":
            return said
        force = f", about {self.force:.6g} N" if self.force else ""
        return f"{said}, {self.approach:.6g} m/s, {self.impulse:.6g} N·s{force}, {self.lost:.6g} J lost"


KINDS = ("impact", "contact", "release", "stick", "slip")
"""what integrators record of gaps and friction, in their numbers"""


def event_columns(events: Iterable[Happening]) -> dict[str, NDArray[np.generic]]:
    """The events as columns, a name each."""
    listed = list(events)
    return {
        f.name: np.array([getattr(event, f.name) for event in listed], dtype=float if f.type == "float" else np.str_)
        for f in fields(Happening)
    }
