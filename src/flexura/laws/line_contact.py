"""Contact of parallel cylinders along a line."""

from __future__ import annotations

from dataclasses import dataclass
from math import e as EULER
from math import exp, log
from typing import Annotated, Any, ClassVar, Literal

from flexura.algebra import log as logarithm
from flexura.algebra import maximum, minimum
from flexura.errors import ModelError
from flexura.laws.dissipation import SLOWEST, Restored, Rule, Slowest, refuse_dead, strength
from flexura.laws.hertz import compliance, refuse_misfit
from flexura.laws.materials import Material
from flexura.laws.units import Positive, Unit
from flexura.laws.validation import validate

_END = 0.9 / EULER
"""Limit of the formula, which has an infinite slope at 1/e."""


@dataclass(frozen=True)
class LineContact:
    """Contact of parallel cylinders: δ = p (ln(4ΔR/p) + s) with p = F h/l, without tension.

    h is (1 - ν²)/πE of both bodies together, ΔR the difference of the radii (negative for a concave surface), l the
    length. s is -1 after [Johnson1985], and 1 in the formula known by the number ESDU 78035. The dissipation is as for
    :class:`Hertz`. At penetrations near ΔR, outside the range of the theory, the force is extrapolated linearly.
    """

    length: Annotated[float, Unit("m", "length of the contact"), Positive()]
    radii: Annotated[tuple[float, float], Unit("m", "radii of the two surfaces; negative if concave")]
    materials: Annotated[tuple[Material, Material], Unit("", "materials of the two bodies")]
    restitution: Restored = 1.0
    formula: Annotated[Literal["johnson", "esdu"], Unit("", "formula for the deformation")] = "johnson"
    dissipation: Rule = "gonthier"
    slowest: Slowest = SLOWEST

    dissipative: ClassVar[bool] = True
    """its damping does no positive work, which the audit of a run checks"""

    def __post_init__(self) -> None:
        validate(self)
        refuse_dead("LineContact", self.dissipation, self.restitution)
        refuse_misfit("LineContact.radii", self.radii)
        if sum(self.radii) == 0.0:
            what = "the radii are equal, so the contact is conformal"
            raise ModelError("LineContact.radii", what, "give radii that differ by a clearance")

    def force(self, depth: Any, rate: Any, approach: Any) -> Any:
        """Force that separates the surfaces, for the depth δ, its rate and the last approach velocity."""
        return self._spring(depth) * maximum(self._loss(rate, approach), 0.0)

    def pressing(self, depth: Any, rate: Any, approach: Any) -> Any:
        """Force of pressed surfaces, continued smoothly into tension."""
        return self._spring(depth) * self._loss(rate, approach)

    def _spring(self, depth: Any) -> Any:
        """Force without dissipation."""
        scale = 4.0 * abs(sum(self.radii)) * exp(-1.0 if self.formula == "johnson" else 1.0)
        push = self.length / compliance(self.materials) * maximum(depth, 0.0)
        return push / _logarithm(depth / scale)

    def _loss(self, rate: Any, approach: Any) -> Any:
        """Ratio of the force to that without dissipation."""
        return 1.0 + strength(self.dissipation, self.restitution) / maximum(approach, self.slowest) * rate


def _logarithm(y: Any) -> Any:
    """Root u > 1 of u e^-u = y, by Newton's method on u - ln u = ln 1/y; ε = p u is the formula."""
    # a touch without depth has no force, although the logarithm is finite
    level = -logarithm(minimum(maximum(y, 1e-30), _END))
    u = level + logarithm(level) * (1.0 + 1.0 / (level + log(2.0)))
    for _ in range(5):
        u = (level + logarithm(u) - 1.0) * u / (u - 1.0)
    return u
