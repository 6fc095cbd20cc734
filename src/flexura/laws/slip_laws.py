"""Slip laws: the resistance of a contact against its slips.

Most are smooth functions of the slips: a wheel held by them creeps. The exact law of dry friction, which sticks
up to its limit, causes events.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf, isinf
from typing import Annotated, Any

from flexura.algebra import Vector, atan2, sin, sqrt, vec
from flexura.errors import ModelError
from flexura.laws.friction import Static, refuse_static
from flexura.laws.grip import Grip
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.laws.validation import validate

Mu = Annotated[float, Unit("", "coefficient of friction"), Positive()]
RegularisationSpeed = Annotated[float, Unit("m/s", "rolling speed below which creepage is regularised"), Positive()]

Load = Annotated[float, Unit("N", "normal force in the friction law of a rigid contact"), NonNegative()]

SLIPS = ("along", "across", "spin")


class SlipLaw(ABC):
    """A force against the slips along and across, and a moment against the spin, as a law of slip, speed and load."""

    @abstractmethod
    def resist(self, slip: Vector, speed: Any, load: Any) -> Vector:
        """Forces along and across and the moment with which the contact resists these slips."""

    @abstractmethod
    def held(self) -> tuple[str, ...]:
        """The slips that stay held at zero."""

    @abstractmethod
    def by_load(self) -> bool:
        """True if the law needs the normal force."""

    def grip(self, by: str, load: float) -> tuple[Grip, ...]:
        """Slips that the law holds up to its limit, under a given load or the force on a strain."""
        return ()


@dataclass(frozen=True)
class Viscous(SlipLaw):
    """Force proportional to the slip: F = c s. A slip with an infinite coefficient is held at zero."""

    along: Annotated[float, Unit("N·s/m", "force per longitudinal slip velocity"), NonNegative(infinite=True)]
    across: Annotated[float, Unit("N·s/m", "force per lateral slip velocity"), NonNegative(infinite=True)]
    spin: Annotated[float, Unit("N·m·s/rad", "moment per spin velocity"), NonNegative(infinite=True)] = 0.0

    def __post_init__(self) -> None:
        validate(self)

    def resist(self, slip: Vector, speed: Any, load: Any) -> Vector:
        return _scaled((self.along, self.across, self.spin), slip)

    def held(self) -> tuple[str, ...]:
        return _infinite(self.along, self.across, self.spin)

    def by_load(self) -> bool:
        return False


@dataclass(frozen=True)
class Creep(SlipLaw):
    r"""Force proportional to the creepage, slip over rolling speed, within the friction circle.

    :math:`F = C s/\sqrt{V^2 + V_0^2}`: below the regularisation speed :math:`V_0` it is viscous.
    With a finite ``mu`` the force is at most :math:`\mu N`, as :math:`F/\sqrt{1 + F^2/(\mu N)^2}`, along and across
    together.
    """

    along: Annotated[float, Unit("N", "force per longitudinal creepage"), NonNegative(infinite=True)]
    across: Annotated[float, Unit("N", "force per lateral creepage"), NonNegative(infinite=True)]
    regularisation_speed: RegularisationSpeed
    mu: Annotated[float, Unit("", "coefficient of friction that limits the resultant"), Positive(infinite=True)] = inf

    def __post_init__(self) -> None:
        validate(self)
        if isinf(self.along) and isinf(self.across):
            raise ModelError("Creep", "both coefficients are infinite", "omit the law to hold both slips at zero")

    def resist(self, slip: Vector, speed: Any, load: Any) -> Vector:
        force = _scaled((self.along, self.across, 0.0), slip) / sqrt(speed * speed + self.regularisation_speed**2)
        if isinf(self.mu):
            return force
        most = self.mu * load
        return force * (most / sqrt(most * most + force @ force + _NOTHING))

    def held(self) -> tuple[str, ...]:
        return _infinite(self.along, self.across)

    def by_load(self) -> bool:
        return not isinf(self.mu)


@dataclass(frozen=True)
class Coulomb(SlipLaw):
    r"""Dry friction: :math:`\mu N` against the slip, regularised at low speeds.

    :math:`\mathbf F = \mu N\,\mathbf s/\sqrt{\mathbf s\cdot\mathbf s + v_0^2}`. A contact at rest creeps, at a
    small fraction of :math:`v_0`. With a regularisation speed of zero the law is exact: a contact that does not slide
    sticks until more than :math:`\mu N`, or the ``static`` coefficient times N where that is larger, is needed to
    hold it.
    """

    mu: Mu
    regularisation_speed: Annotated[
        float,
        Unit("m/s", "sliding speed below which friction is reduced; zero for exact friction with stick"),
        NonNegative(),
    ] = 0.0
    static: Static = 0.0

    def __post_init__(self) -> None:
        validate(self)
        refuse_static("Coulomb", self.static, self.mu, self.regularisation_speed)

    def grip(self, by: str, load: float) -> tuple[Grip, ...]:
        return (
            ()
            if self.regularisation_speed
            else (Grip(SLIPS[:2], self.mu, max(self.static, self.mu), "" if load else by, load),)
        )

    def resist(self, slip: Vector, speed: Any, load: Any) -> Vector:
        if not self.regularisation_speed:
            return vec(0.0, 0.0, 0.0)
        along, across, _ = slip
        factor = self.mu * load / sqrt(along * along + across * across + self.regularisation_speed**2)
        return vec(factor * along, factor * across, 0.0)

    def held(self) -> tuple[str, ...]:
        return ()

    def by_load(self) -> bool:
        return True


@dataclass(frozen=True)
class MagicFormula(SlipLaw):
    r"""Magic formula of a tyre, isotropic.

    With the creepage :math:`\kappa = |\mathbf s|/\sqrt{V^2 + V_0^2}`, the force against the slip is
    :math:`D N\sin(C\arctan(B\kappa - E(B\kappa - \arctan B\kappa)))`: slope BCD N, peak D N.
    """

    B: Annotated[float, Unit("", "stiffness factor"), Positive()]
    C: Annotated[float, Unit("", "shape factor"), Positive()]
    D: Annotated[float, Unit("", "peak factor: coefficient of friction at the peak"), Positive()]
    E: Annotated[float, Unit("", "curvature factor")]
    regularisation_speed: RegularisationSpeed

    def __post_init__(self) -> None:
        validate(self)

    def resist(self, slip: Vector, speed: Any, load: Any) -> Vector:
        along, across, _ = slip
        rolling = sqrt(speed * speed + self.regularisation_speed**2)
        creep = sqrt((along * along + across * across) / (rolling * rolling) + _NOTHING)
        steep = self.B * creep
        bent = steep - self.E * (steep - atan2(steep, 1.0))
        factor = self.D * load * sin(self.C * atan2(bent, 1.0)) / (creep * rolling)
        return vec(factor * along, factor * across, 0.0)

    def held(self) -> tuple[str, ...]:
        return ()

    def by_load(self) -> bool:
        return True


_NOTHING = 1e-24
"""Added to the squares of measured values; avoids an undefined direction at zero."""


def _scaled(factors: tuple[float, ...], slip: Vector) -> Vector:
    """Forces slip by slip; held slips have the force of their constraint."""
    return Vector(*(0.0 if isinf(c) else c * s for c, s in zip(factors, slip, strict=True)))


def _infinite(*factors: float) -> tuple[str, ...]:
    return tuple(name for name, c in zip(SLIPS, factors, strict=False) if isinf(c))
