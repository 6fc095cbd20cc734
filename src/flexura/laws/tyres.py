"""Laws of tyres: side force and aligning moment from the load, the slip angle and the camber; the road under them."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Annotated, Any

from flexura.algebra import absolute, atom, cos, maximum, minimum, sin, sqrt, step
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.laws.validation import validate

_LIGHT = 1.0
"""N: a smaller load has the friction of this one, so that a wheel in the air makes no trouble."""


@dataclass(frozen=True)
class Cornering:
    """Tyre law with a side force linear in slip angle and camber; the moment is force times trail.

    The force does not depend on the load, but is zero without load.
    """

    k: Annotated[float, Unit("N/rad", "cornering stiffness: side force per slip angle"), NonNegative()]
    k_camber: Annotated[float, Unit("N/rad", "camber stiffness: side force per camber angle"), NonNegative()] = 0.0
    trail: Annotated[
        float, Unit("m", "pneumatic trail: distance of the side force behind the contact"), NonNegative()
    ] = 0.0

    def __post_init__(self) -> None:
        validate(self)

    def forces(self, load: Any, slip: Any, camber: Any) -> tuple[Any, Any]:
        """Side force and aligning moment."""
        force = -(self.k * slip + self.k_camber * camber) * step(load)
        return force, -self.trail * force


@dataclass(frozen=True)
class Calspan:
    r"""Tyre law of the Calspan laboratory [Kortum1993], in the notation of its source.

    With the load F, the slip angle α and the camber γ: friction :math:`f = (B_1 F + B_3 + B_4 F^2)\,SN`, stiffness
    :math:`C = A_0 + A_1 F (A_2 - F)/A_2`, and with :math:`\bar\alpha = -(C\alpha + A_3 F (A_4 - F)/A_4\,\gamma)/fF`

    .. math:: F_y = f F\,(\bar\alpha - \bar\alpha|\bar\alpha|/3 + \bar\alpha^3/27), \quad
              M_z = (AF_1 F + AF_2 |F_y|) F_y ;

    beyond :math:`|\bar\alpha| = 3` the tyre slides. Above the load :math:`A_2` the stiffness is constant.
    """

    A0: Annotated[float, Unit("N/rad", "cornering stiffness without load")]
    A1: Annotated[float, Unit("1/rad", "growth of the cornering stiffness per load")]
    A2: Annotated[float, Unit("N", "load above which the cornering stiffness is constant"), Positive()]
    A3: Annotated[float, Unit("1/rad", "camber stiffness per load")]
    A4: Annotated[float, Unit("N", "load without camber stiffness"), Positive()]
    B1: Annotated[float, Unit("1/N", "change of the coefficient of friction per load")]
    B3: Annotated[float, Unit("", "coefficient of friction at zero load")]
    B4: Annotated[float, Unit("1/N²", "change of the coefficient of friction per load squared")]
    SN: Annotated[float, Unit("", "friction of the ground relative to that of the tyre test"), NonNegative()] = 1.0
    AF1: Annotated[float, Unit("m/N", "lever arm of the aligning moment per load")] = 0.0
    AF2: Annotated[float, Unit("m/N", "lever arm of the aligning moment per side force")] = 0.0

    def __post_init__(self) -> None:
        validate(self)

    def forces(self, load: Any, slip: Any, camber: Any) -> tuple[Any, Any]:
        """Side force and aligning moment."""
        friction = (self.B1 * load + self.B3 + self.B4 * load * load) * self.SN
        capped = minimum(load, self.A2)
        stiffness = self.A0 + self.A1 * capped * (self.A2 - capped) / self.A2
        by_camber = self.A3 * capped * (self.A4 - capped) / self.A4
        ratio = -(stiffness * slip + by_camber * camber) / (friction * maximum(load, _LIGHT))
        ratio = minimum(maximum(ratio, -3.0), 3.0)
        force = friction * load * (ratio - ratio * absolute(ratio) / 3.0 + ratio * ratio * ratio / 27.0)
        return force, (self.AF1 * load + self.AF2 * absolute(force)) * force


AnyTyre = Cornering | Calspan


@dataclass(frozen=True)
class Bump:
    """Bump of the road: ½ height (1 - cos 2π(x - start)/length), from ``start`` over its length."""

    height: Annotated[float, Unit("m", "height of the bump; negative for a dip")]
    length: Annotated[float, Unit("m", "length along x"), Positive()]
    start: Annotated[float, Unit("m", "start of the bump along x, from the node of the ground")] = 0.0

    def __post_init__(self) -> None:
        validate(self)


def above_bump(x: Any, z: Any, height: Any, length: Any, start: Any) -> tuple[Any, Any]:
    """Distance of a point from a road with a bump, along its normal, and the slope of the road there."""

    def road(at: Any) -> tuple[Any, Any]:
        phase = atom(2.0 * pi * minimum(maximum((at - start) / length, 0.0), 1.0))
        return atom(0.5 * height * (1.0 - cos(phase))), atom(pi * height / length * sin(phase))

    # two steps to the foot of the normal, from the point of the road that is straight below
    foot, (rise, slope) = x, road(x)
    for _ in range(2):
        foot = atom(foot + ((x - foot) + slope * (z - rise)) / (1.0 + slope * slope))
        rise, slope = road(foot)
    return ((z - rise) - slope * (x - foot)) / sqrt(1.0 + slope * slope), slope
