"""Oil film in a journal bearing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from flexura.algebra import atan2, maximum, sqrt
from flexura.errors import ModelError
from flexura.laws.hertz import Hertz
from flexura.laws.kelvin_voigt import KelvinVoigt
from flexura.laws.line_contact import LineContact
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.laws.validation import validate

_STILL = 1e-60
"""(m/s)²: a squeeze without velocity has no direction and no force"""
_LEAST = 1e-30
"""Lower bound of impedances; on the opening side they are differences of large numbers."""


@dataclass(frozen=True)
class OilFilm:
    """Full journal bearing of finite length with a cavitating film, by impedances [Schwab2002, appendix C].

    The force depends on the position and velocity of the journal and on the rotation of journal and bearing. It is
    unbounded as the film thickness vanishes: the journal does not reach the bearing, but the steps may become very
    small. If the film is thinner than ``roughness``, the ``solid`` contact law acts in addition.
    """

    viscosity: Annotated[float, Unit("Pa·s", "dynamic viscosity"), Positive()]
    radius: Annotated[float, Unit("m", "radius of the journal"), Positive()]
    length: Annotated[float, Unit("m", "length of the bearing"), Positive()]
    roughness: Annotated[
        float, Unit("m", "film thickness at which the asperities touch; zero for smooth surfaces"), NonNegative()
    ] = 0.0
    solid: Annotated[Hertz | KelvinVoigt | LineContact | None, Unit("", "contact law of the asperities")] = None

    def __post_init__(self) -> None:
        validate(self)
        if (self.solid is None) != (self.roughness == 0.0):
            what = "roughness and solid must be given together"
            raise ModelError("OilFilm", what, "give both, or neither")

    def force(self, depth: Any, rate: Any, approach: Any) -> Any:
        """Force of the solid contact, which begins when the film thickness equals the roughness."""
        return 0.0 if self.solid is None else self.solid.force(depth + self.roughness, rate, approach)

    def push(self, place: tuple[Any, Any], rate: tuple[Any, Any], spin: Any, clearance: Any) -> tuple[Any, Any]:
        """Force of the film on the sleeve, in the axes of the sleeve [Schwab2002 (C.1)-(C.11)].

        ``place`` and ``rate`` are those of the journal's centre in these axes, ``spin`` is the angular velocity of the
        journal there, ``clearance`` the radial clearance.
        """
        (x, y), (dx, dy) = self._within(place, clearance), rate
        # the velocity of pure squeeze, seen from axes that turn half as fast as the journal
        vx, vy = dx + 0.5 * spin * y, dy - 0.5 * spin * x
        speed = sqrt(vx * vx + vy * vy + _STILL)
        xi, eta = (x * vx + y * vy) / (clearance * speed), (y * vx - x * vy) / (clearance * speed)
        along, across = self._impedances(xi, eta)
        scale = 2.0 * self.viscosity * self.length * (self.radius / clearance) ** 3
        return scale * (along * vx - across * vy), scale * (along * vy + across * vx)

    def _within(self, place: tuple[Any, Any], clearance: Any) -> tuple[Any, Any]:
        """Position limited to that at which the film thickness equals the roughness."""
        x, y = place
        if self.solid is None:
            return x, y
        most = clearance - self.roughness
        scale = most / maximum(sqrt(x * x + y * y + _STILL), most)
        return scale * x, scale * y

    def _impedances(self, xi: Any, eta: Any) -> tuple[Any, Any]:
        """W along and across the velocity: the short and the long bearing in series [Schwab2002 (C.10)]."""
        pairs = zip(short_bearing(xi, eta, self.length / (2.0 * self.radius)), long_bearing(xi, eta), strict=True)
        along, across = (_in_series(*pair) for pair in pairs)
        return along, eta * across


def short_bearing(xi: Any, eta: Any, slender: float) -> tuple[Any, Any]:
    """W of a short bearing with λ = l/2r, across the velocity over η [Schwab2002 (C.6)-(C.7)].

    arccos(-ξ/√(1 - η²)) is the angle of (-ξ, √(1 - ε²)), which is well-conditioned everywhere.
    """
    left = 1.0 - xi * xi - eta * eta
    root = sqrt(left)
    g = (slender / left) ** 2
    j = 2.0 / root * atan2(root, -xi)
    along = g * ((left + 3.0 * xi * xi) * j + 6.0 * xi)
    return along, g * (3.0 * xi * j + 4.0 + 2.0 * xi * xi / (1.0 - eta * eta))


def long_bearing(xi: Any, eta: Any) -> tuple[Any, Any]:
    """W of a long bearing, across the velocity over η [Schwab2002 (C.8)-(C.9)].

    The angle is that of (-(1 + ε²/2)ξ, √(1 - ε²)K), since K² - η² - (1 + ε²/2)²ξ² = (1 - ε²)K².
    """
    e2 = xi * xi + eta * eta
    left, half = 1.0 - e2, 1.0 + 0.5 * e2
    root = sqrt(left)
    g = 1.5 / (left * half)
    k = sqrt(half * half - (1.0 + 0.25 * e2) * eta * eta)
    j = 2.0 / root * atan2(root * k, -half * xi)
    return g * ((2.0 + e2 - 3.0 * eta * eta) * j + 4.0 * xi * k), g * (3.0 * xi * j + 4.0 * k)


def _in_series(a: Any, b: Any) -> Any:
    a, b = maximum(a, _LEAST), maximum(b, _LEAST)
    return a * b / (a + b)
