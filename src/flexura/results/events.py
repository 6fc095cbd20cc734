"""Events of a motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from flexura.laws.units import Unit


@dataclass(frozen=True)
class Happening:
    """An event: its time, its signal and its kind.

    A ``crossing`` is one that was watched for. Gaps with a law of restitution have an ``impact``, with the numbers
    below; ``contact`` where one begins that lasts, and ``release`` where it ends. What has dry friction has a
    ``stick`` where it comes to rest, and a ``slip`` where it begins to slide. At a ``singular position`` branches of
    the motion meet; its signal names the constraints that become dependent.
    """

    time: Annotated[float, Unit("s")]
    signal: str
    kind: str = "crossing"
    impulse: Annotated[float, Unit("N·s")] = 0.0
    approach: Annotated[float, Unit("m/s")] = 0.0
    """the velocity of the approach"""
    mass: Annotated[float, Unit("kg")] = 0.0
    """the mass that counts at the contact"""
    force: Annotated[float, Unit("N")] = 0.0
    """the greatest force, as estimated from the stiffness of the law; zero without one"""
    lost: Annotated[float, Unit("J")] = 0.0
    """the energy that was lost"""

    def __str__(self) -> str:
        said = f"{self.signal}: {self.kind} at {self.time:.9g} s"
        if self.kind != "impact":
            return said
        force = f", about {self.force:.6g} N" if self.force else ""
        return f"{said}, {self.approach:.6g} m/s, {self.impulse:.6g} N·s{force}, {self.lost:.6g} J lost"


KINDS = ("impact", "contact", "release", "stick", "slip")
"""kinds of contact and friction events that integrators record, in their order"""
