"""Dry friction, exact or made smooth where the surfaces creep."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp as number_exp
from typing import Annotated, Any, Literal

from flexura.algebra import exp, maximum, minimum
from flexura.errors import ModelError
from flexura.laws.grip import Grip
from flexura.laws.units import NonNegative, Unit
from flexura.laws.validation import validate

Creep = Annotated[float, Unit("m/s", "speed from which on the friction is full; zero for exact stick"), NonNegative()]
Static = Annotated[
    float, Unit("", "coefficient of friction while it sticks, where that is larger than mu"), NonNegative()
]


def refuse_static(where: str, static: float, mu: float, slow: float) -> None:
    """What creeps never sticks, and what sticks holds no less than what slides."""
    if static and slow:
        raise ModelError(f"{where}.static", "a law that creeps does not stick", "set the speed of creep to zero")
    if static and static < mu:
        what = f"a coefficient of {static:g} while it sticks is less than the {mu:g} while it slides"
        raise ModelError(f"{where}.static", what, "give a larger one, or none")


@dataclass(frozen=True)
class Friction:
    """Coulomb's friction μN against the sliding, less below a speed of creep.

    Up to that speed it grows as 1 - exp(-3v/v_c) after [Threlfall1978], over its value there, or in a straight
    ``ramp``; bodies do not stick, they creep. Without any creep it is exact: what does not slide sticks, until more
    than μN, or than the ``static`` coefficient times N where that is larger, is needed to hold it.
    """

    mu: Annotated[float, Unit("", "coefficient of friction"), NonNegative()]
    creep: Creep = 1e-3
    form: Annotated[Literal["threlfall", "ramp"], Unit("", "how it grows until then")] = "threlfall"
    static: Static = 0.0

    def __post_init__(self) -> None:
        validate(self)
        refuse_static("Friction", self.static, self.mu, self.creep)

    def grip(self, by: str, *slips: str) -> tuple[Grip, ...]:
        """What it holds, pressed by the force on a strain, where it is exact."""
        return () if self.creep else (Grip(slips, self.mu, max(self.static, self.mu), by),)

    def drag(self, slide: Any, push: Any) -> Any:
        """The force against the sliding where the surfaces push against each other; none by a law where it sticks."""
        if not self.creep:
            return 0.0
        return self.mu * push * (self.part(maximum(slide, 0.0)) - self.part(maximum(-slide, 0.0)))

    def part(self, speed: Any) -> Any:
        """The part of the full friction at a speed, which is not negative."""
        u = minimum(speed / self.creep, 1.0)
        return u if self.form == "ramp" else (1.0 - exp(-3.0 * u)) / (1.0 - number_exp(-3.0))
