"""Dry friction, made smooth where the surfaces creep."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp as number_exp
from typing import Annotated, Any, Literal

from flexura.algebra import exp, maximum, minimum
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.laws.validation import validate


@dataclass(frozen=True)
class Friction:
    """Coulomb's friction μN against the sliding, less below a speed of creep.

    Up to that speed it grows as 1 - exp(-3v/v_c) after [Threlfall1978], over its value there, or in a straight
    ``ramp``; bodies do not stick, they creep.
    """

    mu: Annotated[float, Unit("", "coefficient of friction"), NonNegative()]
    creep: Annotated[float, Unit("m/s", "speed from which on the friction is full"), Positive()] = 1e-3
    form: Annotated[Literal["threlfall", "ramp"], Unit("", "how it grows until then")] = "threlfall"

    def __post_init__(self) -> None:
        validate(self)

    def drag(self, slide: Any, push: Any) -> Any:
        """The force against the sliding, where the surfaces push against each other."""
        return self.mu * push * (self.part(maximum(slide, 0.0)) - self.part(maximum(-slide, 0.0)))

    def part(self, speed: Any) -> Any:
        """The part of the full friction at a speed, which is not negative."""
        u = minimum(speed / self.creep, 1.0)
        return u if self.form == "ramp" else (1.0 - exp(-3.0 * u)) / (1.0 - number_exp(-3.0))
