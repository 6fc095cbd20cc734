"""Dry friction, exact or regularised at low sliding speeds."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp as number_exp
from typing import Annotated, Any, ClassVar, Literal

from flexura.algebra import exp, maximum, minimum
from flexura.errors import ModelError
from flexura.laws.grip import Grip
from flexura.laws.units import NonNegative, Unit
from flexura.laws.validation import validate

RegularisationSpeed = Annotated[
    float,
    Unit("m/s", "sliding speed below which friction is reduced; zero for exact friction with stick"),
    NonNegative(),
]
Static = Annotated[float, Unit("", "coefficient of static friction, if larger than mu"), NonNegative()]


def refuse_static(where: str, static: float, mu: float, regularisation_speed: float) -> None:
    """Refuse static friction of a regularised law, or below sliding friction."""
    if static and regularisation_speed:
        raise ModelError(f"{where}.static", "regularised friction does not stick", "set regularisation_speed to zero")
    if static and static < mu:
        what = f"a coefficient of {static:g} while it sticks is less than the {mu:g} while it slides"
        raise ModelError(f"{where}.static", what, "give a larger one, or none")


@dataclass(frozen=True)
class Friction:
    """Coulomb friction μN against the sliding velocity, regularised below the regularisation speed.

    Up to that speed it grows as 1 - exp(-3v/v_c) after [Threlfall1978], over its value there, or in a straight
    ``ramp``; bodies do not stick, they creep. With a regularisation speed of zero it is exact: a contact that does not
    slide sticks, until more than μN, or than the ``static`` coefficient times N where that is larger, is needed.
    """

    mu: Annotated[float, Unit("", "coefficient of friction"), NonNegative()]
    regularisation_speed: RegularisationSpeed = 1e-3
    form: Annotated[
        Literal["threlfall", "ramp"], Unit("", "function by which friction grows up to the regularisation speed")
    ] = "threlfall"
    static: Static = 0.0

    dissipative: ClassVar[bool] = True
    """its damping does no positive work, which the audit of a run checks"""

    def __post_init__(self) -> None:
        validate(self)
        refuse_static("Friction", self.static, self.mu, self.regularisation_speed)

    def grip(self, by: str, *slips: str) -> tuple[Grip, ...]:
        """Slips that exact friction holds, with the force on a strain as normal force."""
        return () if self.regularisation_speed else (Grip(slips, self.mu, max(self.static, self.mu), by),)

    def drag(self, slide: Any, push: Any) -> Any:
        """Force against the sliding direction of pressed surfaces; zero by this law for exact friction."""
        if not self.regularisation_speed:
            return 0.0
        return self.mu * push * (self.part(maximum(slide, 0.0)) - self.part(maximum(-slide, 0.0)))

    def part(self, speed: Any) -> Any:
        """Fraction of the full friction at a non-negative speed."""
        u = minimum(speed / self.regularisation_speed, 1.0)
        return u if self.form == "ramp" else (1.0 - exp(-3.0 * u)) / (1.0 - number_exp(-3.0))
