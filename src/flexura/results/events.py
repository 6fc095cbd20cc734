"""Events of a motion."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import inf
from typing import Annotated

from flexura.laws.units import Unit


@dataclass(frozen=True)
class MotionEvent:
    """Event of a motion: its time, its signal and its kind.

    A ``crossing`` is an event that was requested. Gaps with a law of restitution have an ``impact``, with the numbers
    below; ``contact`` at the beginning of lasting contact, and ``release`` at its end. Contacts with dry friction have
    a ``stick`` when they come to rest, and a ``slip`` when they begin to slide. At a ``singular position`` branches of
    the motion meet; its signal names the constraints that become dependent.
    """

    time: Annotated[float, Unit("s")]
    signal: str
    kind: str = "crossing"
    impulse: Annotated[float, Unit("N·s")] = 0.0
    approach: Annotated[float, Unit("m/s")] = 0.0
    """approach velocity"""
    mass: Annotated[float, Unit("kg")] = 0.0
    """effective mass at the contact"""
    force: Annotated[float, Unit("N")] = 0.0
    """maximum force, estimated from the stiffness of the law; zero without a stiffness"""
    lost: Annotated[float, Unit("J")] = 0.0
    """dissipated energy, negative if the law of restitution has gained energy"""
    type: str = ""
    """course of the slip during an impact with dry friction, one of :data:`TYPES`; empty without friction"""
    tangential: Annotated[tuple[float, float], Unit("N·s")] = (0.0, 0.0)
    """impulses of friction along the slips of the contact; in the plane the second is zero"""
    slip: Annotated[tuple[float, float], Unit("m/s")] = (0.0, 0.0)
    """slips before the impact"""
    compression: Annotated[float, Unit("N·s")] = 0.0
    """normal impulse at the end of compression; restitution ends at the whole ``impulse``"""
    halt: Annotated[float, Unit("N·s")] = inf
    """normal impulse at which the slip halts, or would halt in a longer impact; infinite for never"""
    lost_by_restitution: Annotated[float, Unit("J")] = 0.0
    lost_by_friction: Annotated[float, Unit("J")] = 0.0
    """parts of the dissipated energy"""
    separation: Annotated[float, Unit("m/s")] = 0.0
    """the rate of the gap after the impact"""
    friction: float = 0.0
    """the coefficient of friction"""
    mobility: Annotated[tuple[float, float, float, float, float, float], Unit("1/kg")] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    """mobilities (rates due to unit impulses) W_nn, W_n1, W_n2, W_11, W_12, W_22 of the normal and the two slips"""

    def __repr__(self) -> str:
        given = [f for f in fields(self) if f.name in {"time", "signal", "kind"} or getattr(self, f.name) != f.default]
        return f"MotionEvent({', '.join(f'{f.name}={getattr(self, f.name)!r}' for f in given)})"

    def __str__(self) -> str:
        text = f"{self.signal}: {self.kind} at {self.time:.9g} s"
        if self.kind != "impact":
            return text
        force = f", about {self.force:.6g} N" if self.force else ""
        course = f", {self.type}" if self.type else ""
        return f"{text}, {self.approach:.6g} m/s, {self.impulse:.6g} N·s{force}{course}, {self.lost:.6g} J lost"


KINDS = ("impact", "contact", "release", "stick", "slip")
"""kinds of contact and friction events that integrators record, in their order"""

TYPES = (
    "",
    "slip",
    "stick",
    "slip-compression-stick",
    "slip-restitution-stick",
    "slip-compression-reverse",
    "slip-restitution-reverse",
)
"""courses of the slip during an impact [Elkaranshawy1995, table 3.1], in the order in which integrators number them"""
