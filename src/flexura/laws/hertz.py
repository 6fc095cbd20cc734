"""Contact of curved bodies at a point, after Hertz."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt
from typing import Annotated, Any, ClassVar

from flexura.algebra import maximum
from flexura.errors import ModelError
from flexura.laws.dissipation import SLOWEST, Restored, Rule, Slowest, refuse_dead, strength
from flexura.laws.materials import Material
from flexura.laws.units import Bounds, NonNegative, Positive, Unit
from flexura.laws.validation import validate

Radii = Annotated[tuple[float, float] | None, Unit("m", "radii of the two surfaces; negative if concave")]
Materials = Annotated[tuple[Material, Material] | None, Unit("", "materials of the two bodies")]


@dataclass(frozen=True)
class Hertz:
    """Point contact: F = k δⁿ (1 + χ δ̇), without tension; n is 3/2 for spheres.

    The stiffness is given as ``k``, or follows from ``radii`` and ``materials`` of two spheres [Schwab2002 (5.3)]. The
    dissipation follows from the ``restitution`` and the velocity at which the gap has closed, by one of several rules,
    or is given as ``damping``, a fixed χ. The default rule gives the restitution that is asked for; the rule of the
    source is ``"lankarani_nikravesh"``.
    """

    k: Annotated[float | None, Unit("N/m^n", "stiffness"), Positive()] = None
    restitution: Restored = 1.0
    radii: Radii = None
    materials: Materials = None
    exponent: Annotated[float, Unit("", "exponent n"), Bounds(1.0, 4.0)] = 1.5
    dissipation: Rule = "gonthier"
    damping: Annotated[float, Unit("s/m", "fixed damping factor χ, instead of a restitution"), NonNegative()] = 0.0
    slowest: Slowest = SLOWEST

    dissipative: ClassVar[bool] = True
    """its damping does no positive work, which the audit of a run checks"""

    def __post_init__(self) -> None:
        validate(self)
        refuse_dead("Hertz", self.dissipation, self.restitution)
        if (self.k is None) == (self.radii is None or self.materials is None):
            what = "the stiffness must be given in exactly one way"
            raise ModelError("Hertz", what, "give k, or radii and materials of both bodies")
        if self.radii is not None and self.k is not None:
            raise ModelError("Hertz.radii", "k and radii are both given", "leave out one of them")
        if self.materials is not None and self.radii is None:
            what = "materials define a stiffness only together with radii"
            raise ModelError("Hertz.materials", what, "give radii, or k alone")
        if self.damping and self.restitution != 1.0:
            what = "damping and restitution are both given, and each determines the dissipation"
            raise ModelError("Hertz", what, "give one of them")
        if self.radii is not None:
            refuse_misfit("Hertz.radii", self.radii)

    @property
    def stiffness(self) -> float:
        """k as given, or that of two spheres."""
        if self.k is not None:
            return self.k
        assert self.radii is not None
        assert self.materials is not None
        a, b = self.radii
        return 4.0 / (3.0 * pi * compliance(self.materials)) * sqrt(a * b / (a + b))

    def force(self, depth: Any, rate: Any, approach: Any) -> Any:
        """Force that separates the surfaces, for the depth δ, its rate and the last approach velocity."""
        return self.stiffness * maximum(depth, 0.0) ** self.exponent * maximum(self._loss(rate, approach), 0.0)

    def pressing(self, depth: Any, rate: Any, approach: Any) -> Any:
        """Force of pressed surfaces, continued smoothly into tension."""
        return self.stiffness * maximum(depth, 0.0) ** self.exponent * self._loss(rate, approach)

    def _loss(self, rate: Any, approach: Any) -> Any:
        """Ratio of the force to that without dissipation."""
        lost = self.damping
        if self.restitution != 1.0:
            lost = strength(self.dissipation, self.restitution) / maximum(approach, self.slowest)
        return 1.0 + lost * rate


def compliance(materials: tuple[Material, Material]) -> float:
    """h₁ + h₂ with h = (1 - ν²)/πE [Schwab2002 (5.3)]."""
    return sum((1.0 - material.nu**2) / (pi * material.E) for material in materials)


def refuse_misfit(where: str, radii: tuple[float, float]) -> None:
    """Refuse two bodies without a single point of contact."""
    small, large = sorted(radii, key=abs)
    if small == 0.0:
        raise ModelError(where, "a radius of zero has no contact stiffness", "give the radius of the tip")
    if max(radii) < 0.0:
        raise ModelError(where, "two concave surfaces do not touch", "give the convex surface a positive radius")
    if min(radii) < 0.0 and not (small > 0.0 > large and small < -large):
        what = f"a body of radius {max(radii):g} m does not fit into a bore of {-min(radii):g} m"
        raise ModelError(where, what, "make the concave surface (negative radius) the larger one")
